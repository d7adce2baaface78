import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Source } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import { Schema } from "../data/schema.ts";
import { encodeUtf8 } from "../data/text.ts";
import { cloneGraph } from "../execution/lab/clone.ts";
import { ArrowEncoder } from "../formats/arrow-writer.ts";
import { MemoryFiles } from "../formats/memory-files.ts";
import { ParquetEncoder } from "../formats/parquet-writer.ts";
import { fileSourceSchema, fileSource as spec } from "../operators/catalog/source-file.ts";
import { BAD_ROW_SCHEMA, type FileSourceConfig, schemaOf } from "../operators/catalog.ts";
import { type Act, batch, context, type RecordingContext, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { fileSource } from "./file-source.ts";

const SCHEMA = [
  { name: "id", type: "int64", nullable: false },
  { name: "ts", type: "int64" },
];
const config = (more: object): FileSourceConfig =>
  spec.config.parse({ format: "csv", path: "in.csv", schema: SCHEMA, ...more }) as FileSourceConfig;

interface Built {
  readonly source: Source<Batch>;
  readonly home: RecordingContext;
}

async function build(
  of: FileSourceConfig,
  content: string | Uint8Array,
  options: { subtask?: number; parallelism?: number; position?: SnapshotValue | undefined } = {},
): Promise<Built> {
  const out = fileSourceSchema(of, schemaOf(of.schema ?? []));
  const home = {
    ...context({ ...options, outputs: { out, bad: BAD_ROW_SCHEMA } }),
    files: new MemoryFiles({ [of.path]: typeof content === "string" ? encodeUtf8(content) : content }),
  };
  return { source: await fileSource(of, home), home };
}

interface Drained {
  readonly acts: Act[];
  /** Ids of the rows at `out`. */
  readonly ids: number[];
  readonly result: string;
  readonly error: unknown;
  /** Kinds of poll results, in order. */
  readonly polls: string[];
  readonly positions: SnapshotValue[];
}

/** Polls to the end, or as long as `more` says. */
async function drain(source: Source<Batch>, more: (emitted: number) => boolean = () => true): Promise<Drained> {
  const output = new RecordingOutput();
  source.open?.(output);
  const polls: string[] = [];
  const positions: SnapshotValue[] = [];
  let error: unknown;
  while (more(output.batches.length)) {
    const result = source.poll(output);
    polls.push(result.kind);
    positions.push(source.position());
    if (result.kind === "pending") await result.ready;
    if (result.kind === "failed") error = result.error;
    if (result.kind === "done" || result.kind === "failed") break;
  }
  const acts = output.take();
  const ids = acts.flatMap((act) =>
    "rows" in act && act.port === undefined ? act.rows.map(([id]) => Number(id)) : [],
  );
  return { acts, ids, result: polls.at(-1) ?? "", error, polls, positions };
}

const csv = (rows: number): string => `id,ts\n${Array.from({ length: rows }, (_, i) => `${i},${i * 10}\n`).join("")}`;
const ndjson = (rows: number): string =>
  Array.from({ length: rows }, (_, i) => `{"id":${i},"ts":${i * 10}}\n`).join("");
const arrow = (rows: number): Uint8Array => {
  const of = schema("id int64 not null, ts int64");
  const encoder = new ArrowEncoder(of, "file");
  const all = Array.from({ length: rows }, (_, i) => [i, i * 10]);
  const pieces = [encoder.start()];
  for (const some of [all.slice(0, 10), all.slice(10)]) pieces.push(encoder.encode(batch(of, some)));
  return new Uint8Array(Buffer.concat([...pieces, encoder.end()]));
};
const parquet = (rows: number): Uint8Array => {
  const of = schema("id int64 not null, ts int64");
  const encoder = new ParquetEncoder(of, { compression: "snappy", rowGroupRows: 10 });
  const all = Array.from({ length: rows }, (_, i) => [i, i * 10]);
  const pieces = [encoder.start(), encoder.encode(batch(of, all)), encoder.end()];
  return new Uint8Array(Buffer.concat(pieces));
};
const FORMATS = [
  ["csv", csv],
  ["ndjson", ndjson],
  ["arrow", arrow],
  ["parquet", parquet],
] as const;
const count = (to: number, from = 0): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe.each(FORMATS)("source.file, %s", (format, make) => {
  it("P-18: a position is that of the last row sent, not of the block read, and a restore goes on behind it", async () => {
    const of = config({ format, batchRows: 4 });
    const first = await build(of, make(21));
    const before = await drain(first.source, (emitted) => emitted < 1);
    expect(before.ids).toEqual(count(4));
    const position = first.source.position();
    expect(position).toMatchObject({ records: 4 });
    const second = await build(of, make(21), { position });
    const after = await drain(second.source);
    expect(after.ids).toEqual(count(21, 4));
    expect(after.result).toBe("done");
    expect(second.source.position()).toMatchObject({ records: 21 });
  });

  it("P-18: from every position that it ever had, the rows behind it come once", async () => {
    const of = config({ format, batchRows: 4 });
    const { positions, ids } = await drain((await build(of, make(21))).source);
    for (const position of positions) {
      const { records } = position as { records: number };
      const rest = await drain((await build(of, make(21), { position })).source);
      expect([...ids.slice(0, records), ...rest.ids]).toEqual(ids);
    }
  });

  it("D-50: it waits once for every block and polls the same way every time", async () => {
    const of = config({ format, batchRows: 4 });
    const one = await drain((await build(of, make(21))).source);
    const two = await drain((await build(of, make(21))).source);
    expect(one.polls).toEqual(two.polls);
    expect(one.polls.filter((kind) => kind === "pending").length).toBeGreaterThan(0);
    expect(one.result).toBe("done");
  });

  it("D-50: a copy of it, as a keyframe of the lab makes one, goes on by itself, and so does the original", async () => {
    const of = config({ format, batchRows: 4, time: { column: "ts" } });
    const whole = await drain((await build(of, make(21))).source);
    for (let stop = 0; stop <= whole.polls.length; stop++) {
      const { source } = await build(of, make(21));
      let polls = 0;
      const before = await drain(source, () => polls++ < stop);
      const copies = [source, cloneGraph(source, [Batch, Schema]), cloneGraph(source, [Batch, Schema])];
      const rests = [];
      // Turn by turn, so that none can lean on what another one read.
      for (const copy of copies) rests.push(await drain(copy, (emitted) => emitted < 1));
      for (const [i, copy] of copies.entries()) {
        const { ids } = await drain(copy);
        expect([...before.ids, ...(rests[i]?.ids ?? []), ...ids], `copy ${i} after ${stop} polls`).toEqual(whole.ids);
      }
      const again = cloneGraph(copies[1] as Source<Batch>, [Batch, Schema]);
      expect(again.position()).toEqual(copies[1]?.position());
    }
  });

  it("P-27: a last batch that is not full is sent", async () => {
    for (const rows of [0, 1, 6, 7]) {
      const { ids, result } = await drain((await build(config({ format, batchRows: 3 }), make(rows))).source);
      expect(ids).toEqual(count(rows));
      expect(result).toBe("done");
    }
  });

  it("D-6, E-4: with several subtasks one reads the file, and the others are idle and done", async () => {
    const of = config({ format, time: { column: "ts" } });
    const owner = await drain((await build(of, make(5), { subtask: 0, parallelism: 3 })).source);
    expect(owner.ids).toEqual(count(5));
    for (const subtask of [1, 2]) {
      const { source } = await build(of, make(5), { subtask, parallelism: 3 });
      const other = await drain(source);
      expect(other).toMatchObject({ acts: [{ mark: "idle" }], polls: ["done"] });
      expect(source.position()).toBeNull();
    }
  });

  it("D-29: rows carry their event time, and the watermark follows them and goes on behind a restore", async () => {
    const of = config({ format, batchRows: 4, time: { column: "ts", watermark: { kind: "bounded", delayMs: 5 } } });
    const first = await build(of, make(10));
    const { acts } = await drain(first.source, (emitted) => emitted < 2);
    expect(acts.map((act) => ("mark" in act ? act.mark : "rows"))).toEqual(["rows", 25, "rows", 65]);
    const rest = await drain((await build(of, make(10), { position: first.source.position() })).source);
    expect(rest.acts.map((act) => ("mark" in act ? act.mark : "rows"))).toEqual([65, "rows", 85]);
  });

  it("a file that is not there fails the start, naming the file and the node", async () => {
    const of = config({ format });
    const home = { ...context(), files: new MemoryFiles() };
    await expect(fileSource(of, home)).rejects.toMatchObject({ data: { code: "file-not-found", file: "in.csv" } });
  });
});

describe("bad rows (D-41, E-10)", () => {
  const text = "id,ts\n1,10\nx,20\n3\n4,40\n,50\n6,60\n";

  it("dropped: counted, and noted with their place", async () => {
    const { source, home } = await build(config({}), text);
    const { ids, result } = await drain(source);
    expect([ids, result]).toEqual([[1, 4, 6], "done"]);
    expect(home.counts.get("bad")).toBe(3);
    expect(home.notes).toEqual([
      { code: "bad-row", domain: "data", file: "in.csv", row: 2, line: 3, field: "id", message: '"x" is no int64' },
      { code: "bad-row", domain: "data", file: "in.csv", row: 3, line: 4, message: "1 field where 2 are expected" },
      {
        code: "bad-row",
        domain: "data",
        file: "in.csv",
        row: 5,
        line: 6,
        field: "id",
        message: "NULL in a column that is not null",
      },
    ]);
  });

  it("more than a few are told once, by column, at the end", async () => {
    const many = `id,ts\n${count(100)
      .map((i) => (i % 2 === 0 ? `${i},${i}\n` : i % 3 === 0 ? "?,?\n" : "1\n"))
      .join("")}`;
    const { source, home } = await build(config({}), many);
    await drain(source);
    expect(home.counts.get("bad")).toBe(50);
    expect(home.notes).toHaveLength(6);
    expect(home.notes.at(-1)).toMatchObject({
      code: "bad-rows",
      message: "50 of 100 rows do not fit: broken 33, id 17, ts 17",
    });
  });

  it("routed: their text and the reason go to the port bad", async () => {
    const { source, home } = await build(config({ badRows: "route" }), text);
    const { acts, ids } = await drain(source);
    expect(ids).toEqual([1, 4, 6]);
    expect(acts.filter((act) => "port" in act)).toEqual([
      {
        port: "bad",
        rows: [
          ["in.csv", 3n, "x,20", "id", '"x" is no int64'],
          ["in.csv", 4n, "3", null, "1 field where 2 are expected"],
          ["in.csv", 6n, ",50", "id", "NULL in a column that is not null"],
        ],
      },
    ]);
    expect(home.counts.get("routed")).toBe(3);
  });

  it("rescued: in their place, all columns NULL, with their text", async () => {
    const { source } = await build(config({ badRows: "rescue" }), text);
    const { acts } = await drain(source);
    expect(acts.filter((act) => "rows" in act)).toEqual([
      {
        rows: [
          [1n, 10n, null],
          [null, null, "x,20"],
          [null, null, "3"],
          [4n, 40n, null],
          [null, null, ",50"],
          [6n, 60n, null],
        ],
      },
    ]);
  });

  it("fail: the first one ends the run, with file, row, line and column", async () => {
    const { source } = await build(config({ badRows: "fail" }), text);
    const { result, error } = await drain(source);
    expect(result).toBe("failed");
    expect(error).toEqual({
      code: "bad-row",
      domain: "data",
      file: "in.csv",
      row: 2,
      line: 3,
      field: "id",
      message: '"x" is no int64',
      hint: "correct the row or the schema, or drop or route bad rows (badRows)",
    });
  });

  it("P-18: a position in one file is none in another: one that begins in another way is refused, one that has grown is read on", async () => {
    const of = config({ batchRows: 4 });
    const { source } = await build(of, csv(10));
    await drain(source, (emitted) => emitted < 1);
    const position = source.position();
    const grown = await drain((await build(of, csv(21), { position })).source);
    expect(grown.ids).toEqual(count(21, 4));
    const other = csv(21).replace("\n1,10", "\n1,11");
    await expect(build(of, other, { position })).rejects.toMatchObject({
      data: { code: "other-file", node: "node", file: "in.csv", hint: expect.stringContaining("put back the file") },
    });
  });

  it("P-18: positions count bad rows as records", async () => {
    const of = config({ batchRows: 2 });
    const first = await build(of, text);
    await drain(first.source, (emitted) => emitted < 2);
    const position = first.source.position();
    const rest = await drain((await build(of, text, { position })).source);
    expect(position).toMatchObject({ records: 4, line: 6 });
    expect(rest.ids).toEqual([6]);
  });
});

describe("what a file source refuses at its start", () => {
  const refused = (of: object, content: string) => build(config(of), content).catch((error: unknown) => error);

  it.each([
    ["an empty csv file", {}, "", "file-empty"],
    ["a header that comes twice", {}, "id,id\n", "duplicate-columns"],
    ["a missing column", {}, "id,x\n1,2\n", "column-missing"],
    ["a column that is no column", {}, "id,ts,x\n1,2,3\n", "column-unknown"],
    ["an Arrow file that is none", { format: "arrow" }, "id,ts\n", "wrong-format"],
  ])("%s", async (_, of, content, code) => {
    expect(await refused(of, content)).toMatchObject({ data: { code, file: "in.csv", node: "node" } });
  });

  it("columns that are no columns are left out when that is asked for", async () => {
    const of = config({ extraFields: "ignore" });
    expect((await drain((await build(of, "x,id,y,ts\n?,1,?,10\n")).source)).ids).toEqual([1]);
  });

  it("an Arrow file that breaks in the middle fails with the rows before it sent", async () => {
    const bytes = arrow(21);
    // Metadata begins behind four bytes 0xff and its length; the second one is that of the second record batch.
    const marks = [...bytes].flatMap((_, i) => (bytes.subarray(i, i + 4).every((byte) => byte === 0xff) ? [i] : []));
    bytes.fill(0xee, (marks[1] as number) + 8, (marks[1] as number) + 40);
    const { ids, result, error } = await drain((await build(config({ format: "arrow" }), bytes)).source);
    expect(ids).toEqual(count(10));
    expect(result).toBe("failed");
    expect(error).toMatchObject({ code: "file-damaged", file: "in.csv" });
  });
});
