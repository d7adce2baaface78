import { assert } from "../base/assert.ts";
import type { Output, Source } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import type { Schema } from "../data/schema.ts";
import { NEXMARK_STREAMS, type NexmarkSourceConfig, type NexmarkStream } from "../operators/catalog.ts";
import type { SourceContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { Auctions } from "./nexmark/auctions.ts";
import { Bids } from "./nexmark/bids.ts";
import { Draws, Tables } from "./nexmark/draws.ts";
import { EventNumbers } from "./nexmark/event-numbers.ts";
import { Ids } from "./nexmark/ids.ts";
import { letters } from "./nexmark/letters.ts";
import { People } from "./nexmark/people.ts";
import { NumberedSource } from "./numbered-source.ts";

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
 * The events of the Nexmark benchmark. Event n is a function of (seed, n), so any batch size gives the same events; a round of them (1 person,
 * 3 auctions, 46 bids) is made by one subtask.
 */
class NexmarkSource extends NumberedSource<EventNumbers> {
  private readonly tables: Tables;
  private readonly streams: readonly Stream[];

  constructor(config: NexmarkSourceConfig, context: SourceContext) {
    const proportions = {
      person: config.personProportion,
      auction: config.auctionProportion,
      bid: config.bidProportion,
    };
    const { subtask, parallelism } = context;
    const events = new EventNumbers(proportions, config.outOfOrderGroupSize, config.events, subtask, parallelism);
    const rowsPerSecond = config.rateLimited ? config.eventsPerSecond : 0;
    super(events, { rowsPerSecond, batchRows: config.batchRows, time: config.time }, context);
    this.tables = new Tables(config.seed);
    this.streams = streamsOf(config, new Ids(config, proportions), context);
  }

  protected override emit(output: Output<Batch>, from: number, to: number): void {
    const numbers = this.numbers.split(from, to);
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

export function nexmarkSource(config: NexmarkSourceConfig, context: SourceContext): Source<Batch> {
  return new NexmarkSource(config, context);
}
