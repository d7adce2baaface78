import { useStore } from "zustand";
import styles from "./TopBar.module.css";
import { useWorkbench } from "./workbench.ts";

/** Beside the document's name: whether what is on the screen is kept. */
export function SaveStatus() {
  const { session } = useWorkbench();
  const save = useStore(session.store, (state) => state.save);
  const elsewhere = useStore(session.store, (state) => state.elsewhere);
  const [text, title] = elsewhere
    ? ["read-only", "Another tab writes this graph"]
    : {
        saved: ["saved", "Kept in this browser"],
        pending: ["saving…", "Being saved in this browser"],
        failed: [
          "not saved",
          save.kind === "failed" ? `The browser refused: ${save.message}. Save the graph as a file.` : "",
        ],
        off: ["not kept", "This browser keeps nothing for this page; save the graph as a file"],
      }[save.kind];
  return (
    <span
      className={styles.saved}
      role="status"
      // Every edit is saved: that alone is no news.
      aria-live={elsewhere || save.kind === "failed" ? "polite" : "off"}
      data-state={elsewhere ? "elsewhere" : save.kind}
      data-testid="save-state"
      title={title}
    >
      {text}
    </span>
  );
}
