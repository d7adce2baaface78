import { Button } from "@mantine/core";
import { useStore } from "zustand";
import styles from "./Dialogs.module.css";
import { useWorkbench } from "./workbench.ts";

/** This graph is open for writing in another tab. */
export function ElsewhereNotice() {
  const { session } = useWorkbench();
  const elsewhere = useStore(session.store, (state) => state.elsewhere);
  if (!elsewhere) return null;
  return (
    <div className={styles.elsewhere} role="status" data-testid="elsewhere">
      <span>Another tab is working on this graph. Here it is read-only.</span>
      <Button size="compact-sm" data-testid="take-over" onClick={() => void session.takeOver()}>
        Go on here
      </Button>
      <Button size="compact-sm" data-testid="work-on-copy" onClick={() => void session.duplicate()}>
        Work on a copy
      </Button>
    </div>
  );
}
