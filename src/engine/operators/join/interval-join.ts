import { assert } from "../../base/assert.ts";
import { timeMark } from "../../base/event-time.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import { type Column, isNull } from "../../data/column.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import { KeyIndex } from "../../data/key-index.ts";
import type { Field, Schema } from "../../data/schema.ts";
import { grownWords, newWords } from "../../data/state-arrays.ts";
import type { IntervalJoinConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { ownRows } from "../part.ts";
import { schemaAt } from "../ports.ts";
import { BATCH_ROWS, JoinOutput, type SidePlan } from "./join-output.ts";
import { JoinSide, type SavedRows } from "./join-side.ts";
import { byTime } from "./time-runs.ts";

type SideName = "left" | "right";

/** Keys are forgotten when all but one of so many have no row any more, but not for a few: to go through all that there are takes its time. */
const DEAD_SHARE = 4;
const FEW_KEYS = 4096;
const NONE = new Int32Array(0);
const WARN_EVERY_MS = 10_000;

/** Rows that take part, `null` for all of them, and rows whose key is NULL. */
interface Sifted {
  readonly rows: Int32Array | null;
  readonly keyless: Int32Array;
}

const ALL_ROWS: Sifted = { rows: null, keyless: NONE };

/** One input with what is fixed about it. */
interface Input {
  readonly name: SideName;
  readonly rows: JoinSide;
  readonly places: readonly number[];
  /** Whether its rows go out without a partner. */
  readonly outer: boolean;
  /** A partner's time lies in [time + from, time + to]. */
  readonly from: number;
  readonly to: number;
  /** Rows older than the watermark by more than this leave: no partner comes any more. */
  readonly keepMs: number;
}

/**
 * Joins rows of equal keys whose times lie within bounds (D-29 to D-31). Matches go out at once; a row of an outer side that had none
 * goes out once, when the watermark has passed the last moment at which a partner could be. A row older than the watermark by more than the TTL is
 * late: its partners may be gone. NULL keys match nothing (D-23).
 */
class IntervalJoin implements Operator<Batch> {
  private readonly config: IntervalJoinConfig;
  private readonly context: StageContext;
  private readonly keys: KeyIndex;
  private readonly left: Input;
  private readonly right: Input;
  private readonly results: JoinOutput;
  private watermark = Number.NEGATIVE_INFINITY;
  /** By row of the batch: the number of its key, and whether it had a partner. */
  private ids = newWords(1);
  private met = new Uint8Array(0);
  private readonly found: number[] = [];
  /** Pairs that wait to go out, by numbers in the pools of left and right. */
  private readonly pairs = { left: new Int32Array(BATCH_ROWS), right: new Int32Array(BATCH_ROWS), count: 0 };
  private evicted = 0;
  private announcedMs = Number.NEGATIVE_INFINITY;

  constructor(config: IntervalJoinConfig, context: StageContext) {
    this.config = config;
    this.context = context;
    const { type, lowerMs, upperMs, ttlMs } = config;
    const left = schemaAt(context.inputs, "left");
    const right = schemaAt(context.inputs, "right");
    const leftPlaces = config.leftKey.map((name) => left.indexOf(name));
    const rightPlaces = config.rightKey.map((name) => right.indexOf(name));
    this.keys = new KeyIndex(typesAt(left, leftPlaces), typesAt(right, rightPlaces));
    this.left = {
      name: "left",
      rows: new JoinSide(left),
      places: leftPlaces,
      outer: type === "left" || type === "full",
      from: lowerMs,
      to: upperMs,
      keepMs: upperMs + ttlMs,
    };
    this.right = {
      name: "right",
      rows: new JoinSide(right),
      places: rightPlaces,
      outer: type === "right" || type === "full",
      from: -upperMs,
      to: -lowerMs,
      keepMs: ttlMs - lowerMs,
    };
    const out = schemaAt(context.outputs, "out");
    const hasKey = out.length > left.length + right.length;
    const plan = (input: Input, schema: Schema): SidePlan => ({
      pool: input.rows.pool,
      schema,
      textKey: hasKey ? input.places[0] : undefined,
    });
    this.results = new JoinOutput(out, plan(this.left, left), plan(this.right, right));
  }

  process(batch: Batch, port: string, output: Output<Batch>): void {
    const own = port === "left" ? this.left : this.right;
    const other = own === this.left ? this.right : this.left;
    const { rows, keyless } = this.sift(batch, own);
    if (keyless.length > 0 && own.outer) this.results.alone(own.name, takeBatch(batch, keyless), output);
    const kept = rows === null ? batch : takeBatch(batch, rows);
    if (kept.rowCount > 0) this.join(kept, own, other, output);
  }

  /** Late rows are counted. */
  private sift(batch: Batch, own: Input): Sifted {
    const { rowCount, eventTimes } = batch;
    const nullable = own.places.map((place) => batch.columns[place] as Column).filter(mayBeNull);
    const least = this.watermark - this.config.ttlMs;
    if (nullable.length === 0 && eventTimes !== null && isWithin(eventTimes, rowCount, least)) return ALL_ROWS;
    const rows = new Int32Array(rowCount);
    const keyless: number[] = [];
    let count = 0;
    for (let row = 0; eventTimes !== null && row < rowCount; row++) {
      if (!((eventTimes[row] as number) >= least)) continue;
      if (nullable.length > 0 && nullable.some((column) => isNull(column, row))) keyless.push(row);
      else rows[count++] = row;
    }
    const late = rowCount - count - keyless.length;
    if (late > 0) this.context.count("late", late);
    return { rows: count === rowCount ? null : rows.subarray(0, count), keyless: Int32Array.from(keyless) };
  }

  private join(batch: Batch, own: Input, other: Input, output: Output<Batch>): void {
    const { rowCount } = batch;
    if (this.met.length < rowCount) {
      this.ids = grownWords(this.ids, rowCount);
      this.met = new Uint8Array(rowCount);
    }
    const columns = own.places.map((place) => batch.columns[place] as Column);
    this.keys.idsOf(columns, rowCount, this.ids);
    own.rows.cover(this.keys.size);
    other.rows.cover(this.keys.size);
    const first = own.rows.add(batch);
    this.match(own, other, first, rowCount, output);
    const alone = this.keep(own, first, rowCount);
    this.flush(output);
    this.results.unmatched(own.name, alone, output);
    own.rows.forgetRows();
    this.announce(output.nowMs);
  }

  /** Looks for partners of the rows of a batch, which go out with them. */
  private match(own: Input, other: Input, first: number, rowCount: number, output: Output<Batch>): void {
    const { ids, met, found, pairs } = this;
    const { times } = own.rows;
    const { matched } = other.rows;
    const mine = pairs[own.name];
    const theirs = pairs[other.name];
    for (let i = 0; i < rowCount; i++) {
      const time = times[first + i] as number;
      const count = other.rows.find(ids[i] as number, time + own.from, time + own.to, found);
      met[i] = count > 0 ? 1 : 0;
      for (let f = 0; f < count; f++) {
        const row = found[f] as number;
        matched[row] = 1;
        mine[pairs.count] = first + i;
        theirs[pairs.count++] = row;
        if (pairs.count === BATCH_ROWS) this.flush(output);
      }
    }
  }

  /** The rows of a batch wait for partners from now on. Answers those that go out without one at once. */
  private keep(own: Input, first: number, rowCount: number): number[] {
    const { ids, met } = this;
    const { times } = own.rows;
    const least = this.watermark - own.keepMs;
    const alone: number[] = [];
    for (let i = 0; i < rowCount; i++) {
      const row = first + i;
      const key = ids[i] as number;
      // With bounds on one side only, its partners may all be before it.
      if ((times[row] as number) >= least) own.rows.insert(key, row, met[i] as number);
      else if (met[i] === 0 && own.outer) alone.push(row);
      if (own.rows.countOf(key) > this.config.maxPerKey) this.giveUp(own, own.rows.oldest(key), alone);
    }
    return alone;
  }

  private flush(output: Output<Batch>): void {
    const { left, right, count } = this.pairs;
    if (count === 0) return;
    this.pairs.count = 0;
    this.results.pairs(left.slice(0, count), right.slice(0, count), output);
  }

  /** Over `maxPerKey` the oldest goes; unmatched it goes out once, the only way in which that is early (D-30). */
  private giveUp(own: Input, row: number, alone: number[]): void {
    if (own.outer && own.rows.matched[row] === 0) alone.push(row);
    own.rows.remove(row);
    this.context.count("evicted");
    this.evicted++;
  }

  private announce(nowMs: number): void {
    if (this.evicted === 0 || nowMs - this.announcedMs < WARN_EVERY_MS) return;
    this.context.note({
      code: "rows-evicted",
      domain: "data",
      field: "maxPerKey",
      message: `${this.evicted} of the oldest rows were given up, because more than ${this.config.maxPerKey} of a key waited for partners`,
      hint: "raise maxPerKey, narrow the bounds, or let watermarks come sooner",
    });
    this.evicted = 0;
    this.announcedMs = nowMs;
  }

  onTime(ms: number, output: Output<Batch>): void {
    this.watermark = ms;
    this.leave(this.left, ms, output);
    this.leave(this.right, ms, output);
    this.forgetKeys();
    // What goes out unmatched has its own, older time (D-29, P-35), which may be one behind the watermark by the TTL.
    const held = [this.left, this.right].filter(({ outer }) => outer).map(({ keepMs }) => ms - keepMs);
    if (held.length > 0) output.mark(timeMark(Math.min(ms - this.config.ttlMs, ...held)));
  }

  onEnd(output: Output<Batch>): void {
    this.leave(this.left, Number.POSITIVE_INFINITY, output);
    this.leave(this.right, Number.POSITIVE_INFINITY, output);
  }

  /** Rows that no partner can come for any more (D-30). */
  private leave(own: Input, watermark: number, output: Output<Batch>): void {
    const { rows } = own;
    const alone = rows.removeBefore(watermark - own.keepMs, own.outer);
    const { times } = rows;
    alone.sort((a, b) => byTime(times, a, b));
    this.results.unmatched(own.name, alone, output);
    rows.forgetRows();
  }

  private forgetKeys(): void {
    const { keys, left, right } = this;
    const live = left.rows.live + right.rows.live;
    if (keys.size <= FEW_KEYS || keys.size <= DEAD_SHARE * live) return;
    if (live === 0) {
      keys.compact(NONE);
      return;
    }
    const numbers = new Int32Array(keys.size).fill(-1);
    const found: number[] = [];
    for (const { rows } of [left, right]) rows.numberKeys(numbers, found);
    for (const { rows } of [left, right]) rows.renumberKeys(numbers, found.length);
    keys.compact(Int32Array.from(found));
  }

  /** Keys are those of the rows. */
  snapshot(): SnapshotValue {
    const { left, right, watermark } = this;
    return { left: left.rows.save(), right: right.rows.save(), watermark };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { left, right, watermark } = state as { readonly [key: string]: SnapshotValue };
    assert(left !== undefined && right !== undefined, "a snapshot of a join");
    this.watermark = part?.watermark ?? (watermark as number);
    this.take(this.left, this.left.rows.saved(left), part);
    this.take(this.right, this.right.rows.saved(right), part);
  }

  /** Takes rows of an earlier run in that wait for partners. */
  private take(own: Input, { rows, matched }: SavedRows, part: Part<Batch> | undefined): void {
    const taken = ownRows(part, rows, own.name);
    const batch = takeBatch(rows, taken);
    const ids = new Int32Array(taken.length);
    const columns = own.places.map((place) => batch.columns[place] as Column);
    this.keys.idsOf(columns, taken.length, ids);
    for (const { rows: side } of [this.left, this.right]) side.cover(this.keys.size);
    const first = own.rows.add(batch);
    taken.forEach((row, i) => {
      own.rows.insert(ids[i] as number, first + i, matched[row] as number);
    });
  }
}

/** Whether no row is before `least`, or has no time. */
function isWithin(times: Float64Array, rowCount: number, least: number): boolean {
  for (let row = 0; row < rowCount; row++) if (!((times[row] as number) >= least)) return false;
  return true;
}

const mayBeNull = (column: Column): boolean =>
  column.nullCount > 0 || (column.encoding === "dictionary" && column.dictionary.nullCount > 0);

const typesAt = (schema: Schema, places: readonly number[]) =>
  places.map((place) => (schema.fields[place] as Field).type);

export function intervalJoin(config: IntervalJoinConfig, context: StageContext): Operator<Batch> {
  return new IntervalJoin(config, context);
}
