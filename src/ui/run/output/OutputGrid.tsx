import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { type Field, typeName } from "../../../engine/index.ts";
import type { SinkOutput } from "../../engine-client/sink-output.ts";
import { wholeCount } from "../quantities.ts";
import { useOutput } from "../run-context.ts";
import { cellView, columnWidth, isNumeric } from "./cell-view.ts";
import styles from "./OutputGrid.module.css";

const ROW = 24;
const HEAD = 28;
/** Browsers make no element much higher than this many rows. */
const MOST_ROWS = 500_000;
const SAMPLES = 40;

/** The newest rows of a sink, drawn only as far as they are in sight, in both directions. */
export function OutputGrid({ output, follow }: { output: SinkOutput; follow: boolean }) {
  const { kept, total } = useOutput(output);
  const scroll = useRef<HTMLDivElement>(null);
  const rows = Math.min(kept, MOST_ROWS);
  const hidden = kept - rows;
  const { fields } = output.schema;
  const some = kept > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: widths are measured once there is something to measure.
  const widths = useMemo(() => fields.map((_, column) => columnWidth(output, column, SAMPLES)), [output, fields, some]);
  const numberWidth = Math.max(48, wholeCount(total).length * 7.2 + 22);

  const down = useVirtualizer({
    count: rows,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 4,
    paddingStart: HEAD,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: fields.length,
    getScrollElement: () => scroll.current,
    estimateSize: (column) => widths[column] ?? 100,
    overscan: 1,
    paddingStart: numberWidth,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other widths are other places.
  useEffect(() => across.measure(), [across, widths, numberWidth]);
  useStayPut(scroll, total - rows, rows, follow);

  const columns = across.getVirtualItems();
  const lines = down.getVirtualItems();
  const keyOf = useRowKeys(lines[0]?.index ?? 0, lines.length);
  const width = across.getTotalSize();
  return (
    <section
      ref={scroll}
      className={styles.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it.
      tabIndex={0}
      aria-label={`Rows of ${output.node}`}
      data-testid="output-grid"
    >
      <table
        className={styles.table}
        style={{ height: down.getTotalSize(), width }}
        aria-rowcount={total + 1}
        aria-colcount={fields.length + 1}
      >
        <thead className={styles.head} style={{ width }}>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles.number} style={{ width: numberWidth }}>
              #
            </th>
            {columns.map(({ index, start, size }) => (
              <ColumnHead key={index} field={fields[index]} index={index} left={start} width={size} />
            ))}
          </tr>
        </thead>
        {/* The rows are moved as one: moving each would style all its cells anew. */}
        <tbody className={styles.rows} style={{ transform: `translateY(${lines[0]?.start ?? 0}px)` }}>
          {lines.map(({ index }) => (
            <tr key={keyOf(index)} aria-rowindex={total - rows + index + 2} className={styles.row} style={{ width }}>
              <th scope="row" className={styles.number} style={{ width: numberWidth }}>
                {wholeCount(total - rows + index + 1)}
              </th>
              {columns.map((column) => (
                <Cell
                  key={column.index}
                  output={output}
                  row={hidden + index}
                  column={column.index}
                  left={column.start}
                  width={column.size}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ColumnHeadProps {
  readonly field: Field | undefined;
  readonly index: number;
  readonly left: number;
  readonly width: number;
}

function ColumnHead({ field, index, left, width }: ColumnHeadProps) {
  if (field === undefined) return null;
  const type = typeName(field.type);
  return (
    <th
      scope="col"
      aria-colindex={index + 2}
      className={styles.column}
      data-numeric={isNumeric(field)}
      style={{ left, width }}
      title={`${field.name}, ${type}${field.nullable ? "" : ", never NULL"}`}
    >
      {field.name}
      <small>{type}</small>
    </th>
  );
}

interface CellProps {
  readonly output: SinkOutput;
  readonly row: number;
  readonly column: number;
  readonly left: number;
  readonly width: number;
}

function Cell({ output, row, column, left, width }: CellProps) {
  const field = output.schema.fields[column];
  const { text, isNull } = cellView(output, row, column);
  return (
    <td
      aria-colindex={column + 2}
      className={styles.cell}
      data-null={isNull}
      data-numeric={field !== undefined && isNumeric(field)}
      style={{ left, width }}
      title={text.length * 7 > width - 20 ? text : undefined}
    >
      {text}
    </td>
  );
}

/** Keys of the rows: those that stay in sight keep theirs, and after a leap the elements that are there are filled anew. */
function useRowKeys(first: number, count: number): (row: number) => number {
  const last = useRef({ first, count, shift: 0 });
  const { current: before } = last;
  const overlaps = first < before.first + before.count && before.first < first + count;
  const shift = overlaps ? before.shift : before.shift + before.first - first;
  last.current = { first, count, shift };
  return (row) => row + shift;
}

/** Rows that are dropped at the top move the others up: whoever reads is taken along, and whoever follows goes to the end. */
function useStayPut(
  scroll: { readonly current: HTMLElement | null },
  first: number,
  rows: number,
  follow: boolean,
): void {
  const before = useRef(first);
  useLayoutEffect(() => {
    const box = scroll.current;
    const dropped = first - before.current;
    before.current = first;
    if (box === null) return;
    if (follow) box.scrollTop = HEAD + rows * ROW;
    else if (dropped > 0 && box.scrollTop > 0) box.scrollTop = Math.max(0, box.scrollTop - dropped * ROW);
  }, [scroll, first, rows, follow]);
}
