import type { Column, VarColumn } from "../../data/column.ts";
import type { NexmarkSourceConfig } from "../../operators/catalog.ts";
import { below, type Draws, instants, longs, pricesOf } from "./draws.ts";
import type { Ids } from "./ids.ts";
import { cuts, fillLength, type Letters, textLength } from "./letters.ts";

/** Tables of random numbers; no two uses share a word. */
const WHO = 8;
const PRICES = 9;
const LENGTHS = 10;
const NAME = 11;
const TEXT = 12;
const FILL = 13;

const FIRST_CATEGORY = 10;
const CATEGORIES = 5;
const NAME_LENGTH = 20;
const TEXT_LENGTH = 100;
/** id, initialBid, reserve, dateTime, expires, seller, eight bytes each. */
const BYTES = 48;

/** Makes columns of auctions by name. */
export class Auctions {
  private readonly config: NexmarkSourceConfig;
  private readonly ids: Ids;
  private readonly pool: Letters;
  private readonly prose: Letters;

  constructor(config: NexmarkSourceConfig, ids: Ids, pool: Letters, prose: Letters) {
    this.config = config;
    this.ids = ids;
    this.pool = pool;
    this.prose = prose;
  }

  column(name: string, draws: Draws): Column | undefined {
    const { ids } = this;
    const { numbers, count } = draws;
    switch (name) {
      case "id":
        return longs(ids.newAuctions(numbers));
      case "itemName":
        return cuts(this.prose, lengthsOf(draws, NAME, NAME_LENGTH), draws.words(NAME), 1, true);
      case "description":
        return cuts(this.prose, lengthsOf(draws, TEXT, TEXT_LENGTH), draws.words(TEXT), 1, true);
      case "initialBid":
        return longs(pricesOf(draws.words(PRICES), 0, count));
      case "reserve": {
        const more = pricesOf(draws.words(PRICES), 1, count);
        return longs(pricesOf(draws.words(PRICES), 0, count).map((price, i) => price + (more[i] as number)));
      }
      case "dateTime":
        return instants(ids.timesOf(numbers));
      case "expires":
        return instants(ids.expiries(numbers, draws.words(LENGTHS), 0));
      case "seller":
        return longs(ids.somePeople(numbers, draws.words(WHO), 0, this.config.hotSellersRatio, 0));
      case "category": {
        const words = draws.words(WHO);
        return longs(numbers.map((_, i) => FIRST_CATEGORY + below(words[2 * i + 1] as number, CATEGORIES)));
      }
      case "extra":
        return this.extra(draws);
      default:
        return undefined;
    }
  }

  private extra(draws: Draws): VarColumn {
    const names = lengthsOf(draws, NAME, NAME_LENGTH);
    const texts = lengthsOf(draws, TEXT, TEXT_LENGTH);
    const words = draws.words(LENGTHS);
    const lengths = names.map((name, i) => {
      const others = BYTES + name + (texts[i] as number);
      return fillLength(words[2 * i + 1] as number, others, this.config.avgAuctionBytes);
    });
    return cuts(this.pool, lengths, draws.words(FILL), 0);
  }
}

/** Lengths of texts of up to `most` characters, by the first words of a table. */
function lengthsOf(draws: Draws, table: number, most: number): Int32Array {
  const words = draws.words(table);
  const lengths = new Int32Array(draws.count);
  for (let i = 0; i < lengths.length; i++) lengths[i] = textLength(words[2 * i] as number, most);
  return lengths;
}
