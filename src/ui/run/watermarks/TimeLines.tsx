import type { TimeText } from "../event-time.ts";
import { stay } from "../quantities.ts";
import styles from "./Watermarks.module.css";
import type { TimeLine } from "./watermark-lines.ts";

/** What somebody says about time, as a bar against the others. Idle, silent and ended are words, never an empty bar alone. */
export function TimeLineRow({ line, times }: { line: TimeLine; times: TimeText }) {
  const { name, said, part, behindMs, holds, ended } = line;
  const kind = ended || said?.kind === "end" ? "end" : (said?.kind ?? "none");
  const text = ended && said?.kind !== "time" ? "ended" : kind === "none" ? "has not spoken" : times.mark(said);
  return (
    <div className={styles.line} data-holds={holds} data-testid={line.key} data-kind={kind}>
      <span title={holds ? `${name} holds time back` : name}>
        {name}
        {holds && (
          <>
            {" ◂"}
            <span className="visually-hidden"> holds time back</span>
          </>
        )}
      </span>
      <span className={styles.track}>
        {part !== undefined && <i style={{ width: `${Math.round(part * 100)}%` }} />}
      </span>
      <span className={styles.said} data-kind={kind} title={times.full(said)}>
        {text}
        {behindMs !== undefined && behindMs > 0 && <small> −{stay(behindMs)}</small>}
      </span>
    </div>
  );
}
