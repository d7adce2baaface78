import { useMemo } from "react";
import { type Batch, type ExpressionPreview, previewExpression, typeName, unpackBatch } from "../../engine/index.ts";
import type { Preview } from "../document/previews.ts";
import { cellText } from "../shared/cell-text.ts";
import styles from "./ExpressionValues.module.css";

const SHOWN = 5;

/** What the expression gives for the first rows that come in. Nothing while it cannot be computed: its faults stand at the field. */
export function ExpressionValues({ text, rows }: { text: string; rows: Preview }) {
  const batch = useMemo((): Batch | undefined => {
    const [first] = rows.kind === "rows" ? rows.batches : [];
    return first && unpackBatch(first);
  }, [rows]);
  const found = useMemo(
    () => (batch === undefined || batch.rowCount === 0 ? undefined : previewExpression(text, batch)),
    [text, batch],
  );
  if (found === undefined || found.kind === "faults") return null;
  return <Values {...found} />;
}

function Values({ type, values, failed, firstError }: Extract<ExpressionPreview, { kind: "values" }>) {
  const kept = values.filter((value) => value === true).length;
  return (
    <div className={styles.values} data-testid="expression-values">
      <p>
        {type.kind === "boolean"
          ? `true for ${kept.toLocaleString("en")} of the first ${values.length.toLocaleString("en")} rows`
          : `${typeName(type)}, of the first rows`}
      </p>
      {type.kind !== "boolean" && (
        <ol>
          {values.slice(0, SHOWN).map((value, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name than their place.
            <li key={row} data-null={value === null}>
              {value === null ? "NULL" : cellText(value, 60)}
            </li>
          ))}
        </ol>
      )}
      {failed.length > 0 && (
        <p className={styles.failed}>
          {failed.length} of {values.length} rows fail: {firstError?.message}
        </p>
      )}
    </div>
  );
}
