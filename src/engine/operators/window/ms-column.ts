import type { Column } from "../../data/column.ts";
import { typeOf } from "../../data/types.ts";
import { highWord, lowWord } from "../../data/words.ts";

/** Whole milliseconds as timestamps. */
export function msColumn(values: Float64Array): Column {
  const words = new Int32Array(2 * values.length);
  let [known, low, high] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    // Bounds of windows: mostly that of the row before.
    if (value !== known) {
      known = value;
      low = lowWord(value);
      high = highWord(value);
    }
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
  const type = typeOf("timestamp[ms]");
  return { encoding: "fixed", type, length: values.length, nullCount: 0, validity: null, values: words };
}
