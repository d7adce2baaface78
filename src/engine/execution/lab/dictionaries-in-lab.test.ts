import * as arrow from "apache-arrow";
import { describe, expect, test } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { encodeUtf8 } from "../../data/text.ts";
import { MemoryFiles } from "../../formats/memory-files.ts";
import { batchRows } from "../../testing/batch-values.ts";
import { planned } from "../../testing/planned.ts";
import { Lab } from "./lab.ts";

type Word = string | null;
const FIELD = new arrow.Field("k", new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 7), true);

function recordBatch(codes: readonly (number | null)[], words: arrow.Vector<arrow.Utf8>): arrow.RecordBatch {
  const indices = arrow.vectorFromArray(codes, new arrow.Int32()).data[0] as arrow.Data<arrow.Int32>;
  const { length, nullCount, nullBitmap, values: data } = indices;
  const column = arrow.makeData({ type: FIELD.type, length, nullCount, nullBitmap, data, dictionary: words });
  const rows = arrow.makeData({ type: new arrow.Struct([FIELD]), length, children: [column] });
  return new arrow.RecordBatch(new arrow.Schema([FIELD]), rows);
}

const wordsOf = (...words: Word[]): arrow.Vector<arrow.Utf8> => arrow.vectorFromArray(words, new arrow.Utf8());

/** x, y of one dictionary; z, x of another one; of that with a delta, w, a NULL word and a NULL code. */
async function arrowStream(): Promise<Uint8Array> {
  const second = wordsOf("z", "x");
  const grown = new arrow.Vector([...second.data, ...wordsOf("w", null).data]);
  const writer = new arrow.RecordBatchStreamWriter();
  writer.write(recordBatch([0, 1], wordsOf("x", "y")));
  writer.write(recordBatch([0, 1], second));
  writer.write(recordBatch([2, 3, null], grown));
  writer.finish();
  return writer.toUint8Array();
}

const CSV_WORDS = Array.from({ length: 240 }, (_, i) => (i % 11 === 0 ? null : `w${(i * i) % (i < 120 ? 5 : 9)}`));
const csvFile = (): Uint8Array =>
  encodeUtf8(`k,n\n${CSV_WORDS.map((word, i) => (word === null ? `,${i}\n` : `${word},${i}\n`)).join("")}`);

function countsOf(words: readonly Word[]): [Word, number][] {
  const counts = new Map<Word, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => String(a).localeCompare(String(b)));
}

const FILES = [
  ["arrow", arrowStream, ["x", "y", "z", "x", "w", null, null]],
  ["csv", csvFile, CSV_WORDS],
] as const;

function document(format: string, parallelism: number): object {
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 5, edgeCapacity: 2, chaining: false },
    nodes: [
      {
        id: "file",
        kind: "source.file",
        config: { format, path: "in", schema: [{ name: "k", type: "utf8" }], extraFields: "ignore", batchRows: 20 },
      },
      { id: "slow", kind: "throttle", config: { delayMsPerBatch: 3 } },
      {
        id: "counts",
        kind: "aggregate",
        parallelism,
        config: { groupBy: ["k"], aggregates: [{ fn: "count", name: "n" }] },
      },
      { id: "table", kind: "sink.table", config: {} },
    ],
    edges: [
      { id: "a", from: "file", to: "slow", route: { kind: "forward" } },
      { id: "b", from: "slow", to: "counts", route: { kind: "shuffle", columns: ["k"] } },
      { id: "c", from: "counts", to: "table" },
    ],
  };
}

/** The last count of each word. */
function shown(lab: Lab): [Word, number][] {
  const last = new Map<Word, number>();
  for (const [word, count] of lab.rows(nodeId("table")).flatMap(batchRows)) {
    last.set(word as Word, Math.max(last.get(word as Word) ?? 0, Number(count)));
  }
  return [...last].sort(([a], [b]) => String(a).localeCompare(String(b)));
}

describe.each(FILES)("words of dictionaries from %s", (format, bytes, words) => {
  test.each([1, 4])(
    "P-42: are grouped by their text at parallelism %i, with barriers, and from any keyframe on",
    async (n) => {
      const files = new MemoryFiles({ in: await bytes() });
      const lab = await Lab.create(planned(document(format, n)).plan, { seed: 42, files, keyframeEvery: 25 });
      expect(await lab.run()).toEqual({ kind: "finished" });
      expect(shown(lab)).toEqual(countsOf(words));
      const moves = lab.moveCount;
      for (const share of [0.75, 0.5, 0.25]) {
        const step = Math.floor(share * moves);
        await lab.goTo(step);
        expect(await lab.run()).toEqual({ kind: "finished" });
        expect(shown(lab), `from move ${step}`).toEqual(countsOf(words));
      }
    },
  );
});
