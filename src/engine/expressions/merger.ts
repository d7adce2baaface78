import type { VarColumn } from "../data/column.ts";
import { columnBuilder, type TextBuilder } from "../data/column-builder.ts";
import { UTF8 } from "./expr-type.ts";
import { putPicked } from "./masks.ts";
import { TextRoom } from "./text-room.ts";
import {
  Bytes,
  Doubles,
  isNullAt,
  nullVec,
  type TextVec,
  type Vec,
  type VecKind,
  WORDS_PER_ROW,
  Words,
  wordAt,
} from "./vec.ts";

/** Puts rows of several vectors of one kind together. */
export class Merger {
  private readonly kind: VecKind;
  private readonly nullRoom = new Bytes();
  private readonly bytes = new Bytes();
  private readonly words = new Words();
  private readonly doubles = new Doubles();
  private readonly text = new TextRoom();
  private dictionary: { readonly of: readonly (Vec | null)[]; readonly words: VarColumn } | null = null;

  constructor(kind: VecKind) {
    this.kind = kind;
  }

  /**
   * Row i is row i of `vecs[pick[i]]`. Rows outside of `active` have no pick and become NULL; a vector that no row picks may be
   * missing.
   */
  merge(vecs: readonly (Vec | null)[], pick: Int32Array, active: Uint8Array | null, rows: number): Vec {
    const given = vecs.filter((vec) => vec !== null);
    if (given.length === 0) return nullVec(this.kind);
    if (active !== null) for (let i = 0; i < rows; i++) if (active[i] === 0) pick[i] = vecs.indexOf(given[0] as Vec);
    if (given.length === 1) return given[0] as Vec;
    const merged = this.values(vecs, pick, rows);
    merged.nulls = this.nulls(vecs, pick, rows);
    return merged;
  }

  private nulls(vecs: readonly (Vec | null)[], pick: Int32Array, rows: number): Uint8Array | null {
    if (vecs.every((vec) => vec === null || vec.nulls === null)) return null;
    const out = this.nullRoom.zeros(rows);
    vecs.forEach((vec, k) => {
      if (vec !== null && vec.nulls !== null) putPicked(pick, k, vec.nulls, vec.step, 1, out, rows);
    });
    return out;
  }

  private values(vecs: readonly (Vec | null)[], pick: Int32Array, rows: number): Vec {
    switch (this.kind) {
      case "bool": {
        const values = this.bytes.take(rows);
        vecs.forEach((vec, k) => {
          if (vec?.kind === "bool") putPicked(pick, k, vec.values, vec.step, 1, values, rows);
        });
        return { kind: "bool", values, step: 1, nulls: null };
      }
      case "double": {
        const values = this.doubles.take(rows);
        vecs.forEach((vec, k) => {
          if (vec?.kind === "double") putPicked(pick, k, vec.values, vec.step, 1, values, rows);
        });
        return { kind: "double", values, step: 1, nulls: null };
      }
      case "text":
        return this.texts(vecs as readonly (TextVec | null)[], pick, rows);
      default:
        return this.wordValues(this.kind, vecs, pick, rows);
    }
  }

  private wordValues(
    kind: "int" | "long" | "decimal",
    vecs: readonly (Vec | null)[],
    pick: Int32Array,
    rows: number,
  ): Vec {
    const width = WORDS_PER_ROW[kind];
    const values = this.words.take(width * rows);
    vecs.forEach((vec, k) => {
      if (vec?.kind === kind) putPicked(pick, k, vec.values, vec.step, width, values, rows);
    });
    return { kind, values, step: 1, nulls: null };
  }

  private texts(vecs: readonly (TextVec | null)[], pick: Int32Array, rows: number): Vec {
    if (vecs.every((vec) => vec === null || vec.step === 0)) {
      const words = this.dictionaryOf(vecs);
      return { kind: "text", offsets: words.offsets, bytes: words.bytes, codes: pick, words, step: 1, nulls: null };
    }
    this.text.begin(rows);
    for (let i = 0; i < rows; i++) {
      const vec = vecs[pick[i] as number] as TextVec;
      if (!isNullAt(vec, i)) {
        const word = wordAt(vec, i);
        this.text.add(vec.bytes, vec.offsets[word] as number, vec.offsets[word + 1] as number);
      }
      this.text.close();
    }
    return this.text.finish();
  }

  /** Constants are words, and the picks their codes. The same dictionary as long as the same constants are there. */
  private dictionaryOf(vecs: readonly (TextVec | null)[]): VarColumn {
    const known = this.dictionary;
    if (known !== null && known.of.length === vecs.length && vecs.every((vec, k) => vec === known.of[k]))
      return known.words;
    const builder = columnBuilder(UTF8, vecs.length) as TextBuilder;
    for (const vec of vecs) {
      if (vec === null) builder.appendBytes(new Uint8Array(0));
      else builder.appendBytes(vec.bytes, vec.offsets[0], vec.offsets[1]);
    }
    const words = builder.finish();
    this.dictionary = { of: [...vecs], words };
    return words;
  }
}
