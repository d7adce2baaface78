import { useWorkbench } from "../../shell/workbench.ts";
import { useRunState, useShownRun } from "../run-context.ts";
import styles from "./Log.module.css";
import { type LogLine, logLines } from "./log-lines.ts";

/** What happened in the run that is not a row. */
export function Log() {
  const shown = useShownRun();
  const state = useRunState((each) => each);
  if (shown === undefined || state === undefined) return <p className={styles.none}>Nothing has run yet.</p>;
  return (
    <ul className={styles.list} data-testid="log">
      {logLines(shown, state).map((line) => (
        <Line key={line.key} line={line} name={line.node && shown.model.nodeName(line.node)} />
      ))}
    </ul>
  );
}

const TONES = { life: "run", note: "note", error: "failed" } as const;

function Line({ line, name }: { line: LogLine; name: string | undefined }) {
  const { editor } = useWorkbench();
  const { node, tone, atMs, message, hint } = line;
  return (
    <li data-tone={tone} data-testid={`log-${tone}`}>
      <span className={styles.time}>{(atMs / 1000).toFixed(3)} s</span>
      <span className={styles.tone}>{TONES[tone]}</span>
      {node === undefined ? (
        <span />
      ) : (
        <button type="button" className={styles.node} onClick={() => editor.goTo({ nodes: new Set([node]) })}>
          {name}
        </button>
      )}
      <span className={styles.message}>
        {message}
        {hint !== undefined && <small> — {hint}</small>}
      </span>
    </li>
  );
}

/** How many notes there are. */
export function LogBadge() {
  const count = useRunState((state) =>
    state === undefined ? 0 : state.noteCount + (state.status.outcome?.error === undefined ? 0 : 1),
  );
  return count === 0 ? null : <span className="mono">{count}</span>;
}
