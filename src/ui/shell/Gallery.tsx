import { useStore } from "zustand";
import { Dialog } from "../shared/Dialog.tsx";
import { ExampleCard } from "./ExampleCard.tsx";
import { allExamples, type Example, isNexmark } from "./examples.ts";
import styles from "./Gallery.module.css";
import { useWorkbench } from "./workbench.ts";

/** All examples, with pictures of their graphs. */
export function Gallery() {
  const { view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "examples");
  const examples = allExamples();
  return (
    <Dialog opened={opened} onClose={view.close} title="Examples" size={860} testId="examples">
      {examples.length === 0 && <p>This build has no examples.</p>}
      <Cards examples={examples.filter((example) => !isNexmark(example))} />
      <h3 className={styles.heading}>The Nexmark queries</h3>
      <Cards examples={examples.filter(isNexmark)} />
    </Dialog>
  );
}

function Cards({ examples }: { examples: readonly Example[] }) {
  const { view } = useWorkbench();
  return (
    <ul className={styles.grid}>
      {examples.map((example) => (
        <li key={example.id}>
          <ExampleCard example={example} onOpened={view.close} />
        </li>
      ))}
    </ul>
  );
}
