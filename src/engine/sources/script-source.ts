import { assertNever } from "../base/assert.ts";
import { IDLE, type TimeMark, timeMark } from "../base/event-time.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { rowsOf } from "../operators/catalog/row-cells.ts";
import type { ScriptSourceConfig, ScriptStep } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { batchOfCells } from "./cells.ts";
import { EventTimeTracker } from "./event-time.ts";
import { numberOf, recordOf } from "./position.ts";

/** A step made ready: rows as the batch that is sent. */
type Action =
  | { readonly kind: "rows"; readonly batch: Batch }
  | { readonly kind: "mark"; readonly mark: TimeMark }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "fail"; readonly text: string };

/** How often a source that is held open is asked: often enough for ticks (F-25). */
const HOLD_MS = 100;

/**
 * Sends exactly what its script says, one step a poll (D-52). A wait counts on the run's clock and is not idleness. After the last
 * step the source is drained, or with `hold` stays open until it is stopped. A subtask without a script says idle and ends.
 *
 * Position: the next step. A wait that had begun begins anew after a restore.
 */
class ScriptSource implements Source<Batch> {
  private readonly actions: readonly Action[] | undefined;
  private readonly hold: boolean;
  private next: number;
  private waitUntilMs: number | undefined = undefined;

  constructor(config: ScriptSourceConfig, context: SourceContext) {
    this.hold = config.hold;
    const steps = scriptOf(config, context.subtask);
    const tracker = new EventTimeTracker({ time: config.time, partitions: [0] });
    const schema = schemaAt(context.outputs, "out");
    this.actions = steps?.map((step): Action => {
      if (!("rows" in step)) return actionOf(step);
      return { kind: "rows", batch: tracker.stamp(batchOfCells(schema, rowsOf(schema, step.rows))) };
    });
    this.next = numberOf(recordOf(context.position)["next"]);
  }

  /** After a restore, what the steps before had said last: the edges are new and have not heard it. */
  open(output: Output<Batch>): void {
    if (this.actions === undefined) output.mark(IDLE);
    let idle = false;
    let time: TimeMark | undefined;
    for (const action of this.actions?.slice(0, this.next) ?? []) {
      if (action.kind === "mark" && action.mark.kind === "time") time = action.mark;
      if (action.kind === "mark" || action.kind === "rows")
        idle = action.kind === "mark" && action.mark.kind === "idle";
    }
    if (time !== undefined) output.mark(time);
    if (idle) output.mark(IDLE);
  }

  poll(output: Output<Batch>): PollResult {
    if (this.actions === undefined) return { kind: "done" };
    const action = this.actions[this.next];
    if (action === undefined) return this.hold ? { kind: "idle", wakeAtMs: output.nowMs + HOLD_MS } : { kind: "done" };
    switch (action.kind) {
      case "rows":
        output.emit(action.batch);
        break;
      case "mark":
        output.mark(action.mark);
        break;
      case "wait":
        this.waitUntilMs ??= output.nowMs + action.ms;
        if (output.nowMs < this.waitUntilMs) return { kind: "idle", wakeAtMs: this.waitUntilMs };
        this.waitUntilMs = undefined;
        break;
      case "fail":
        // F-63: the text is the run's result, as it stands.
        return { kind: "failed", error: { code: "script-failed", domain: "task", message: action.text } };
      default:
        assertNever(action);
    }
    this.next++;
    return { kind: "again" };
  }

  position(): SnapshotValue {
    return { next: this.next };
  }
}

function scriptOf(config: ScriptSourceConfig, subtask: number): readonly ScriptStep[] | undefined {
  if (config.scripts !== undefined) return config.scripts[subtask];
  return subtask === 0 ? (config.steps ?? []) : undefined;
}

function actionOf(step: Exclude<ScriptStep, { rows: unknown }>): Action {
  if ("watermark" in step) return { kind: "mark", mark: timeMark(step.watermark) };
  if ("wait" in step) return { kind: "wait", ms: step.wait };
  if ("fail" in step) return { kind: "fail", text: step.fail };
  return { kind: "mark", mark: IDLE };
}

export function scriptSource(config: ScriptSourceConfig, context: SourceContext): Source<Batch> {
  return new ScriptSource(config, context);
}
