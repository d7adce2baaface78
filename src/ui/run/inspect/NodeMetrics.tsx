import { useState } from "react";
import { COUNTERS, type EpochRecord, TASK_STATES } from "../../../engine/index.ts";
import { useSelectedNode } from "../../inspector/NodePanel.tsx";
import { StateGlyph } from "../../shared/StateGlyph.tsx";
import { alignsInputs } from "../epochs/epoch-rows.ts";
import { laneText, overText, shareStripes } from "../lanes/lane-text.ts";
import { bytes, stay, took, wholeCount } from "../quantities.ts";
import { useRunState, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import type { NodeTask } from "../run-model.ts";
import { useRedraw } from "../watermarks/Watermarks.tsx";
import styles from "./Inspect.module.css";
import { COUNTER_NAMES, NodeTotals, Pair, percent, rateText, spanText } from "./NodeTotals.tsx";
import { lastCompleted, loadOf, snapshotBytes, wholeShares } from "./task-figures.ts";

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

/** More tasks than these are told one at a time. */
const ALL_TOLD = 4;

function Metrics({ shown, tasks }: { shown: ShownRun; tasks: readonly NodeTask[] }) {
  useRedraw();
  const epochs = useRunState((state) => state?.status.epochs) ?? [];
  const last = lastCompleted(epochs);
  const [chosen, setChosen] = useState(0);
  const many = tasks.length > ALL_TOLD;
  const told = many ? tasks.filter((_, index) => index === chosen || (index === 0 && chosen >= tasks.length)) : tasks;
  return (
    <div data-testid="node-metrics">
      {tasks.length > 1 && (
        <NodeTotals
          shown={shown}
          tasks={tasks}
          last={last}
          chosen={many ? chosen : undefined}
          onChoose={many ? setChosen : undefined}
        />
      )}
      {told.map((part) => (
        <TaskSection key={part.task.id} shown={shown} part={part} last={last} />
      ))}
    </div>
  );
}

interface TaskSectionProps {
  readonly shown: ShownRun;
  readonly part: NodeTask;
  readonly last: EpochRecord | undefined;
}

function TaskSection({ shown, part: { task, stage, stageIndex }, last }: TaskSectionProps) {
  const { run, model } = shown;
  const reading = run.frame.tasks[task.id];
  const rows = run.frame.stages[stageIndex];
  if (reading === undefined || rows === undefined) return null;
  const lately = run.trends.shares(task.id);
  const { state, text, measure } = overText(run.outcome, reading) ?? laneText(model, reading, lately);
  const shares = run.isOver ? wholeShares(reading) : lately;
  const counted = COUNTERS.filter((counter) => rows.counters[counter] > 0);
  const host = run.hostOf?.[task.id];
  const bytesKept = snapshotBytes(last, task.id);
  const passage = last && run.timelines.passages.get(last.epoch)?.find((each) => each.task === task.id);
  return (
    <section className={styles.section} data-testid={`metrics-${task.id}`}>
      <h3>
        <StateGlyph state={state} />
        {model.nodeName(stage.node)} · {task.subtask}
        <small>
          {text} {measure}
        </small>
      </h3>
      <div className={styles.shares} style={{ backgroundImage: shareStripes(shares) }} title={spanText(run.isOver)} />
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
        {!run.isOver && stage.role !== "source" && (
          <Pair name="rows a second, in" value={rateText(run.trends.rowsPerSecond(stageIndex, "in"))} />
        )}
        {!run.isOver && stage.role !== "sink" && (
          <Pair name="rows a second, out" value={rateText(run.trends.rowsPerSecond(stageIndex, "out"))} />
        )}
        <Pair name="batches in" value={wholeCount(reading.batchesIn)} />
        <Pair name="batches out" value={wholeCount(reading.batchesOut)} />
        <Pair name={`busy, ${spanText(run.isOver)}`} value={percent(loadOf(shares).busy)} />
        <Pair name="working in all" value={stay(reading.spentMs.Working)} />
        {reading.cpuMs > 0 && <Pair name="CPU" value={stay(reading.cpuMs)} />}
        <Pair name="last epoch completed" value={String(reading.completedEpoch)} />
        {stage.role !== "operator" && <Pair name="last epoch committed" value={String(reading.committedEpoch)} />}
        {alignsInputs(model, task.id) && passage && (
          <Pair name={`epoch ${passage.epoch}, aligned in`} value={took(passage.alignedMs)} />
        )}
        {last && bytesKept !== undefined && (
          <Pair name={`task's state, epoch ${last.epoch}`} value={bytes(bytesKept)} />
        )}
        {host !== undefined && <Pair name="worker" value={String(host)} />}
        {counted.map((counter) => (
          <Pair key={counter} name={COUNTER_NAMES[counter]} value={wholeCount(rows.counters[counter])} tone="warning" />
        ))}
      </dl>
    </section>
  );
}
