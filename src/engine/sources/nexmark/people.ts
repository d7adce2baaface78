import type { Column, DictionaryColumn, VarColumn } from "../../data/column.ts";
import { TextBuilder } from "../../data/column-builder.ts";
import { typeOf } from "../../data/types.ts";
import type { NexmarkSourceConfig } from "../../operators/catalog.ts";
import { below, type Draws, instants, longs, plain } from "./draws.ts";
import type { Ids } from "./ids.ts";
import { cuts, fillLength, type Letters, textLength, wordsOf } from "./letters.ts";

/** Tables of random numbers; no two uses share a word. */
const NAME = 16;
const PLACE = 17;
const MAIL_LENGTHS = 18;
const MAIL = 19;
const CARD = 20;
const FILL = 21;

const STATES = ["AZ", "CA", "ID", "OR", "WA", "WY"];
const CITIES = [
  ...["Phoenix", "Los Angeles", "San Francisco", "Boise", "Portland"],
  ...["Bend", "Redmond", "Seattle", "Kent", "Cheyenne"],
];
const FIRST_NAMES = ["Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter"];
const LAST_NAMES = ["Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris"];
const NAMES = FIRST_NAMES.flatMap((first) => LAST_NAMES.map((last) => `${first} ${last}`));

const USER_LENGTH = 7;
const HOST_LENGTH = 5;
const MAIL_BYTES = "@.com".length;
const CARD_BYTES = "0000 0000 0000 0000".length;
/** id, and two letters of the state. */
const BYTES = 10;

const UTF8 = typeOf("utf8");

/** Makes columns of people by name. */
export class People {
  private readonly config: NexmarkSourceConfig;
  private readonly ids: Ids;
  private readonly pool: Letters;
  private readonly names = wordsOf(NAMES);
  private readonly cities = wordsOf(CITIES);
  private readonly states = wordsOf(STATES);

  constructor(config: NexmarkSourceConfig, ids: Ids, pool: Letters) {
    this.config = config;
    this.ids = ids;
    this.pool = pool;
  }

  column(name: string, draws: Draws): Column | undefined {
    switch (name) {
      case "id":
        return longs(this.ids.newPeople(draws.numbers));
      case "name":
        return oneOf(this.names, draws, NAME, 0);
      case "emailAddress":
        return this.mail(draws);
      case "creditCard":
        return cards(draws);
      case "city":
        return oneOf(this.cities, draws, NAME, 1);
      case "state":
        return oneOf(this.states, draws, PLACE, 0);
      case "dateTime":
        return instants(this.ids.timesOf(draws.numbers));
      case "extra":
        return this.extra(draws);
      default:
        return undefined;
    }
  }

  private extra(draws: Draws): VarColumn {
    const words = draws.words(PLACE);
    const average = this.config.avgPersonBytes;
    const lengths = new Int32Array(draws.count).map((_, i) =>
      fillLength(words[2 * i + 1] as number, bytesOf(draws, i), average),
    );
    return cuts(this.pool, lengths, draws.words(FILL), 0);
  }

  private mail(draws: Draws): VarColumn {
    const builder = new TextBuilder(UTF8, draws.count);
    const lengths = draws.words(MAIL_LENGTHS);
    const places = draws.words(MAIL);
    const cut = (word: number, length: number): string => {
      const from = below(word, this.pool.bytes.length - length);
      return String.fromCharCode(...this.pool.bytes.subarray(from, from + length));
    };
    for (let i = 0; i < draws.count; i++) {
      const user = cut(places[2 * i] as number, textLength(lengths[2 * i] as number, USER_LENGTH));
      const host = cut(places[2 * i + 1] as number, textLength(lengths[2 * i + 1] as number, HOST_LENGTH));
      builder.appendString(`${user}@${host}.com`);
    }
    return builder.finish();
  }
}

/** What a person has beside `extra`. */
function bytesOf(draws: Draws, i: number): number {
  const who = draws.words(NAME);
  const lengths = draws.words(MAIL_LENGTHS);
  const name = NAMES[below(who[2 * i] as number, NAMES.length)] as string;
  const city = CITIES[below(who[2 * i + 1] as number, CITIES.length)] as string;
  const user = textLength(lengths[2 * i] as number, USER_LENGTH);
  const host = textLength(lengths[2 * i + 1] as number, HOST_LENGTH);
  return BYTES + name.length + city.length + MAIL_BYTES + user + host + CARD_BYTES;
}

function oneOf(dictionary: VarColumn, draws: Draws, table: number, half: 0 | 1): DictionaryColumn {
  const words = draws.words(table);
  const codes = new Int32Array(draws.count);
  for (let i = 0; i < codes.length; i++) codes[i] = below(words[2 * i + half] as number, dictionary.length);
  return { encoding: "dictionary", type: UTF8, ...plain(codes.length), codes, dictionary };
}

/** Four times four digits. */
function cards(draws: Draws): VarColumn {
  const builder = new TextBuilder(UTF8, draws.count);
  const words = draws.words(CARD);
  const digits = (word: number): string => {
    const text = String(below(word, 100_000_000)).padStart(8, "0");
    return `${text.slice(0, 4)} ${text.slice(4)}`;
  };
  for (let i = 0; i < draws.count; i++) {
    builder.appendString(`${digits(words[2 * i] as number)} ${digits(words[2 * i + 1] as number)}`);
  }
  return builder.finish();
}
