import type { EdgeId, TaskId } from "../base/ids.ts";
import type { TaskEvent } from "../core/effects.ts";
import type { EdgeProbe } from "../core/probes.ts";
import type { TraceSink } from "../trace/trace-event.ts";
import type { EdgeReader } from "../transport/edge.ts";

/** Time as a runner sees it. `wallMs`: the run's clock, for what a person sees; `runMs`: the same without pauses, for what the data see (D-6). */
export interface Timekeeper {
  readonly wallMs: number;
  readonly runMs: number;
  /** Reads the clock anew. */
  refresh(): void;
}

/** The runner's surroundings; one object for all runners of a host, or of the lab. */
export interface RunnerHome {
  readonly time: Timekeeper;
  readonly trace: TraceSink;
  /** A pause after each message, chosen by a viewer; 0 for none. */
  readonly slowMotionMs: number;
  /** A source that waits for a later moment is polled at least this often, so that it can tick (F-25). */
  readonly longestWaitMs: number;
  /** Rows that left the run are not taken yet: tasks with a sink take no more input. */
  readonly congested: boolean;
  tell(event: TaskEvent): void;
  /** Claims the run's failure before the task's edges close, so that "input lost" never wins over its cause (D-16). */
  claimFailure(task: TaskId, inputLost: boolean): void;
  cpuMs(task: TaskId): number | null;
  /** Takes a copy of rows that somebody wants to see; the batch is borrowed. */
  sample?(edge: EdgeId, batch: { readonly rowCount: number }): void;
  /** The source's I/O settled: its task may move again. */
  wake(task: TaskId): void;
}

export interface RunnerInput<B> {
  readonly edge: EdgeId;
  readonly reader: EdgeReader<B>;
  readonly probe: EdgeProbe;
}

/** One thing that a task can do now. The lab lists them; a host's loop takes the first. */
export type TaskMove =
  | { readonly kind: "take"; readonly edge: EdgeId }
  | { readonly kind: "poll" }
  | { readonly kind: "control" }
  | { readonly kind: "send"; readonly edge: EdgeId }
  /** What was delayed goes on. */
  | { readonly kind: "continue" }
  /** An input closed without Eos. */
  | { readonly kind: "lose" };
