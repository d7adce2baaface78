import { assert } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import type { Schema } from "../data/schema.ts";
import { NEXMARK_STREAMS, type NexmarkSourceConfig, type NexmarkStream } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { EventTimeTracker } from "./event-time.ts";
import { Auctions } from "./nexmark/auctions.ts";
import { Bids } from "./nexmark/bids.ts";
import { Draws, Tables } from "./nexmark/draws.ts";
import { EventNumbers } from "./nexmark/event-numbers.ts";
import { Ids } from "./nexmark/ids.ts";
import { letters } from "./nexmark/letters.ts";
import { People } from "./nexmark/people.ts";
import { numberOf, recordOf } from "./position.ts";

/** In real time, events come in portions of about so long. */
const PORTION_MS = 10;
/** Tables of random numbers for letters. */
const LETTERS = 48;
const PROSE = 49;

/** Makes columns of one stream by name; `undefined` where it has none. */
interface ColumnMaker {
  column(name: string, draws: Draws): Column | undefined;
}

/** A stream that this source sends, and where. */
interface Stream {
  readonly name: NexmarkStream;
  readonly port: string;
  readonly schema: Schema;
  readonly maker: ColumnMaker;
}

/**
 * The events of the Nexmark benchmark. Event n is a function of (seed, n), so any parallelism and batch size gives the same events (E-4); a
 * round of them (1 person, 3 auctions, 46 bids) is made by one subtask. In real time, event n is due n / rate after the start, on the
 * run's clock; a source that was held up catches up.
 *
 * Position: how many events this subtask has made, over all streams, and the progress of event time.
 */
class NexmarkSource implements Source<Batch> {
  private readonly events: EventNumbers;
  private readonly tables: Tables;
  private readonly streams: readonly Stream[];
  private readonly tracker: EventTimeTracker;
  private readonly parallelism: number;
  private readonly batchEvents: number;
  /** 0: as fast as it goes. */
  private readonly msPerEvent: number;
  private readonly portion: number;
  private next: number;
  /** Run clock at which event 0 was due. */
  private startMs: number | undefined = undefined;

  constructor(config: NexmarkSourceConfig, context: SourceContext) {
    const { subtask, parallelism } = context;
    const proportions = {
      person: config.personProportion,
      auction: config.auctionProportion,
      bid: config.bidProportion,
    };
    this.events = new EventNumbers(proportions, config.outOfOrderGroupSize, config.events, subtask, parallelism);
    this.tables = new Tables(config.seed);
    this.streams = streamsOf(config, new Ids(config, proportions), context);
    this.parallelism = parallelism;
    this.batchEvents = config.batchRows;
    this.msPerEvent = config.rateLimited ? 1000 / config.eventsPerSecond : 0;
    const ownMs = this.msPerEvent * parallelism;
    this.portion = ownMs === 0 ? this.batchEvents : Math.min(this.batchEvents, Math.ceil(PORTION_MS / ownMs));
    const position = recordOf(context.position);
    if (context.position !== undefined && position["of"] !== parallelism) throw rescaled(position["of"], parallelism);
    this.next = numberOf(position["next"]);
    this.tracker = new EventTimeTracker({
      time: config.time,
      partitions: [subtask],
      restored: position["time"],
      note: (error) => context.note(error),
    });
  }

  open(output: Output<Batch>): void {
    this.tracker.open(output);
  }

  poll(output: Output<Batch>): PollResult {
    const left = this.events.own - this.next;
    if (left <= 0) return { kind: "done" };
    const due = this.dueEvents(output.nowMs, left);
    if (due > 0) {
      this.emit(output, due);
      return { kind: "again" };
    }
    const wakeAtMs = this.dueMs(Math.min(this.portion, left));
    return { kind: "idle", wakeAtMs: Math.min(wakeAtMs, this.tracker.quiet(output) ?? wakeAtMs) };
  }

  position(): SnapshotValue {
    return { next: this.next, of: this.parallelism, time: this.tracker.snapshot() };
  }

  /** How many events to send now: none before a whole portion is due, no more than a batch. */
  private dueEvents(nowMs: number, left: number): number {
    if (this.msPerEvent === 0) return Math.min(this.batchEvents, left);
    this.startMs ??= nowMs - this.events.allBefore(this.next) * this.msPerEvent;
    const portion = Math.min(this.portion, left);
    if (nowMs < this.dueMs(portion)) return 0;
    const passed = Math.floor((nowMs - this.startMs) / this.msPerEvent) + 1;
    const due = this.events.ownBelow(passed) - this.next;
    return Math.min(Math.max(due, portion), this.batchEvents, left);
  }

  /** When the last of the next `count` events is due. */
  private dueMs(count: number): number {
    return (this.startMs ?? 0) + this.events.numberOf(this.next + count - 1) * this.msPerEvent;
  }

  private emit(output: Output<Batch>, count: number): void {
    const numbers = this.events.split(this.next, this.next + count);
    this.next += count;
    const parts = this.streams.flatMap(({ name, port, schema, maker }) => {
      const draws = new Draws(numbers[name], this.tables);
      if (draws.count === 0) return [];
      const columns = schema.names.map((column): Column => {
        const made = maker.column(column, draws);
        assert(made !== undefined, `a ${name} has no ${column}`);
        return made;
      });
      return [{ port, batch: new Batch(schema, draws.count, columns) }];
    });
    this.tracker.sendTogether(output, parts);
  }
}

function streamsOf(config: NexmarkSourceConfig, ids: Ids, context: SourceContext): Stream[] {
  const pool = letters(config.seed, LETTERS, false);
  const makers: Readonly<Record<NexmarkStream, () => ColumnMaker>> = {
    person: () => new People(config, ids, pool),
    auction: () => new Auctions(config, ids, pool, letters(config.seed, PROSE, true)),
    bid: () => new Bids(config, ids, pool),
  };
  return NEXMARK_STREAMS.filter((name) => config.stream === "all" || config.stream === name).map((name) => {
    const port = config.stream === "all" ? name : "out";
    return { name, port, schema: schemaAt(context.outputs, port), maker: makers[name]() };
  });
}

function rescaled(before: SnapshotValue | undefined, now: number): WeirError {
  return new WeirError({
    code: "generator-rescaled",
    domain: "checkpoint",
    message: `the checkpoint was taken with ${JSON.stringify(before)} subtasks of the source, and there are ${now}`,
    hint: "restore it with the same parallelism",
  });
}

export function nexmarkSource(config: NexmarkSourceConfig, context: SourceContext): Source<Batch> {
  return new NexmarkSource(config, context);
}
