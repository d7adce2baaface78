import { type RunOutcome, TASK_STATES, type TaskReading, type TaskState } from "../../../engine/index.ts";
import { stay } from "../quantities.ts";
import type { RunModel } from "../run-model.ts";

/** A stay this long is shown as it is; of shorter ones only their sum can be seen. */
const SHOWN_STAY_MS = 60;

export interface LaneText {
  readonly state: TaskState;
  readonly text: string;
  /** How long it has been so, or the part of the last moment that it was. */
  readonly measure: string;
}

/**
 * What a lane says of its task. A task that changes state faster than an eye follows would flicker: then the state that took most
 * of the last moment is told, with its part of it.
 */
export function laneText(model: RunModel, reading: TaskReading, shares: Readonly<Record<TaskState, number>>): LaneText {
  const { state, forMs } = reading;
  const rests = state === "Done" || state === "Failed";
  if (rests || forMs >= SHOWN_STAY_MS) {
    return { state, text: stateText(model, reading), measure: rests ? "" : stay(forMs) };
  }
  const most = TASK_STATES.reduce((best, each) => (shares[each] > shares[best] ? each : best), state);
  if (shares[most] === 0) return { state, text: stateText(model, reading), measure: stay(forMs) };
  const text = most === state ? stateText(model, reading) : most;
  return { state: most, text, measure: `${Math.round(shares[most] * 100)} %` };
}

/**
 * What a lane says once the run is over, where that is not the task's own state: a task whose worker died says to the end what it did
 * last, and one that was broken off is done as one that has read everything is.
 */
export function overText(outcome: RunOutcome | undefined, { state, mark }: TaskReading): LaneText | undefined {
  if (outcome === undefined || state === "Failed") return undefined;
  if (state !== "Done") return { state: "Failed", text: "Gone", measure: `in ${state}` };
  const broken = outcome.kind === "cancelled" || outcome.kind === "failed";
  return broken && mark?.kind !== "end" ? { state, text: "Cut off", measure: "" } : undefined;
}

/** `Sending → slow filter`, `Barrier 12`, else the state's name. */
function stateText(model: RunModel, { state, target, pendingEpoch }: TaskReading): string {
  const to = target === undefined ? undefined : model.plan.edges[target]?.to.task;
  if (state === "Sending" && to !== undefined) return `Sending → ${model.taskName(to)}`;
  if (state === "Barrier" && pendingEpoch !== undefined) return `Barrier ${pendingEpoch}`;
  return state;
}

const FILLS: readonly (readonly [TaskState, string])[] = [
  ["Receiving", "receiving"],
  ["Polling", "polling"],
  ["Working", "working"],
  ["Barrier", "barrier"],
  ["Sending", "sending"],
  ["CommitWait", "commit"],
  ["Starting", "starting"],
];

/** Where time went, as a background: stripes side by side, each as wide as its state's share. */
export function shareStripes(shares: Readonly<Record<TaskState, number>>): string {
  let at = 0;
  const stripes = FILLS.flatMap(([state, token]) => {
    const from = at;
    at += shares[state] * 100;
    return shares[state] === 0 ? [] : [`var(--fill-${token}) ${from.toFixed(0)}% ${at.toFixed(0)}%`];
  });
  return stripes.length === 0 ? "none" : `linear-gradient(90deg, ${stripes.join(", ")}, transparent ${at.toFixed(0)}%)`;
}
