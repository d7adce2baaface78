import { COUNTERS, type Counter, type EpochRecord } from "../../../engine/index.ts";
import { shareStripes } from "../lanes/lane-text.ts";
import { bytes, plural, rate, wholeCount } from "../quantities.ts";
import type { ShownRun } from "../run-controller.ts";
import type { NodeTask } from "../run-model.ts";
import styles from "./Inspect.module.css";
import { type Load, loadOf, meanLoad, type Shares, skewOf, snapshotBytes, wholeShares } from "./task-figures.ts";

export const COUNTER_NAMES: Readonly<Record<Counter, string>> = {
  late: "late rows",
  bad: "bad rows",
  routed: "rows routed aside",
  evicted: "evicted from state",
  errors: "errors",
};

const LOADS: readonly { readonly name: keyof Load; readonly meaning: string }[] = [
  { name: "busy", meaning: "working, or polling its source" },
  { name: "idle", meaning: "waiting for input" },
  { name: "backpressured", meaning: "waiting for room at an output" },
  { name: "aligning", meaning: "waiting for a barrier on other inputs" },
];

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
export const rateText = (perSecond: number | undefined): string => (perSecond === undefined ? "–" : rate(perSecond));
/** What shares are shares of. */
export const spanText = (isOver: boolean): string => (isOver ? "whole run" : "last second");

interface NodeTotalsProps {
  readonly shown: ShownRun;
  readonly tasks: readonly NodeTask[];
  /** The newest epoch that completed. */
  readonly last: EpochRecord | undefined;
  readonly chosen: number | undefined;
  /** With it, a task can be chosen. */
  readonly onChoose: ((index: number) => void) | undefined;
}

/** All tasks of a node: what they did together, and each on a line, so that they can be compared. */
export function NodeTotals({ shown, tasks, last, chosen, onChoose }: NodeTotalsProps) {
  const { run, model } = shown;
  const isSource = tasks[0]?.stage.role === "source";
  const stages = tasks.flatMap(({ stageIndex }) => run.frame.stages[stageIndex] ?? []);
  const sum = (counts: readonly number[]) => counts.reduce((all, each) => all + each, 0);
  const perTask = stages.map(({ rowsIn, rowsOut }) => (isSource ? rowsOut : rowsIn));
  const skew = skewOf(perTask);
  const shares = tasks.map(({ task }): Shares => {
    const reading = run.frame.tasks[task.id];
    return run.isOver && reading !== undefined ? wholeShares(reading) : run.trends.shares(task.id);
  });
  const load = meanLoad(shares.map(loadOf));
  const kept = tasks.map(({ task }) => snapshotBytes(last, task.id));
  const rates = (way: "in" | "out") =>
    sum(tasks.map(({ stageIndex }) => run.trends.rowsPerSecond(stageIndex, way) ?? 0));
  return (
    <section className={styles.section} data-testid="node-totals">
      <h3>
        {plural(tasks.length, "task")}
        <small>{spanText(run.isOver)}</small>
      </h3>
      <dl className={styles.pairs}>
        {LOADS.filter(({ name }) => name === "busy" || load[name] >= 0.005).map(({ name, meaning }) => (
          <Pair key={name} name={name} title={meaning} value={percent(load[name])} />
        ))}
        {!isSource && <Pair name="rows in" value={wholeCount(sum(stages.map(({ rowsIn }) => rowsIn)))} />}
        <Pair name="rows out" value={wholeCount(sum(stages.map(({ rowsOut }) => rowsOut)))} />
        {!run.isOver && !isSource && <Pair name="rows a second, in" value={rate(rates("in"))} />}
        {!run.isOver && <Pair name="rows a second, out" value={rate(rates("out"))} />}
        {skew !== undefined && (
          <Pair
            name={`most rows: task ${tasks[skew.index]?.task.subtask}`}
            title="A task that gets many more rows than the others holds all of them back: its keys are skewed."
            value={`${skew.times.toFixed(1)}× the mean`}
            {...(skew.times >= 2 && { tone: "warning" as const })}
          />
        )}
        {COUNTERS.map((counter) => [counter, sum(stages.map(({ counters }) => counters[counter]))] as const)
          .filter(([, count]) => count > 0)
          .map(([counter, count]) => (
            <Pair key={counter} name={COUNTER_NAMES[counter]} value={wholeCount(count)} tone="warning" />
          ))}
        {last && kept.some((each) => each !== undefined) && (
          <Pair name={`tasks' state, epoch ${last.epoch}`} value={bytes(sum(kept.map((each) => each ?? 0)))} />
        )}
      </dl>
      <table className={styles.tasks}>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Time</th>
            <th scope="col">{isSource ? "Rows out" : "Rows in"}</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map(({ task }, index) => (
            <tr key={task.id} data-chosen={index === chosen}>
              <td>
                {onChoose === undefined ? (
                  task.subtask
                ) : (
                  <button
                    type="button"
                    aria-pressed={index === chosen}
                    aria-label={`Numbers of ${model.taskName(task.id)}`}
                    onClick={() => onChoose(index)}
                  >
                    {task.subtask}
                  </button>
                )}
              </td>
              <td title={loadText(loadOf(shares[index] as Shares))}>
                <div className={styles.shares} style={{ backgroundImage: shareStripes(shares[index] as Shares) }} />
              </td>
              <td>{wholeCount(perTask[index] ?? 0)}</td>
              <td>{kept[index] === undefined ? "–" : bytes(kept[index] as number)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const loadText = (load: Load): string => LOADS.map(({ name }) => `${name} ${percent(load[name])}`).join(", ");

interface PairProps {
  readonly name: string;
  readonly value: string;
  readonly title?: string;
  readonly tone?: "warning";
}

export function Pair({ name, value, title, tone }: PairProps) {
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd data-tone={tone}>{value}</dd>
    </>
  );
}
