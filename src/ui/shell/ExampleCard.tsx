import { type Example, exampleFiles } from "./examples.ts";
import styles from "./Gallery.module.css";
import { GraphPicture } from "./GraphPicture.tsx";
import { wholeSentences } from "./whole-sentences.ts";
import { useWorkbench } from "./workbench.ts";

/** Characters that have room in four lines. */
const SUMMARY = 140;

export function ExampleCard({ example, onOpened }: { example: Example; onOpened?: () => void }) {
  const { session, editor } = useWorkbench();
  const open = async () => {
    await session.openGraph(example.graph, exampleFiles(example.graph));
    onOpened?.();
    editor.view?.focus();
  };
  return (
    <button type="button" className={styles.example} data-testid={`example-${example.id}`} onClick={() => void open()}>
      <GraphPicture graph={example.graph} />
      <b>{example.graph.name}</b>
      {example.summary !== "" && <small>{wholeSentences(example.summary, SUMMARY)}</small>}
    </button>
  );
}
