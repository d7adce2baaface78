import { COUNTERS, type Counter, TASK_STATES } from "../../../engine/index.ts";
import { useSelectedNode } from "../../inspector/NodePanel.tsx";
import { StateGlyph } from "../../shared/StateGlyph.tsx";
import { laneText, overText, shareStripes } from "../lanes/lane-text.ts";
import { rate, stay, wholeCount } from "../quantities.ts";
import { useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import type { NodeTask } from "../run-model.ts";
import { useRedraw } from "../watermarks/Watermarks.tsx";
import styles from "./Inspect.module.css";

/** Numbers of the selected node's tasks. */
export function NodeMetrics() {
  const node = useSelectedNode();
  const shown = useShownRun();
  const tasks = node && shown?.model.tasksOf.get(node.id);
  if (shown === undefined || tasks === undefined) {
    return (
      <div className={styles.section}>
        <p>Run the graph to see what the tasks of this node do.</p>
      </div>
    );
  }
  return <Metrics shown={shown} tasks={tasks} />;
}

function Metrics({ shown, tasks }: { shown: ShownRun; tasks: readonly NodeTask[] }) {
  useRedraw();
  return (
    <div data-testid="node-metrics">
      {tasks.map((part) => (
        <TaskSection key={part.task.id} shown={shown} part={part} />
      ))}
    </div>
  );
}

const COUNTER_NAMES: Readonly<Record<Counter, string>> = {
  late: "late rows",
  bad: "bad rows",
  routed: "rows routed aside",
  evicted: "evicted from state",
  errors: "errors",
};

function TaskSection({
  shown: { run, model },
  part: { task, stage, stageIndex },
}: {
  shown: ShownRun;
  part: NodeTask;
}) {
  const reading = run.frame.tasks[task.id];
  const rows = run.frame.stages[stageIndex];
  if (reading === undefined || rows === undefined) return null;
  const shares = run.trends.shares(task.id);
  const { state, text, measure } = overText(run.outcome, reading) ?? laneText(model, reading, shares);
  const busy = shares.Working + shares.Polling;
  const counted = COUNTERS.filter((counter) => rows.counters[counter] > 0);
  const host = run.hostOf?.[task.id];
  const perSecond = run.trends.rowsPerSecond(stageIndex, stage.role === "source" ? "out" : "in");
  return (
    <section className={styles.section} data-testid={`metrics-${task.id}`}>
      <h3>
        <StateGlyph state={state} />
        {model.nodeName(stage.node)} · {task.subtask}
        <small>
          {text} {measure}
        </small>
      </h3>
      <div className={styles.shares} style={{ backgroundImage: shareStripes(shares) }} />
      <div className={styles.legend}>
        {TASK_STATES.filter((each) => shares[each] >= 0.005).map((each) => (
          <span key={each}>
            <StateGlyph state={each} size={10} /> {each} {Math.round(shares[each] * 100)} %
          </span>
        ))}
      </div>
      <dl className={styles.pairs}>
        {stage.role !== "source" && <Pair name="rows in" value={wholeCount(rows.rowsIn)} />}
        <Pair name={stage.role === "sink" ? "rows made visible" : "rows out"} value={wholeCount(rows.rowsOut)} />
        <Pair
          name={stage.role === "source" ? "rows a second, out" : "rows a second, in"}
          value={perSecond === undefined ? "–" : rate(perSecond)}
        />
        <Pair name="batches in" value={wholeCount(reading.batchesIn)} />
        <Pair name="batches out" value={wholeCount(reading.batchesOut)} />
        <Pair name="busy, last second" value={`${Math.round(busy * 100)} %`} />
        <Pair name="working in all" value={stay(reading.spentMs.Working)} />
        {reading.cpuMs > 0 && <Pair name="CPU" value={stay(reading.cpuMs)} />}
        <Pair name="last epoch completed" value={String(reading.completedEpoch)} />
        {stage.role !== "operator" && <Pair name="last epoch committed" value={String(reading.committedEpoch)} />}
        {host !== undefined && <Pair name="worker" value={String(host)} />}
        {counted.map((counter) => (
          <Pair key={counter} name={COUNTER_NAMES[counter]} value={wholeCount(rows.counters[counter])} tone="warning" />
        ))}
      </dl>
    </section>
  );
}

function Pair({ name, value, tone }: { name: string; value: string; tone?: "warning" }) {
  return (
    <>
      <dt>{name}</dt>
      <dd data-tone={tone}>{value}</dd>
    </>
  );
}
