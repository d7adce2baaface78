import type { RunFrame } from "../../engine-client/run-reader.ts";
import { holdingInput, type Said } from "../event-time.ts";
import type { RunModel } from "../run-model.ts";

/** What one input of a task, or the task itself, says about time. */
export interface TimeLine {
  readonly key: string;
  readonly name: string;
  readonly said: Said;
  /** How far along the times of the run this one is, 0 to 1; undefined where it says no time. */
  readonly part: number | undefined;
  /** Behind the furthest time of the task's inputs. */
  readonly behindMs: number | undefined;
  /** This input keeps the task's time back. */
  readonly holds: boolean;
  readonly ended: boolean;
}

export interface TaskTimes {
  readonly task: number;
  readonly name: string;
  readonly out: TimeLine;
  readonly inputs: readonly TimeLine[];
}

/** Times of the tasks, their bars against the least and the furthest time that is said anywhere in the run. */
export function taskTimes(model: RunModel, frame: RunFrame, tasks: readonly number[]): TaskTimes[] {
  const scale = scaleOf(frame);
  return tasks.map((task): TaskTimes => {
    const links = model.into[task] ?? [];
    const holding = holdingInput(model, frame, task);
    const furthest = Math.max(...links.map(({ id }) => msOf(frame.edges[id]?.mark) ?? Number.NEGATIVE_INFINITY));
    const inputs = links.map((link): TimeLine => {
      const reading = frame.edges[link.id];
      const said = reading?.mark;
      const ms = msOf(said);
      return {
        key: `in-${link.id}`,
        name: model.inputName(link),
        said,
        part: scale(ms),
        behindMs: ms === undefined || links.length < 2 ? undefined : furthest - ms,
        holds: links.length > 1 && holding === link.id,
        ended: reading?.ended === true,
      };
    });
    const mark = frame.tasks[task]?.mark;
    const out = {
      key: `out-${task}`,
      name: links.length === 0 ? "says" : "sends on",
      said: mark,
      part: scale(msOf(mark)),
      behindMs: undefined,
      holds: false,
      ended: false,
    };
    return { task, name: model.taskName(task), out, inputs };
  });
}

const msOf = (said: Said): number | undefined => (said?.kind === "time" ? said.ms : undefined);

function scaleOf(frame: RunFrame): (ms: number | undefined) => number | undefined {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { mark } of [...frame.tasks, ...frame.edges]) {
    if (mark?.kind !== "time") continue;
    least = Math.min(least, mark.ms);
    most = Math.max(most, mark.ms);
  }
  // The least of all would have no bar; and where all are one, each has a whole one.
  const room = (most - least) * 0.35;
  return (ms) => (ms === undefined ? undefined : most === least ? 1 : (ms - least + room) / (most - least + room));
}
