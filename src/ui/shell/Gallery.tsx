import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import { Dialog } from "../shared/Dialog.tsx";
import { ExampleCard } from "./ExampleCard.tsx";
import { isAbout } from "./example-search.ts";
import { allExamples, type Example, isNexmark } from "./examples.ts";
import styles from "./Gallery.module.css";
import { useWorkbench } from "./workbench.ts";

/** All examples, with pictures of their graphs. */
export function Gallery() {
  const { view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "examples");
  const [words, setWords] = useState("");
  const examples = allExamples().filter(({ graph }) => isAbout(graph, words));
  const nexmark = examples.filter(isNexmark);
  return (
    <Dialog opened={opened} onClose={view.close} title="Examples" size={860} testId="examples">
      <TextInput
        className={styles.search}
        aria-label="Search the examples"
        data-testid="examples-search"
        placeholder="Search: window, late, join, parquet …"
        leftSection={<IconSearch size={15} />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {examples.length === 0 && <p>No example has to do with that.</p>}
      <Cards examples={examples.filter((example) => !isNexmark(example))} />
      {nexmark.length > 0 && <h3 className={styles.heading}>The Nexmark queries</h3>}
      <Cards examples={nexmark} />
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
