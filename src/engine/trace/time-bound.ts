import type { EdgeId, TaskId } from "../base/ids.ts";
import type { MessageTrace } from "./trace-event.ts";

interface Entry {
  kind: "time" | "idle" | "end";
  ms: number;
}

/**
 * How far a task may say that time has come, from what its inputs said: written down anew from F-16 to F-23 and D-3, and on purpose not with the
 * table that the engine uses.
 */
export class TimeBound {
  private readonly inputs: ReadonlyMap<EdgeId, Map<TaskId, Entry>>;
  private readonly silent: Set<EdgeId>;
  /** The greatest time that the inputs ever allowed. */
  ms = Number.NEGATIVE_INFINITY;

  constructor(inputs: readonly EdgeId[]) {
    this.inputs = new Map(inputs.map((edge) => [edge, new Map()]));
    this.silent = new Set(inputs);
  }

  hear(edge: EdgeId, { message, source, mark }: MessageTrace): void {
    if (message !== "watermark" && message !== "eos") return;
    this.silent.delete(edge);
    const entries = this.inputs.get(edge);
    if (source !== undefined && mark !== undefined && entries !== undefined) {
      const before = entries.get(source)?.ms ?? Number.NEGATIVE_INFINITY;
      entries.set(source, { kind: mark.kind, ms: mark.kind === "time" ? mark.ms : before });
    }
    if (this.silent.size > 0) return;
    const active = this.of("time");
    const allowed = active.length > 0 ? Math.min(...active) : Math.max(...this.of("idle"));
    this.ms = Math.max(this.ms, allowed);
  }

  /** Whether somebody still holds time: then the task is not idle. */
  get isHeld(): boolean {
    return this.silent.size > 0 || this.of("time").length > 0;
  }

  /** Whether every input said the end of time. */
  get isEnd(): boolean {
    return [...this.inputs.values()].every(
      (entries) => entries.size > 0 && [...entries.values()].every((entry) => entry.kind === "end"),
    );
  }

  private of(kind: Entry["kind"]): number[] {
    return [...this.inputs.values()].flatMap((entries) =>
      [...entries.values()].filter((entry) => entry.kind === kind).map((entry) => entry.ms),
    );
  }
}
