import { CounterRandom } from "../../base/counter-random.ts";
import type { Column, DictionaryColumn, VarColumn } from "../../data/column.ts";
import type { NexmarkSourceConfig } from "../../operators/catalog.ts";
import { type Draws, instants, longs, plain, pricesOf, TWO_32 } from "./draws.ts";
import type { Ids } from "./ids.ts";
import { cuts, fillLength, type Letters, wordsOf } from "./letters.ts";

/** Tables of random numbers; no two uses share a word. */
const WHOM = 0;
const WHAT = 1;
const FILL = 2;
const CHANNELS = 40;

const HOT_CHANNELS = ["Google", "Facebook", "Baidu", "Apple"];
const OTHER_CHANNELS = 10_000;
/** All but one of so many channels name themselves in their address. */
const NAMED_CHANNELS = 10;
/** auction, bidder, price, dateTime, eight bytes each. */
const BYTES = 32;

/** Makes columns of bids by name. */
export class Bids {
  private readonly config: NexmarkSourceConfig;
  private readonly ids: Ids;
  private readonly pool: Letters;
  private channels: ChannelWords | undefined = undefined;

  constructor(config: NexmarkSourceConfig, ids: Ids, pool: Letters) {
    this.config = config;
    this.ids = ids;
    this.pool = pool;
  }

  column(name: string, draws: Draws): Column | undefined {
    const { numbers, count } = draws;
    const { hotAuctionRatio, hotBiddersRatio } = this.config;
    switch (name) {
      case "auction":
        return longs(this.ids.someAuctions(numbers, draws.words(WHOM), 0, hotAuctionRatio));
      case "bidder":
        // The second of a hundred, so that hot bidders are no hot sellers.
        return longs(this.ids.somePeople(numbers, draws.words(WHOM), 1, hotBiddersRatio, 1));
      case "price":
        return longs(pricesOf(draws.words(WHAT), 0, count));
      case "channel":
        return this.channelColumn(draws, "names");
      case "url":
        return this.channelColumn(draws, "urls");
      case "dateTime":
        return instants(this.ids.timesOf(numbers));
      case "extra":
        return this.extra(draws);
      default:
        return undefined;
    }
  }

  private extra(draws: Draws): VarColumn {
    const words = draws.words(FILL);
    const lengths = new Int32Array(draws.count);
    const average = this.config.avgBidBytes;
    for (let i = 0; i < lengths.length; i++) lengths[i] = fillLength(words[2 * i] as number, BYTES, average);
    return cuts(this.pool, lengths, words, 1);
  }

  /** Channel and address belong together, so both columns have the same codes. */
  private channelColumn(draws: Draws, which: "names" | "urls"): DictionaryColumn {
    this.channels ??= channelWords(this.config.seed);
    const codes = draws.codes ?? this.channelCodes(draws);
    draws.codes = codes;
    const dictionary = this.channels[which];
    return { encoding: "dictionary", type: dictionary.type, ...plain(codes.length), codes, dictionary };
  }

  private channelCodes(draws: Draws): Int32Array {
    const what = draws.words(WHAT);
    const codes = new Int32Array(draws.count);
    const ratio = this.config.hotChannelsRatio;
    for (let i = 0; i < codes.length; i++) {
      const draw = ((what[2 * i + 1] as number) / TWO_32) * ratio;
      codes[i] =
        draw >= 1
          ? Math.floor((draw % 1) * HOT_CHANNELS.length)
          : HOT_CHANNELS.length + Math.floor(draw * OTHER_CHANNELS);
    }
    return codes;
  }
}

/** Names and addresses of all channels, by code. */
interface ChannelWords {
  readonly seed: number;
  readonly names: VarColumn;
  readonly urls: VarColumn;
}

/** Those of the last seed: they never change, and the subtasks of a host share them. */
let known: ChannelWords | undefined;

function channelWords(seed: number): ChannelWords {
  if (known?.seed !== seed) known = madeChannelWords(seed);
  return known;
}

function madeChannelWords(seed: number): ChannelWords {
  const random = new CounterRandom(seed, CHANNELS);
  const names = [...HOT_CHANNELS];
  for (let channel = 0; channel < OTHER_CHANNELS; channel++) names.push(`channel-${channel}`);
  const urls = names.map((_, code) => {
    const address = `https://www.nexmark.com/${folders(random, code)}/item.htm?query=1`;
    const channel = code - HOT_CHANNELS.length;
    if (channel < 0 || channel % NAMED_CHANNELS === 0) return address;
    return `${address}&channel_id=${Math.abs(reversed(channel))}`;
  });
  return Object.freeze({ seed, names: wordsOf(names), urls: wordsOf(urls) });
}

/** Three names of three or four letters. */
function folders(random: CounterRandom, code: number): string {
  const name = (folder: number): string => {
    let draw = random.uniformAt(3 * code + folder);
    const length = 3 + (draw < 0.5 ? 0 : 1);
    let text = "";
    for (let i = 0; i < length; i++) {
      draw = (draw * 26) % 1;
      text += String.fromCharCode(97 + Math.floor(draw * 26));
    }
    return text;
  };
  return [0, 1, 2].map(name).join("/");
}

/** The bits of a 32-bit integer in reverse. */
function reversed(value: number): number {
  let bits = 0;
  for (let i = 0; i < 32; i++) bits = (bits << 1) | ((value >>> i) & 1);
  return bits;
}
