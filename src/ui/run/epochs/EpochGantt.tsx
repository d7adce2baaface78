import { useEffect, useRef, useState } from "react";
import { HeldPattern } from "../../shared/FlowShapes.tsx";
import { bytes, took } from "../quantities.ts";
import type { ShownRun } from "../run-controller.ts";
import styles from "./Epochs.module.css";
import { alignsInputs, beginOf, type EpochRow } from "./epoch-rows.ts";

const ROW = 20;
const LABELS = 118;
const VALUES = 92;
const HEAD = 20;

interface TaskSpan {
  readonly task: number;
  readonly name: string;
  /** Milliseconds after the epoch was issued. */
  readonly passedMs: number | undefined;
  readonly alignedMs: number;
  readonly reportedMs: number | undefined;
  readonly bytes: number | undefined;
}

/** One epoch from issued to committed: when the barrier passed each task, how long that one waited for it, and its report. */
export function EpochGantt({ shown, row }: { shown: ShownRun; row: EpochRow }) {
  const { record } = row;
  const from = beginOf(record, shown.run.timelines.passages.get(row.epoch));
  const spans = spansOf(shown, row, from);
  const marks = [
    { name: "complete", ms: record.completedMs },
    { name: "durable", ms: record.durableMs },
    { name: "committed", ms: record.committedMs },
  ].flatMap(({ name, ms }) => (ms === undefined ? [] : [{ name, ms: ms - from }]));
  const ends = [
    ...spans.flatMap(({ passedMs, reportedMs }) => [passedMs ?? 0, reportedMs ?? 0]),
    ...marks.map(({ ms }) => ms),
  ];
  const open = row.open ? shown.run.nowMs - from : 0;
  const longest = Math.max(1, open, ...ends) * 1.04;
  const lastMark = marks.at(-1)?.ms ?? 0;
  const unreported = record.completedMs !== undefined ? "had ended" : row.open ? "not yet" : "–";
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const x = (ms: number) => LABELS + (Math.max(0, ms) / longest) * Math.max(60, width - LABELS - VALUES);
  return (
    <div ref={box} className={styles.gantt} data-testid="epoch-gantt">
      <h3>Epoch {row.epoch}</h3>
      <p>
        {record.failure ?? `${row.state}${row.open ? "" : `, ${bytes(record.stateBytes)} of state`}`}. Hatched: waiting
        for the barrier on other inputs. A bar across: the task took its snapshot.
      </p>
      <svg
        width={Math.max(0, width)}
        height={HEAD + spans.length * ROW}
        role="img"
        aria-label={`How epoch ${row.epoch} went, task by task`}
      >
        <defs>
          <HeldPattern id="gantt-held" />
        </defs>
        {marks.map(({ name, ms }, index) => (
          <g key={name}>
            <line
              x1={x(ms)}
              x2={x(ms)}
              y1={HEAD - 4}
              y2={HEAD + spans.length * ROW}
              stroke="var(--line-strong)"
              strokeDasharray={index === 2 ? undefined : "3 3"}
            />
          </g>
        ))}
        <text x={x(lastMark)} y={12} textAnchor={lastMark > longest / 2 ? "end" : "start"}>
          {marks.map(({ name, ms }) => `${name} ${took(ms)}`).join(" · ")}
        </text>
        {spans.map((span, index) => (
          <Span
            key={span.task}
            span={span}
            y={HEAD + index * ROW}
            x={x}
            right={width - VALUES}
            unreported={unreported}
          />
        ))}
      </svg>
    </div>
  );
}

interface SpanProps {
  readonly span: TaskSpan;
  readonly y: number;
  readonly x: (ms: number) => number;
  readonly right: number;
  /** Why there is no report: a task that had ended before the barrier has none to make (F-52). */
  readonly unreported: string;
}

/** A name of so many characters fits; of a longer one the subtask's number stays. */
const NAME_LENGTH = 18;

function shortened(name: string): string {
  if (name.length <= NAME_LENGTH) return name;
  const tail = / · \d+$/.exec(name)?.[0] ?? "";
  return `${name.slice(0, NAME_LENGTH - 1 - tail.length).trimEnd()}…${tail}`;
}

function Span({ span, y, x, right, unreported }: SpanProps) {
  const { name, passedMs, alignedMs, reportedMs } = span;
  const aligned = passedMs === undefined ? 0 : x(passedMs) - x(passedMs - alignedMs);
  return (
    <g>
      <text x={0} y={y + 14}>
        {shortened(name)}
        <title>{name}</title>
      </text>
      <line x1={x(0)} x2={right} y1={y + ROW - 0.5} y2={y + ROW - 0.5} stroke="var(--line)" />
      {passedMs !== undefined && (
        <>
          {aligned >= 1 && (
            <rect
              x={x(passedMs) - aligned}
              y={y + 4}
              width={aligned}
              height={11}
              rx="2"
              fill="url(#gantt-held)"
              stroke="var(--flow-barrier)"
              strokeWidth=".6"
            />
          )}
          <rect x={x(passedMs) - 1.5} y={y + 2} width="3" height="15" rx="1.5" fill="var(--flow-barrier)" />
        </>
      )}
      {reportedMs !== undefined && (
        <circle cx={x(reportedMs)} cy={y + 9.5} r="3" fill="var(--raised)" stroke="var(--accent)" strokeWidth="1.4" />
      )}
      <text className={styles.value} x={right + VALUES} y={y + 14} textAnchor="end">
        {reportedMs === undefined ? unreported : `${took(reportedMs)} · ${bytes(span.bytes ?? 0)}`}
      </text>
    </g>
  );
}

function spansOf({ run, model }: ShownRun, { epoch, record }: EpochRow, from: number): TaskSpan[] {
  const passages = run.timelines.passages.get(epoch) ?? [];
  return model.order.map((task): TaskSpan => {
    const passage = passages.find((each) => each.task === task);
    const report = record.reports.find((each) => each.task === task);
    return {
      task,
      name: model.taskName(task),
      passedMs: passage === undefined ? undefined : passage.atMs - from,
      alignedMs: alignsInputs(model, task) ? (passage?.alignedMs ?? 0) : 0,
      reportedMs: report === undefined ? undefined : report.atMs - from,
      bytes: report?.bytes,
    };
  });
}

function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(400);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth - 28));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
