import styles from "./ColumnList.module.css";

export interface ShownColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** Names and types of columns; `?` marks those that may be NULL. */
export function ColumnList({
  columns,
  most = Number.POSITIVE_INFINITY,
}: {
  columns: readonly ShownColumn[];
  most?: number;
}) {
  const shown = columns.length > most + 1 ? columns.slice(0, most) : columns;
  return (
    <ul className={styles.list}>
      {shown.map((column) => (
        <li key={column.name}>
          <span>{column.name}</span>
          <span className={styles.type} title={column.nullable ? "may be NULL" : "never NULL"}>
            {column.type}
            {column.nullable ? <i>?</i> : ""}
          </span>
        </li>
      ))}
      {shown.length < columns.length && <li className={styles.more}>and {columns.length - shown.length} more</li>}
    </ul>
  );
}
