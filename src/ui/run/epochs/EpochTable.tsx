import { memo } from "react";
import styles from "./Epochs.module.css";
import type { EpochRow } from "./epoch-rows.ts";

interface EpochTableProps {
  readonly rows: readonly EpochRow[];
  readonly selected?: number | undefined;
  /** With it, a row can be chosen, and says more. */
  readonly onSelect?: (epoch: number) => void;
}

/** Epochs, the newest first. */
export function EpochTable({ rows, selected, onSelect }: EpochTableProps) {
  if (rows.length === 0) return <p className={styles.none}>No epoch was issued yet.</p>;
  const wide = onSelect !== undefined;
  return (
    <table className={styles.table} data-wide={wide} data-testid="epoch-table">
      <thead>
        <tr>
          <th scope="col">Epoch</th>
          {wide && <th scope="col">State</th>}
          <th scope="col">Slowest to align</th>
          <th scope="col">Aligned in</th>
          <th scope="col">Durable</th>
          {wide && <th scope="col">Committed</th>}
          <th scope="col">{wide ? "Bytes of state" : "State"}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.epoch} row={row} selected={row.epoch === selected} onSelect={onSelect} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly row: EpochRow;
  readonly selected: boolean;
  readonly onSelect: ((epoch: number) => void) | undefined;
}

const Row = memo(function Row({ row, selected, onSelect }: RowProps) {
  const wide = onSelect !== undefined;
  return (
    <tr
      data-open={row.open}
      data-state={row.state}
      data-selected={selected}
      data-testid={`epoch-${row.epoch}`}
      title={row.record.failure}
    >
      <td>
        {wide ? (
          <button type="button" className={styles.pick} aria-pressed={selected} onClick={() => onSelect(row.epoch)}>
            {row.epoch}
          </button>
        ) : (
          row.epoch
        )}
        {row.open && " …"}
      </td>
      {wide && <td className={styles.name}>{row.state}</td>}
      <td className={styles.name} title={row.slowest}>
        {row.slowest}
      </td>
      <td>{row.aligned}</td>
      <td>{row.durable}</td>
      {wide && <td>{row.committed}</td>}
      <td>{row.bytes}</td>
    </tr>
  );
});
