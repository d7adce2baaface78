import { timeMark } from "../../base/event-time.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import { KeyIndex } from "../../data/key-index.ts";
import type { Field, Schema } from "../../data/schema.ts";
import { grownWords, newWords } from "../../data/state-arrays.ts";
import { Aggregates } from "../aggregates/aggregates.ts";
import type { WindowConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { ownKeys } from "../part.ts";
import { schemaAt } from "../ports.ts";
import { Assignment } from "./assignment.ts";
import { Evictions } from "./evictions.ts";
import { BLOCK_BITS } from "./pane.ts";
import { Panes } from "./panes.ts";
import { Results } from "./results.ts";
import { Sessions } from "./sessions.ts";
import { isSliced, Slices } from "./slices.ts";
import { SlotOrder } from "./slot-order.ts";
import { Slots } from "./slots.ts";
import { addWindowState, forgetKeys, hasFewKeys, saveWindowState, sortKeys } from "./window-state.ts";
import type { Windows } from "./windows.ts";

/** Pairs of rows and windows that are worked on at once. */
const PART_PAIRS = 65_536;

/**
 * Aggregates by key and window (D-20 to D-29). Rows are judged by the combined watermark, never held back at the source. State: keys as
 * numbers, a slot for each key in each open window, dense accumulators by slot. Results go out ordered by (window_start, key) before the watermark
 * that fired them; END fires everything, a stopped run nothing (D-4).
 */
class Window implements Operator<Batch> {
  private readonly config: WindowConfig;
  private readonly context: StageContext;
  private readonly input: Schema;
  private readonly places: readonly number[];
  readonly keys: KeyIndex;
  readonly state: Aggregates;
  readonly slots: Slots;
  readonly order: SlotOrder;
  readonly windows: Windows;
  private readonly results: Results;
  private readonly evictions: Evictions;
  private readonly assignment = new Assignment();
  private ids = newWords(1);
  private times = new Float64Array(0);
  /** Combined time; stays −∞ where windows fire by processing time, so that no row is ever late. */
  private watermark = Number.NEGATIVE_INFINITY;
  /** Processing time: the combined time that was heard, and since when rows wait. */
  private heard = Number.NEGATIVE_INFINITY;
  private since: number | undefined = undefined;
  /** No window that waits for the clock ends before that. */
  private leastEnd = Number.POSITIVE_INFINITY;

  constructor(config: WindowConfig, context: StageContext) {
    const input = schemaAt(context.inputs, "in");
    this.config = config;
    this.context = context;
    this.input = input;
    this.places = config.groupBy.map((name) => input.indexOf(name));
    this.keys = new KeyIndex(this.places.map((place) => (input.fields[place] as Field).type));
    this.state = new Aggregates(config.aggregates, input);
    this.slots = new Slots(this.state, config.window.kind === "session" ? 0 : BLOCK_BITS);
    this.order = new SlotOrder(this.slots, this.keys);
    this.windows = this.makeWindows();
    const tells = config.late === "update";
    // A window that takes no rows once it has fired is told of once.
    const marks = tells || config.window.kind === "session";
    this.results = new Results(schemaAt(context.outputs, "out"), this.keys, this.slots, this.state, tells, marks);
    this.evictions = new Evictions(config.maxBufferedKeys, this.slots, this.windows, context);
  }

  private makeWindows(): Windows {
    const { window, late, allowedLatenessMs } = this.config;
    // Only corrections need a window that has fired (D-20).
    const keeps = late === "update";
    if (window.kind === "session") {
      return new Sessions(window.gapMs, keeps ? allowedLatenessMs : 0, this.slots, this.order, this.state);
    }
    const slide = window.kind === "sliding" ? window.slideMs : window.sizeMs;
    const grid = { size: window.sizeMs, slide, offset: window.offsetMs };
    const keepMs = keeps ? allowedLatenessMs : -1;
    if (!isSliced(grid)) return new Panes(grid, keepMs, this.slots, this.order);
    return new Slices(grid, keepMs, keeps || this.byClock, this.slots, this.order, this.state);
  }

  private get byClock(): boolean {
    return this.config.trigger !== "watermark";
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    const { rowCount } = batch;
    if (rowCount === 0) return;
    if (this.ids.length < rowCount) this.ids = grownWords(this.ids, rowCount);
    const columns = this.places.map((place) => batch.columns[place] as Column);
    this.keys.idsOf(columns, rowCount, this.ids);
    const { assignment, windows } = this;
    const rows = { ids: this.ids, keys: this.keys.size, times: this.timesOf(batch, output.nowMs) };
    const partRows = windows.single ? rowCount : Math.max(1, Math.floor(PART_PAIRS / windows.perRow));
    assignment.start(rowCount);
    this.evictions.startBatch(rowCount * windows.perRow);
    for (let from = 0; from < rowCount; from += partRows) {
      const to = Math.min(from + partRows, rowCount);
      assignment.startPart(windows.single ? rowCount : (to - from) * windows.perRow);
      windows.assign(rows, from, to, this.watermark, assignment);
      this.state.add(assignment.entries(batch, rows.times, windows.single));
      windows.settle();
      this.evictions.touched(assignment);
      if (this.byClock) this.hold(assignment.slots.subarray(0, assignment.count));
    }
    this.handleLate(batch, output);
    const evicted = this.evictions.endBatch(output.nowMs);
    this.emit(windows.corrections(this.watermark), output);
    // Where time stands still, nothing else gives back the keys of windows that were given up.
    if (evicted && !hasFewKeys(this.keys, this.slots.live)) forgetKeys(this, this.watermark);
    if (this.byClock && this.slots.live > 0) this.since ??= output.nowMs;
  }

  /** Event time by row; by the clock, a row without one happens now. */
  private timesOf(batch: Batch, nowMs: number): Float64Array {
    const { eventTimes, rowCount } = batch;
    if (eventTimes !== null && !this.byClock) return eventTimes;
    if (this.times.length < rowCount) this.times = new Float64Array(rowCount);
    const { times } = this;
    const missing = this.byClock ? Math.floor(nowMs) : Number.NaN;
    for (let row = 0; row < rowCount; row++) {
      const time = eventTimes === null ? Number.NaN : (eventTimes[row] as number);
      times[row] = Number.isNaN(time) ? missing : time;
    }
    return times;
  }

  private handleLate(batch: Batch, output: Output<Batch>): void {
    const { lateRows, lateCount } = this.assignment;
    if (lateCount === 0) return;
    this.context.count("late", lateCount);
    if (this.config.late !== "route") return;
    this.context.count("routed", lateCount);
    output.emit(takeBatch(batch, lateRows, 0, lateCount), "late");
  }

  private emit(slots: Int32Array, output: Output<Batch>): void {
    this.results.emit(slots, (batch) => output.emit(batch));
  }

  onTime(ms: number, output: Output<Batch>): void {
    if (this.byClock) {
      this.heard = ms;
      output.mark(timeMark(this.heldBack()));
      return;
    }
    this.watermark = ms;
    this.fire(ms, output);
    // A session is told when time is past its end, one later than its event time allows (D-28).
    if (this.config.window.kind === "session") output.mark(timeMark(ms - 1));
  }

  private hold(slots: Int32Array): void {
    for (const slot of slots) this.leastEnd = Math.min(this.leastEnd, this.slots.endOf(slot));
  }

  /** Windows that wait for the clock must not find their results late (D-29). */
  private heldBack(): number {
    return Math.min(this.heard, this.leastEnd - 1);
  }

  onTick(nowMs: number, output: Output<Batch>): void {
    const { trigger } = this.config;
    if (trigger === "watermark" || this.since === undefined || nowMs - this.since < trigger.everyMs) return;
    this.fire(Number.POSITIVE_INFINITY, output);
    this.since = undefined;
    this.leastEnd = Number.POSITIVE_INFINITY;
    if (Number.isFinite(this.heard)) output.mark(timeMark(this.heard));
  }

  onEnd(output: Output<Batch>): void {
    this.fire(Number.POSITIVE_INFINITY, output);
  }

  private fire(watermark: number, output: Output<Batch>): void {
    const before = this.slots.live;
    this.emit(this.windows.due(watermark), output);
    this.windows.expire(watermark);
    if (this.slots.live < before && !hasFewKeys(this.keys, before)) forgetKeys(this, this.watermark);
    else sortKeys(this, this.watermark);
  }

  snapshot(): SnapshotValue {
    const { watermark, heard, since } = this;
    return { ...saveWindowState(this), watermark, heard, since: since ?? null };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { watermark, heard, since, ...saved } = state as { readonly [key: string]: SnapshotValue };
    addWindowState(saved, this, watermark as number, ownKeys(part, this.input, this.places));
    if (part !== undefined) this.windows.standApart?.();
    // By the clock no time is late; what was heard is only said.
    this.watermark = part === undefined || this.byClock ? (watermark as number) : part.watermark;
    this.heard = part === undefined || !this.byClock ? (heard as number) : part.watermark;
    // Its clock begins anew with the run.
    if (since !== null) this.since = 0;
    this.hold(this.slots.all());
  }
}

export function window(config: WindowConfig, context: StageContext): Operator<Batch> {
  return new Window(config, context);
}
