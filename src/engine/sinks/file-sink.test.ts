import { describe, expect, it } from "vitest";
import type { ErrorData } from "../base/errors.ts";
import { epoch } from "../base/ids.ts";
import type { FlushResult, Sink } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { decodeUtf8 } from "../data/text.ts";
import { openArrowReader } from "../formats/arrow-file.ts";
import type { FileFormat } from "../formats/file-format.ts";
import { MemoryFiles, readableBytes } from "../formats/memory-files.ts";
import { openParquetReader } from "../formats/parquet-file.ts";
import { fileSink as spec } from "../operators/catalog/sinks.ts";
import type { FileSinkConfig } from "../operators/catalog.ts";
import { readAll } from "../testing/read-all.ts";
import { batch, context, schema } from "../testing/stage-kit.ts";
import { fileSink } from "./file-sink.ts";

const ROW = schema("id int64, name utf8");
const row = (id: number | string, name: string | null): Batch => batch(ROW, [[id, name]]);

interface Options {
  readonly format?: FileFormat;
  readonly delivery?: "exactly-once" | "at-least-once";
  readonly subtask?: number;
  readonly parallelism?: number;
  readonly note?: (note: ErrorData) => void;
  readonly firstEpoch?: number;
  readonly csv?: object;
}

async function open(files: MemoryFiles, options: Options = {}): Promise<Sink<Batch>> {
  const { format = "csv", delivery = "exactly-once", csv } = options;
  const config = spec.config.parse({ format, path: "out/", delivery, csv }) as FileSinkConfig;
  const home = context({ subtask: options.subtask ?? 0, parallelism: options.parallelism ?? 1, inputs: { in: ROW } });
  return fileSink(config, { ...home, files, firstEpoch: options.firstEpoch ?? 1, note: options.note ?? home.note });
}

const visible = (files: MemoryFiles): string[] => files.paths.filter((path) => !path.includes("/."));
const text = (files: MemoryFiles, path: string): string => decodeUtf8(files.bytes(path) ?? new Uint8Array(0));
const precommit = (flushed: FlushResult) => (flushed.kind === "durable" ? flushed.precommit : undefined);

describe("sink.file, exactly-once", () => {
  it("F-73: a part for each epoch with rows, complete and hidden at the barrier, visible at the commit", async () => {
    const files = new MemoryFiles();
    const sink = await open(files);
    sink.write(row(1, "a"), 0);
    sink.write(row("9007199254740993", null), 0);
    expect(visible(files)).toEqual([]);
    expect(precommit(sink.flush(epoch(1)))).toEqual([{ epoch: 1, name: "part-0-1.csv" }]);
    sink.write(row(3, ""), 0);
    expect(precommit(sink.flush(epoch(2)))).toEqual([
      { epoch: 1, name: "part-0-1.csv" },
      { epoch: 2, name: "part-0-2.csv" },
    ]);
    expect(precommit(sink.flush(epoch(3)))).toHaveLength(2);
    sink.write(row(4, "open"), 0);
    expect(visible(files)).toEqual([]);
    sink.commit(epoch(1));
    expect(visible(files)).toEqual(["out/part-0-1.csv"]);
    sink.commit(epoch(1));
    sink.commit(epoch(3));
    sink.close();
    expect(files.paths).toEqual(["out/part-0-1.csv", "out/part-0-2.csv"]);
    expect(text(files, "out/part-0-1.csv")).toBe("id,name\n1,a\n9007199254740993,\n");
    expect(text(files, "out/part-0-2.csv")).toBe('id,name\n3,""\n');
  });

  it("F-73: as Parquet each part is a whole file, and at-least-once, which could not be read, is refused with the repair", async () => {
    const files = new MemoryFiles();
    const sink = await open(files, { format: "parquet" });
    sink.write(row("9007199254740993", "ä"), 0);
    sink.write(row(2, null), 0);
    sink.flush(epoch(1));
    sink.write(row(3, "open"), 0);
    sink.commit(epoch(1));
    sink.close();
    expect(files.paths).toEqual(["out/part-0-1.parquet"]);
    const bytes = files.bytes("out/part-0-1.parquet") ?? new Uint8Array(0);
    const options = { schema: ROW, extraFields: "refuse", batchRows: 10 } as const;
    const part = await readAll(await openParquetReader(readableBytes("part", bytes), options));
    expect(part.rows).toEqual([
      [9007199254740993n, "ä"],
      [2n, null],
    ]);
    const growing = spec.config.parse({ format: "parquet", path: "out", delivery: "at-least-once" });
    expect(spec.check?.(growing)).toMatchObject([
      {
        code: "parquet-needs-parts",
        field: "delivery",
        fix: { patch: [{ path: "/delivery", value: "exactly-once" }] },
      },
    ]);
    expect(spec.check?.(spec.config.parse({ format: "parquet", path: "out" }))).toEqual([]);
  });

  it("D-13: holds rows from the first one to the barrier", async () => {
    const sink = await open(new MemoryFiles());
    sink.write(batch(ROW, []), 0);
    expect(sink.holdsRows()).toBe(false);
    sink.write(row(1, "a"), 0);
    expect(sink.holdsRows()).toBe(true);
    sink.flush(epoch(1));
    expect(sink.holdsRows()).toBe(false);
  });

  it("a run that ends in an open epoch leaves nothing of it", async () => {
    const files = new MemoryFiles();
    const sink = await open(files);
    sink.write(row(1, "a"), 0);
    sink.close();
    expect(files.paths).toEqual([]);
  });

  it("D-14: a restore commits again what the checkpoint names, and what is newer is cleared away", async () => {
    const files = new MemoryFiles();
    const first = await open(files);
    first.write(row(1, "a"), 0);
    first.flush(epoch(1));
    first.write(row(2, "b"), 0);
    const named = precommit(first.flush(epoch(2)));
    first.commit(epoch(1));
    first.write(row(3, "newer"), 0);
    first.flush(epoch(3));
    first.write(row(4, "open"), 0);
    // The run fails here: epoch 2 is durable, its commit never came.
    const second = await open(files, { firstEpoch: 3 });
    second.restore?.(named ?? null);
    expect(visible(files)).toEqual(["out/part-0-1.csv"]);
    second.commit(epoch(2));
    expect(visible(files)).toEqual(["out/part-0-1.csv", "out/part-0-2.csv"]);
    second.write(row(3, "again"), 0);
    second.flush(epoch(3));
    second.commit(epoch(3));
    second.close();
    expect(files.paths).toEqual(["out/part-0-1.csv", "out/part-0-2.csv", "out/part-0-3.csv"]);
    expect(text(files, "out/part-0-3.csv")).toBe("id,name\n3,again\n");
  });

  it("D-14: a part that the checkpoint names and that is nowhere is told, one that was committed is not", async () => {
    const files = new MemoryFiles();
    const first = await open(files);
    first.write(row(1, "a"), 0);
    first.flush(epoch(1));
    first.write(row(2, "b"), 0);
    const named = precommit(first.flush(epoch(2))) ?? null;
    first.commit(epoch(1));
    files.remove("out/.part-0-2.csv");
    const notes: ErrorData[] = [];
    const second = await open(files, { firstEpoch: 3, note: (note) => notes.push(note) });
    second.restore?.(named);
    second.commit(epoch(2));
    expect(notes).toMatchObject([{ code: "part-missing", file: "out/part-0-2.csv" }]);
  });

  it("D-12: restoring twice changes nothing", async () => {
    const files = new MemoryFiles();
    const first = await open(files);
    first.write(row(1, "a"), 0);
    const named = precommit(first.flush(epoch(1))) ?? null;
    for (let round = 0; round < 2; round++) {
      const again = await open(files, { firstEpoch: 2 });
      again.restore?.(named);
      again.commit(epoch(1));
      again.onEos?.();
      again.close();
      expect(files.paths).toEqual(["out/part-0-1.csv"]);
    }
  });

  it("E-5: a run from the start replaces the parts of the run before, also those of subtasks that are no more", async () => {
    const old = [
      "part-0-1.csv",
      "part-0-9.csv",
      "part-1-4.ndjson",
      "part-5-2.csv",
      ".part-3-7.csv",
      ".part-0-open.csv",
      "part-2.csv",
    ];
    const others = ["notes.txt", "part-x.csv", "part-0-1.csv.bak"];
    const files = new MemoryFiles(
      Object.fromEntries([...old, ...others].map((name) => [`out/${name}`, Uint8Array.of(1)])),
    );
    const sinks = [0, 1].map((subtask) => open(files, { subtask, parallelism: 2 }));
    for (const sink of await Promise.all(sinks)) {
      sink.onEos?.();
      sink.close();
    }
    expect(files.paths).toEqual(others.map((name) => `out/${name}`).sort());
  });

  it("parts of several subtasks stand side by side", async () => {
    const files = new MemoryFiles();
    const sinks = await Promise.all([0, 1].map((subtask) => open(files, { subtask, parallelism: 2 })));
    sinks.forEach((sink, i) => sink.write(row(i, "x"), 0));
    for (const sink of sinks) sink.flush(epoch(1));
    for (const sink of sinks) sink.commit(epoch(1));
    expect(files.paths).toEqual(["out/part-0-1.csv", "out/part-1-1.csv"]);
  });

  it("Arrow parts are whole IPC files", async () => {
    const files = new MemoryFiles();
    const sink = await open(files, { format: "arrow" });
    sink.write(row(1, "a"), 0);
    sink.write(row(2, null), 0);
    sink.flush(epoch(1));
    sink.commit(epoch(1));
    const bytes = files.bytes("out/part-0-1.arrow") ?? new Uint8Array(0);
    expect(decodeUtf8(bytes, 0, 6)).toBe("ARROW1");
    const reader = await openArrowReader(readableBytes("p", bytes), {
      schema: ROW,
      extraFields: "refuse",
      batchRows: 10,
    });
    expect(await readAll(reader)).toMatchObject({
      rows: [
        [1n, "a"],
        [2n, null],
      ],
      error: undefined,
    });
  });

  it("writes NDJSON, and csv as it is told", async () => {
    const files = new MemoryFiles();
    for (const options of [{ format: "ndjson" }, { csv: { header: false, delimiter: ";" } }] as const) {
      const sink = await open(files, options);
      sink.write(row("9007199254740993", 'say "hi"; ä'), 0);
      sink.flush(epoch(1));
      sink.commit(epoch(1));
      sink.close();
    }
    expect(text(files, "out/part-0-1.csv")).toBe('9007199254740993;"say ""hi""; ä"\n');
    // The second run from the start replaced the NDJSON part of the first.
    expect(files.paths).toEqual(["out/part-0-1.csv"]);
  });
});

describe("sink.file, at-least-once", () => {
  it("one growing file for each subtask, rows visible at once", async () => {
    const files = new MemoryFiles();
    const sink = await open(files, { delivery: "at-least-once", format: "ndjson", subtask: 1, parallelism: 2 });
    sink.write(row(1, "a"), 0);
    expect(text(files, "out/part-1.ndjson")).toBe('{"id":1,"name":"a"}\n');
    expect(sink.holdsRows()).toBe(true);
    expect(sink.flush(epoch(1))).toEqual({ kind: "durable", precommit: null });
    expect(sink.holdsRows()).toBe(false);
    sink.write(row(2, null), 0);
    sink.onEos?.();
    sink.flush(epoch(2));
    sink.close();
    expect(text(files, "out/part-1.ndjson")).toBe('{"id":1,"name":"a"}\n{"id":2,"name":null}\n');
  });

  it("a run from a checkpoint keeps what the run before wrote", async () => {
    const files = new MemoryFiles();
    for (const firstEpoch of [1, 5, 5]) {
      const sink = await open(files, { delivery: "at-least-once", firstEpoch });
      sink.write(row(firstEpoch, "x"), 0);
      sink.onEos?.();
      sink.close();
    }
    expect(files.paths).toEqual(["out/part-0-from-5.csv", "out/part-0.csv"]);
  });

  it("an Arrow stream can be read up to its last batch, and says so when the run failed", async () => {
    const files = new MemoryFiles();
    const sink = await open(files, { delivery: "at-least-once", format: "arrow" });
    sink.write(row(1, "a"), 0);
    const notes: string[] = [];
    const read = async () => {
      const bytes = files.bytes("out/part-0.arrows") ?? new Uint8Array(0);
      const options = {
        schema: ROW,
        extraFields: "refuse",
        batchRows: 10,
        note: (text: string) => notes.push(text),
      } as const;
      return readAll(await openArrowReader(readableBytes("p", bytes), options));
    };
    expect(await read()).toMatchObject({ rows: [[1n, "a"]], error: undefined });
    expect(notes).toHaveLength(1);
    sink.write(row(2, "b"), 0);
    sink.onEos?.();
    sink.close();
    expect(await read()).toMatchObject({
      rows: [
        [1n, "a"],
        [2n, "b"],
      ],
      error: undefined,
    });
    expect(notes).toHaveLength(1);
  });
});
