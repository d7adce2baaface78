import type { VarColumn } from "../data/column.ts";
import type { ExprType } from "./expr-type.ts";
import type { MakeKernel } from "./kernel.ts";
import type { Run } from "./run.ts";
import { CallRunner } from "./run-call.ts";
import { lastingWords } from "./store.ts";
import { Bytes, Doubles, type TextVec, type Vec, WORDS_PER_ROW, Words } from "./vec.ts";

/**
 * Computes a call once for each word of a dictionary instead of once a row, and remembers the results as long as batches bring the
 * same dictionary. The result of text is a dictionary again.
 */
export class WordRunner {
  private readonly make: MakeKernel;
  private readonly type: ExprType;
  private runner: CallRunner | null = null;
  private known: VarColumn | null = null;
  private result: Vec | null = null;
  /** By number of the word. */
  private errors = new Map<number, string>();
  private readonly bytes = new Bytes();
  private readonly nulls = new Bytes();
  private readonly words = new Words();
  private readonly doubles = new Doubles();

  constructor(make: MakeKernel, type: ExprType) {
    this.make = make;
    this.type = type;
  }

  /** `place` is that of the dictionary among the arguments; all others are constants. */
  run(args: readonly Vec[], place: number, run: Run): Vec {
    const rows = args[place] as TextVec;
    const codes = rows.codes as Int32Array;
    const words = rows.words as VarColumn;
    if (this.result === null || this.known !== words) this.result = this.ofWords(args, place, words);
    const result = this.spread(this.result, codes, run.rows);
    result.nulls = this.nullsOf(this.result.nulls, codes, rows.nulls, run.rows);
    if (this.errors.size > 0) this.report(codes, rows.nulls, run);
    return result;
  }

  private ofWords(args: readonly Vec[], place: number, words: VarColumn): Vec {
    this.runner ??= new CallRunner(this.make, true);
    this.errors = new Map();
    this.known = words;
    const errors = { add: (word: number, message: () => string) => this.errors.set(word, message()) };
    const { offsets, bytes, length } = words;
    const vec: TextVec = { kind: "text", offsets, bytes, codes: null, words: null, step: 1, nulls: null };
    const result = this.runner.run(
      args.map((arg, i) => (i === place ? vec : arg)),
      length,
      null,
      errors,
    );
    if (result.kind !== "text") return result;
    const type = this.type.kind === "binary" ? this.type : ({ kind: "utf8" } as const);
    const lasting = lastingWords(result.offsets, result.bytes, length, type);
    return { ...result, offsets: lasting.offsets, bytes: lasting.bytes, words: lasting };
  }

  private spread(result: Vec, codes: Int32Array, rows: number): Vec {
    switch (result.kind) {
      case "bool": {
        const values = this.bytes.take(rows);
        for (let i = 0; i < rows; i++) values[i] = result.values[codes[i] as number] as number;
        return { ...result, values };
      }
      case "double": {
        const values = this.doubles.take(rows);
        for (let i = 0; i < rows; i++) values[i] = result.values[codes[i] as number] as number;
        return { ...result, values };
      }
      case "text":
        return { ...result, codes };
      default: {
        const width = WORDS_PER_ROW[result.kind];
        const values = this.words.take(width * rows);
        for (let i = 0; i < rows; i++) {
          for (let word = 0; word < width; word++) {
            values[width * i + word] = result.values[width * (codes[i] as number) + word] as number;
          }
        }
        return { ...result, values };
      }
    }
  }

  private nullsOf(
    ofWords: Uint8Array | null,
    codes: Int32Array,
    ofRows: Uint8Array | null,
    rows: number,
  ): Uint8Array | null {
    if (ofWords === null) return ofRows;
    const nulls = this.nulls.take(rows);
    for (let i = 0; i < rows; i++)
      nulls[i] = (ofRows === null ? 0 : (ofRows[i] as number)) | (ofWords[codes[i] as number] as number);
    return nulls;
  }

  private report(codes: Int32Array, nulls: Uint8Array | null, run: Run): void {
    for (let i = 0; i < run.rows; i++) {
      const message = this.errors.get(codes[i] as number);
      if (message === undefined || nulls?.[i] === 1 || run.active?.[i] === 0) continue;
      run.errors.add(i, () => message);
    }
  }
}
