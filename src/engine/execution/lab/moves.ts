import { WeirError } from "../../base/errors.ts";
import { edgeId, type TaskId, taskId } from "../../base/ids.ts";
import type { TaskMove } from "../runner-home.ts";

/**
 * One step of the lab. What a task can do, what the coordinator can do, the clock, and what a person does to the run.
 * A run is its plan, its seed and its list of moves.
 */
export type Move =
  | ({ readonly by: "task"; readonly task: TaskId } & TaskMove)
  /** The coordinator takes the next event that the tasks told it. */
  | { readonly by: "coordinator"; readonly kind: "event" }
  /** The epoch that is being made durable is durable now. */
  | { readonly by: "coordinator"; readonly kind: "durable" }
  /** The clock goes to the next timer (D-50). */
  | { readonly by: "clock"; readonly kind: "advance" }
  | { readonly by: "person"; readonly kind: "barrier" | "stop" | "cancel" }
  /** A fault: the task is gone, with its worker. */
  | { readonly by: "person"; readonly kind: "kill"; readonly task: TaskId };

const TASK_CODES = { take: "e", poll: "p", control: "c", send: "s", continue: "g", lose: "l" } as const;
const KIND_OF = new Map(Object.entries(TASK_CODES).map(([kind, code]) => [code as string, kind as TaskMove["kind"]]));

/** Short text: `3e5` task 3 takes from edge 5, `0p` task 0 polls, `E` event, `D` durable, `A` advance, `!barrier`, `!kill:3`. */
export function moveText(move: Move): string {
  switch (move.by) {
    case "task":
      return `${move.task}${TASK_CODES[move.kind]}${"edge" in move ? move.edge : ""}`;
    case "coordinator":
      return move.kind === "event" ? "E" : "D";
    case "clock":
      return "A";
    case "person":
      return move.kind === "kill" ? `!kill:${move.task}` : `!${move.kind}`;
  }
}

/** @throws WeirError `bad-move` */
export function parseMove(text: string): Move {
  if (text === "E") return { by: "coordinator", kind: "event" };
  if (text === "D") return { by: "coordinator", kind: "durable" };
  if (text === "A") return { by: "clock", kind: "advance" };
  const person = /^!(barrier|stop|cancel)$/.exec(text)?.[1];
  if (person !== undefined) return { by: "person", kind: person as "barrier" | "stop" | "cancel" };
  const killed = /^!kill:(\d+)$/.exec(text)?.[1];
  if (killed !== undefined) return { by: "person", kind: "kill", task: taskId(Number(killed)) };
  const match = /^(\d+)([epcsgl])(\d*)$/.exec(text);
  const kind = match === null ? undefined : KIND_OF.get(match[2] as string);
  const needsEdge = kind === "take" || kind === "send";
  if (match === null || kind === undefined || needsEdge !== (match[3] !== "")) throw badMove(text);
  const task = taskId(Number(match[1]));
  return needsEdge ? { by: "task", task, kind, edge: edgeId(Number(match[3])) } : { by: "task", task, kind };
}

export function badMove(text: string, why = "is no move"): WeirError {
  return new WeirError({
    code: "bad-move",
    domain: "usage",
    message: `${JSON.stringify(text)} ${why}`,
    hint: "give a move list that this plan made",
  });
}
