import { type Batch, cell, typeName } from "../../../engine/index.ts";
import { cellText } from "../../shared/cell-text.ts";
import styles from "./Inspect.module.css";

/** A few rows with their columns; more than `most` are left out. */
export function RowsTable({ batches, most }: { batches: readonly Batch[]; most: number }) {
  const fields = batches[0]?.schema.fields ?? [];
  const rows = batches
    .flatMap((batch) => Array.from({ length: Math.min(batch.rowCount, most) }, (_, row) => ({ batch, row })))
    .slice(0, most);
  const numeric = fields.map(({ type }) => type.kind === "int" || type.kind === "float" || type.kind === "decimal");
  return (
    <div className={styles.scroll}>
      <table className={styles.rows}>
        <thead>
          <tr>
            {fields.map(({ name, type }, column) => (
              <th key={name} scope="col" data-numeric={numeric[column]}>
                {name}
                <small>{typeName(type)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ batch, row }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name than their place.
            <tr key={index}>
              {batch.columns.map((values, column) => {
                const value = cell(values, row);
                return (
                  <td key={fields[column]?.name} data-numeric={numeric[column]} data-null={value === null}>
                    {value === null ? "NULL" : cellText(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
