import type { EdgeId, RunCommand, StartAnswer } from "../engine/index.ts";

/** A run that the coordinator's worker serves to its page, on threads or in the lab. */
export interface RunService {
  readonly answer: StartAnswer;
  readonly over: boolean;
  command(command: RunCommand): void;
  setSlowMotion(ms: number): void;
  sample(edge: EdgeId): void;
  killHost(host: number): void;
  /** Ends the run at once and settles when nothing of it is left. */
  discard(): Promise<void>;
}
