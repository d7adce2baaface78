import { ExampleCard } from "./ExampleCard.tsx";
import { EXAMPLE_COUNT, firstExamples } from "./examples.ts";
import gallery from "./Gallery.module.css";
import styles from "./Welcome.module.css";
import { useWorkbench } from "./workbench.ts";

/** The first examples, and the way to the others. */
export function FirstExamples() {
  const { view } = useWorkbench();
  const shown = firstExamples();
  return (
    <>
      <ul className={`${gallery.grid} ${styles.examples}`}>
        {shown.map((example) => (
          <li key={example.id}>
            <ExampleCard example={example} />
          </li>
        ))}
      </ul>
      {EXAMPLE_COUNT > shown.length && (
        <button
          type="button"
          className={styles.more}
          data-testid="welcome-examples"
          onClick={() => view.open("examples")}
        >
          All {EXAMPLE_COUNT} examples
        </button>
      )}
    </>
  );
}
