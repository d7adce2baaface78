import { Button } from "@mantine/core";
import { IconFilePlus, IconFolderOpen } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { Logo } from "../shared/Logo.tsx";
import { chooseAndOpen } from "./file-actions.ts";
import styles from "./Welcome.module.css";
import { useWorkbench } from "./workbench.ts";

const FirstExamples = lazy(() => import("./FirstExamples.tsx").then((module) => ({ default: module.FirstExamples })));

/** On the empty canvas: from here a newcomer is one click from a graph that runs. */
export function Welcome() {
  const workbench = useWorkbench();
  const { editor } = workbench;
  return (
    <div className={styles.welcome} data-testid="welcome">
      <div className={styles.sheet}>
        <Logo size={34} />
        <h1>Draw a dataflow, run it, watch every task</h1>
        <Suspense fallback={<div className={styles.waiting} />}>
          <FirstExamples />
        </Suspense>
        <div className={styles.actions}>
          <Button
            leftSection={<IconFilePlus size={15} />}
            data-testid="welcome-add"
            onClick={() => editor.state.setState({ adding: { at: undefined, from: undefined } })}
          >
            Add a first node
          </Button>
          <Button
            leftSection={<IconFolderOpen size={15} />}
            data-testid="welcome-open"
            onClick={() => chooseAndOpen(workbench)}
          >
            Open a graph or data
          </Button>
        </div>
        <p>
          Or drop a file here: CSV, NDJSON, Arrow, Parquet, or a graph. Files stay on this machine. <kbd>Tab</kbd> adds
          a node, <kbd>?</kbd> shows all keys.
        </p>
      </div>
    </div>
  );
}
