/** What a task can be doing, told by shape, word and colour alike: on the canvas, in the timeline, in tables and lessons. */
export type TaskStateName =
  | "Starting"
  | "Polling"
  | "Receiving"
  | "Working"
  | "Sending"
  | "Barrier"
  | "CommitWait"
  | "Done"
  | "Failed";

export interface TaskStateLook {
  readonly name: TaskStateName;
  /** Colour of text and glyphs. */
  readonly ink: string;
  /** Colour of areas. */
  readonly fill: string;
  /** One clause for tooltips and legends. */
  readonly meaning: string;
}

const look = (name: TaskStateName, token: string, meaning: string): TaskStateLook => ({
  name,
  ink: `var(--state-${token})`,
  fill: `var(--fill-${token})`,
  meaning,
});

export const TASK_STATES: Readonly<Record<TaskStateName, TaskStateLook>> = {
  Starting: look("Starting", "starting", "building, or waiting for the others to be built"),
  Polling: look("Polling", "polling", "a source, asking for more rows"),
  Receiving: look("Receiving", "receiving", "waiting for input"),
  Working: look("Working", "working", "computing"),
  Sending: look("Sending", "sending", "waiting for room on a full edge"),
  Barrier: look("Barrier", "barrier", "aligning: waiting for the barrier on other inputs"),
  CommitWait: look("CommitWait", "commit", "finished, waiting for the last epoch to commit"),
  Done: look("Done", "done", "finished"),
  Failed: look("Failed", "failed", "failed"),
};
