import { useState } from "react";
import { useStore } from "zustand";
import { singleOf } from "../../document/selection.ts";
import { useWorkbench } from "../../shell/workbench.ts";
import { useFrame, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { TimeLineRow } from "./TimeLines.tsx";
import styles from "./Watermarks.module.css";
import { WhyNotFurther } from "./WhyNotFurther.tsx";
import { taskTimes } from "./watermark-lines.ts";

const EVERY_MS = 200;
/** Of larger runs the tab shows the tasks of the selected node, or one line for each task. */
const MOST_LINES = 160;

/** Event time at every task: what each input says, which one holds it back. */
export function Watermarks() {
  const shown = useShownRun();
  if (shown === undefined) return <p className={styles.none}>Run the graph to see how far its times are.</p>;
  if (!shown.model.hasTime)
    return <p className={styles.none}>No source of this graph says times: choose a time column in a source.</p>;
  return <Tab key={shown.run.plan.fingerprint} shown={shown} />;
}

function Tab({ shown }: { shown: ShownRun }) {
  const { model, times, run } = shown;
  const selected = useSelectedTasks(shown);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  useRedraw();
  const large = model.plan.edges.length + model.plan.tasks.length > MOST_LINES;
  const listed = large && selected.length > 0 ? selected : model.order;
  const why = chosen ?? selected[0] ?? model.order[model.order.length - 1] ?? 0;
  return (
    <div className={styles.tab} data-testid="watermarks">
      <div className={styles.tasks}>
        {taskTimes(model, run.frame, listed).map(({ task, name, out, inputs }) => (
          <div key={task} className={styles.task} data-testid={`times-${task}`}>
            <h3>
              <button
                type="button"
                aria-pressed={task === why}
                title="Why is its time not further?"
                onClick={() => setChosen(task)}
              >
                {name}
              </button>
              <span title={times.full(out.said)}>{times.mark(out.said)}</span>
            </h3>
            {!(large && selected.length === 0) &&
              inputs.map((line) => <TimeLineRow key={line.key} line={line} times={times} />)}
            {inputs.length === 0 && <TimeLineRow line={out} times={times} />}
          </div>
        ))}
      </div>
      <div className={styles.side}>
        <WhyNotFurther shown={shown} task={why} />
      </div>
    </div>
  );
}

function useSelectedTasks({ model }: ShownRun): readonly number[] {
  const { selection } = useWorkbench();
  const node = useStore(selection, (items) => {
    const single = singleOf(items);
    return single?.kind === "node" ? single.id : undefined;
  });
  return node === undefined ? [] : (model.tasksOf.get(node) ?? []).map(({ task }) => task.id as number);
}

/** Draws the component again with what was read last. */
export function useRedraw(everyMs = EVERY_MS): void {
  const [, redraw] = useState(0);
  useFrame(() => redraw((count) => count + 1), everyMs);
}
