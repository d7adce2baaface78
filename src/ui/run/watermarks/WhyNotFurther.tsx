import { holdChain } from "../event-time.ts";
import type { ShownRun } from "../run-controller.ts";
import styles from "./Watermarks.module.css";

/** Walks from a task to the source that holds its time back. */
export function WhyNotFurther({ shown, task }: { shown: ShownRun; task: number }) {
  const { run, model, times } = shown;
  const { frame } = run;
  const chain = holdChain(model, frame, task);
  const last = chain[chain.length - 1];
  const mark = frame.tasks[task]?.mark;
  if (mark?.kind === "end") {
    return (
      <div className={styles.why}>
        <h3>Time at {model.taskName(task)} is at its end</h3>
        All its inputs have ended.
      </div>
    );
  }
  return (
    <div className={styles.why} data-testid="why-not-further">
      <h3>Why is time at {model.taskName(task)} not further?</h3>
      <ol>
        {chain.map((step) => {
          const input = step.input === undefined ? undefined : model.plan.edges[step.input];
          const reading = step.input === undefined ? undefined : frame.edges[step.input];
          if (input === undefined || reading === undefined) return null;
          const many = (model.into[step.task] ?? []).length > 1;
          return (
            <li key={step.task}>
              <b>{model.taskName(step.task)}</b> is at <b className="mono">{times.mark(step.mark)}</b>:{" "}
              <b>{model.inputName(input)}</b>{" "}
              {reading.mark === undefined ? (
                "has not spoken yet"
              ) : (
                <>
                  says <b className="mono">{times.mark(reading.mark)}</b>
                </>
              )}
              {many && ", the least of its inputs"}
              {reading.dataQueued > 0 && `; ${reading.dataQueued} of its batches wait in the ring`}
              {reading.held && ", held behind a barrier"}.
            </li>
          );
        })}
        {last !== undefined && <li>{endOfChain(shown, last.task)}</li>}
      </ol>
    </div>
  );
}

function endOfChain({ run, model, times }: ShownRun, task: number) {
  const reading = run.frame.tasks[task];
  const name = <b>{model.taskName(task)}</b>;
  if (!model.isSource(task)) return <>No input of {name} holds time back: all are idle or have ended.</>;
  if (reading?.mark === undefined) return <>The source {name} has said no time yet.</>;
  if (reading.mark.kind === "idle") return <>The source {name} is idle.</>;
  return (
    <>
      The source {name} has come to <b className="mono">{times.mark(reading.mark)}</b>
      {reading.state === "Sending" ? " and waits for room on a full edge" : ""}.
    </>
  );
}
