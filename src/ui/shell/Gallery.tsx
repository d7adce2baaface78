import { useStore } from "zustand";
import { Dialog } from "../shared/Dialog.tsx";
import { ExampleCard } from "./ExampleCard.tsx";
import { EXAMPLES } from "./examples.ts";
import styles from "./Gallery.module.css";
import { useWorkbench } from "./workbench.ts";

/** All examples, with pictures of their graphs. */
export function Gallery() {
  const { view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "examples");
  return (
    <Dialog opened={opened} onClose={view.close} title="Examples" size={860} testId="examples">
      {EXAMPLES.length === 0 && <p>This build has no examples.</p>}
      <ul className={styles.grid}>
        {EXAMPLES.map((example) => (
          <li key={example.id}>
            <ExampleCard example={example} onOpened={view.close} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
