import type { Column } from "../../data/column.ts";
import { typeOf } from "../../data/types.ts";
import { highWord, lowWord } from "../../data/words.ts";

/** Whole milliseconds as timestamps. */
export function msColumn(values: Float64Array): Column {
  const words = new Int32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) {
    words[2 * i] = lowWord(values[i] as number);
    words[2 * i + 1] = highWord(values[i] as number);
  }
  const type = typeOf("timestamp[ms]");
  return { encoding: "fixed", type, length: values.length, nullCount: 0, validity: null, values: words };
}
