import { useSelectedNode } from "../../inspector/NodePanel.tsx";
import { holdingInput, leastMark } from "../event-time.ts";
import { useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import type { NodeTask } from "../run-model.ts";
import { TimeLineRow } from "../watermarks/TimeLines.tsx";
import styles from "../watermarks/Watermarks.module.css";
import { useRedraw } from "../watermarks/Watermarks.tsx";
import { WhyNotFurther } from "../watermarks/WhyNotFurther.tsx";
import { taskTimes } from "../watermarks/watermark-lines.ts";

/** Time at the selected node: what its inputs say, which one holds it back, and why. */
export function NodeWatermarks() {
  const node = useSelectedNode();
  const shown = useShownRun();
  const tasks = node && shown?.model.tasksOf.get(node.id);
  if (shown === undefined || tasks === undefined)
    return <p className={styles.none}>Run the graph to see the times of this node.</p>;
  if (!shown.model.hasTime) return <p className={styles.none}>No source of this graph says times.</p>;
  return <Times shown={shown} tasks={tasks} />;
}

function Times({ shown, tasks }: { shown: ShownRun; tasks: readonly NodeTask[] }) {
  useRedraw();
  const { run, model, times } = shown;
  const ids = tasks.map(({ task }) => task.id as number);
  const combined = leastMark(ids.map((id) => run.frame.tasks[id]?.mark));
  const slowest = ids.find((id) => run.frame.tasks[id]?.mark === combined) ?? ids[0] ?? 0;
  const holding = holdingInput(model, run.frame, slowest);
  const input = holding === undefined ? undefined : model.plan.edges[holding];
  return (
    <div data-testid="node-watermarks">
      <section className={styles.section}>
        <div className={styles.pair}>
          <span>Combined time</span>
          <span className="mono" title={times.full(combined)}>
            {times.mark(combined)}
          </span>
        </div>
        {input !== undefined && (
          <div className={styles.pair}>
            <span>Held back by</span>
            <span data-testid="held-back-by">{model.inputName(input)}</span>
          </div>
        )}
      </section>
      {taskTimes(model, run.frame, ids).map(({ task, name, out, inputs }) => (
        <section key={task} className={styles.section}>
          <h3>{inputs.length === 0 ? name : `Inputs of ${name}`}</h3>
          {inputs.map((line) => (
            <TimeLineRow key={line.key} line={line} times={times} />
          ))}
          <TimeLineRow line={out} times={times} />
        </section>
      ))}
      <section className={styles.section}>
        <WhyNotFurther shown={shown} task={slowest} />
      </section>
    </div>
  );
}
