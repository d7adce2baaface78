import { ExampleCard } from "./ExampleCard.tsx";
import { EXAMPLES } from "./examples.ts";
import gallery from "./Gallery.module.css";
import styles from "./Welcome.module.css";
import { useWorkbench } from "./workbench.ts";

const SHOWN = 3;

/** The first examples, and the way to the others. */
export function FirstExamples() {
  const { view } = useWorkbench();
  if (EXAMPLES.length === 0) return null;
  return (
    <>
      <ul className={`${gallery.grid} ${styles.examples}`}>
        {EXAMPLES.slice(0, SHOWN).map((example) => (
          <li key={example.id}>
            <ExampleCard example={example} />
          </li>
        ))}
      </ul>
      {EXAMPLES.length > SHOWN && (
        <button
          type="button"
          className={styles.more}
          data-testid="welcome-examples"
          onClick={() => view.open("examples")}
        >
          All {EXAMPLES.length} examples
        </button>
      )}
    </>
  );
}
