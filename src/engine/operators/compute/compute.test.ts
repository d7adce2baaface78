import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ErrorData, WeirError } from "../../base/errors.ts";
import { Batch } from "../../data/batch.ts";
import type { Schema } from "../../data/schema.ts";
import { typeName } from "../../data/types.ts";
import { MemoryFiles } from "../../formats/memory-files.ts";
import { arbitraryBatch, arbitraryTypes } from "../../testing/arbitrary-batches.ts";
import { batchRows, eventTimesOf } from "../../testing/batch-values.ts";
import { everyTypeBatch } from "../../testing/sample-batches.ts";
import { batch, context, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { ALLOC, answering, doing, type Image, identityModule, op, wasm } from "../../testing/wasm-modules.ts";
import { CATALOG, type ComputeConfig, type SchemaConfig } from "../catalog.ts";
import { compute } from "./compute.ts";

const SEED = 20_261_129;

type Settings = Partial<Omit<ComputeConfig, "module" | "output">>;

const columnsOf = (of: Schema): SchemaConfig =>
  of.fields.map(({ name, type, nullable }) => ({ name, type: typeName(type), nullable }));

async function step(module: Uint8Array, input: Schema, output: Schema, settings: Settings = {}) {
  const spec = CATALOG.get("compute");
  const config = spec?.config.parse({ module: "m.wasm", output: columnsOf(output), ...settings }) as ComputeConfig;
  const flow = spec?.schemaFlow(config, { in: input });
  if (flow?.kind !== "ok") throw new Error(JSON.stringify(flow));
  const home = context({ inputs: { in: input }, outputs: flow.outputs, files: new MemoryFiles({ "m.wasm": module }) });
  const operator = await compute(config, home);
  const heard = new RecordingOutput();
  return {
    home,
    send(of: Batch): Batch | undefined {
      heard.batches.length = 0;
      operator.process(of, "in", heard);
      return heard.batches[0];
    },
  };
}

async function refusal(run: () => unknown): Promise<ErrorData> {
  try {
    await run();
  } catch (error) {
    if (error instanceof WeirError) return error.data;
    throw error;
  }
  throw new Error("nothing was refused");
}

const NUMBERS = schema("n int64");
const TWO = batch(NUMBERS, [[1], [2]], [1000, 2000]);
const INT = schema("v int32");
const ints = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);

/** Rows of `v` that a module gives which answers with an image. */
async function answered(image: Image, output: Schema = INT, settings: Settings = {}, input: Batch = TWO) {
  return (await step(answering(image), NUMBERS, output, settings)).send(input);
}

describe("compute", () => {
  it("hands over and takes back any batch of any type, bit for bit: NULLs, NaN, −0, dictionaries, slices (D-44)", async () => {
    const module = identityModule();
    await fc.assert(
      fc.asyncProperty(
        arbitraryTypes.filter((types) => types.length > 0).chain((types) => arbitraryBatch(types)),
        async ({ batch: of }) => {
          const made = (await step(module, of.schema, of.schema)).send(of);
          if (of.rowCount === 0) expect(made).toBeUndefined();
          else {
            expect(batchRows(made as Batch)).toEqual(batchRows(of));
            expect(eventTimesOf(made as Batch)).toEqual(eventTimesOf(of));
          }
        },
      ),
      { seed: SEED, numRuns: 150 },
    );
  });

  it("a module reads 0 under a NULL, whatever lay there (P-10)", async () => {
    const of = batch(schema("a int32, b boolean"), [
      [1, true],
      [2, true],
    ]);
    const validity = { bits: Uint8Array.of(0b01), bitOffset: 0 };
    const hidden = of.columns.map((column) => ({ ...column, nullCount: 1, validity }));
    const made = (await step(identityModule(), of.schema, of.schema)).send(new Batch(of.schema, 2, hidden)) as Batch;
    expect(made.columns[0]).toMatchObject({ nullCount: 1, values: Int32Array.of(1, 0) });
    expect(made.columns[1]).toMatchObject({ nullCount: 1, values: { bits: Uint8Array.of(0b01) } });
  });

  it("every NaN that a module makes is the same one (D-50)", async () => {
    const data = new Uint8Array(Uint32Array.of(0, 0xfff8_0001, 0, 0x7ff0_0000).buffer);
    const made = (await answered({ rows: 2, columns: [{ type: "float64", data }] }, schema("v float64"))) as Batch;
    const values = (made.columns[0] as { values: Float64Array }).values;
    expect([...new Uint32Array(values.buffer, 0, 2)]).toEqual([0, 0x7ff8_0000]);
    expect(values[1]).toBe(Number.POSITIVE_INFINITY);
  });

  it("gives the module the columns that it asks for, in its order, and lends on what was lent", async () => {
    const of = batch(schema("a int64, b utf8, c boolean"), [[1, "x", true]], [5]);
    const lent = new Batch(of.schema, 1, of.columns, of.eventTimes, true);
    const made = (await step(identityModule(), of.schema, schema("t boolean, k int64"), { columns: ["c", "a"] })).send(
      lent,
    );
    expect(batchRows(made as Batch)).toEqual([[true, 1n]]);
    expect(made?.borrowed).toBe(true);
  });

  it("an empty batch calls nothing, and no rows made send nothing (D-44)", async () => {
    const trap = await step(doing(op.unreachable), NUMBERS, INT);
    expect(trap.send(batch(NUMBERS, [], []))).toBeUndefined();
    expect(trap.home.foreign).toEqual([]);
    expect(await answered({ rows: 0, columns: [{ type: "int32" }], origins: [] })).toBeUndefined();
  });
});

describe("compute: rows and their event times (D-29)", () => {
  const three = { rows: 3, columns: [{ type: "int32", data: ints(10, 20, 30) }] };

  it("row i keeps the event time of row i", async () => {
    const made = await answered({ rows: 2, columns: [{ type: "int32", data: ints(10, 20) }] });
    expect(eventTimesOf(made as Batch)).toEqual([1000, 2000]);
  });

  it("with origins a row has the event time of the row of which it was made, and repeats are fine", async () => {
    const made = await answered({ ...three, origins: [1, 0, 1] });
    expect(eventTimesOf(made as Batch)).toEqual([2000, 1000, 2000]);
  });

  it("another number of rows without origins is refused, unless a column has the event times", async () => {
    expect(await refusal(() => answered(three))).toMatchObject({
      code: "module-output",
      message: "the module made 3 rows of 2 and does not say which of which (origins)",
    });
    const timed = await answered(three, INT, { eventTime: { column: "v", unit: "s" } });
    expect(eventTimesOf(timed as Batch)).toEqual([10_000, 20_000, 30_000]);
    const kept = () => answered(three, INT, { eventTime: { column: "v", unit: "s" }, keepInput: true });
    expect((await refusal(kept)).message).toContain("origins");
  });

  it("a NULL in the column of event times is no event time", async () => {
    const column = { type: "int32", data: ints(10, 20), validity: [0b10] };
    const made = await answered({ rows: 2, columns: [column] }, INT, { eventTime: { column: "v", unit: "ms" } });
    expect(eventTimesOf(made as Batch)).toEqual([Number.NaN, 20]);
  });

  it("rows without event time stay so", async () => {
    const made = await answered({ ...three, origins: [1, 0, 1] }, INT, {}, batch(NUMBERS, [[1], [2]]));
    expect(made?.eventTimes).toBeNull();
  });

  it("keepInput puts what is written behind the columns that came in, or in the place of the one of its name", async () => {
    const behind = await answered({ ...three, origins: [1, 0, 1] }, INT, { keepInput: true });
    expect(batchRows(behind as Batch)).toEqual([
      [2n, 10],
      [1n, 20],
      [2n, 30],
    ]);
    const instead = await answered({ ...three, origins: [1, 0, 1] }, schema("n int32"), { keepInput: true });
    expect(instead?.schema.toString()).toBe("n int32");
    expect(batchRows(instead as Batch)).toEqual([[10], [20], [30]]);
  });
});

describe("compute: one batch sees nothing of another", () => {
  const DATA_AT = 1024 + 72;
  const image = { rows: 2, columns: [{ type: "int32", data: ints(0, 0) }] };
  const put = (index: number, value: readonly number[], at = DATA_AT) => [
    ...op.i32(at + 4 * index),
    ...value,
    ...op.store,
  ];

  it("every call finds the memory and the globals of a first call (D-7, D-50)", async () => {
    const counted = [
      // A global and a word of memory, both one more than they were.
      ...[...op.globalGet(0), ...op.i32(1), ...op.add, ...op.globalSet(0)],
      ...[...op.i32(60_000), ...op.i32(60_000), ...op.load, ...op.i32(1), ...op.add, ...op.store],
      ...put(0, op.globalGet(0)),
      ...put(1, [...op.i32(60_000), ...op.load]),
    ];
    const made = await step(answering(image, counted, { globals: [7] }), NUMBERS, INT);
    for (let call = 0; call < 3; call++) expect(batchRows(made.send(TWO) as Batch)).toEqual([[8], [1]]);
  });

  it("memory that grew is small again for the next batch, and grows to the limit and not beyond", async () => {
    const grown = [...put(0, [...op.i32(14), ...op.memoryGrow]), ...put(1, [...op.i32(1), ...op.memoryGrow])];
    const made = await step(answering(image, grown), NUMBERS, INT, { memoryMiB: 1 });
    // From 2 pages to 16, which are 1 MiB; one more is refused.
    for (let call = 0; call < 3; call++) expect(batchRows(made.send(TWO) as Batch)).toEqual([[2], [-1]]);
  });

  it("a large batch leaves nothing that a small one can read", async () => {
    const word = (index: number, from: number) => put(index, [...op.i32(32_768 + from), ...op.load], DATA_AT + 8);
    const peek = [...word(0, 400), ...word(1, 80)];
    const made = await step(answering({ ...image, origins: [0, 0] }, peek), NUMBERS, INT);
    const large = batch(
      NUMBERS,
      Array.from({ length: 200 }, () => [-1]),
    );
    expect(batchRows(made.send(large) as Batch)).toEqual([[-1], [-1]]);
    expect(batchRows(made.send(TWO) as Batch)).toEqual([[0], [1]]);
  });
});

describe("compute: what a module gives back is believed in nothing", () => {
  const text = (offsets: readonly number[], data: Uint8Array, cells = {}): Image => ({
    rows: 2,
    columns: [{ type: "utf8", offsets, data, cells }],
  });
  const bytes = (...values: number[]) => Uint8Array.from(values);
  const good = { type: "int32", data: ints(1, 2) };
  const FAR = 0xffff_fff0;
  const cases: readonly [what: string, image: Image, of: string, says: string, row?: number][] = [
    [
      "a version that is not spoken",
      { rows: 2, columns: [good], cells: { version: 2 } },
      "int32",
      "the batch has version 2, and 1 is spoken here",
    ],
    ["a column too many", { rows: 2, columns: [good, good] }, "int32", "the batch has 2 columns, not 1"],
    ["no column", { rows: 2, columns: [] }, "int32", "the batch has 0 columns, not 1"],
    [
      "more rows than a batch may have",
      { rows: 0x8000_0000, columns: [good] },
      "int32",
      "the batch has 2147483648 rows, and 4194304 are the most",
    ],
    [
      "a table outside of memory",
      { rows: 2, columns: [good], cells: { table: FAR } },
      "int32",
      "the table of columns (40 bytes at 4294967280) lies outside of the memory of 131072 bytes",
    ],
    ["another type", { rows: 2, columns: [good] }, "int64", 'column "v" of the module is int32, not int64'],
    [
      "another unit",
      { rows: 2, columns: [{ type: "timestamp[us]", data: new Uint8Array(16) }] },
      "timestamp[ms]",
      'column "v" of the module is timestamp[us], not timestamp[ms]',
    ],
    [
      "another scale",
      { rows: 2, columns: [{ type: "decimal(9,3)", data: new Uint8Array(32) }] },
      "decimal(9,2)",
      'column "v" of the module is decimal(9,3), not decimal(9,2)',
    ],
    [
      "a type that there is not",
      { rows: 2, columns: [{ ...good, cells: { type: 99 } }] },
      "int32",
      'column "v" of the module is the unknown type 99, not int32',
    ],
    [
      "too few bytes",
      { rows: 2, columns: [{ type: "int32", data: ints(1) }] },
      "int32",
      'column "v" of the module has 4 bytes of data for 2 rows, not 8',
    ],
    [
      "too many bytes",
      { rows: 2, columns: [{ type: "boolean", data: bytes(1, 1) }] },
      "boolean",
      'column "v" of the module has 2 bytes of data for 2 rows, not 1',
    ],
    [
      "data outside of memory",
      { rows: 2, columns: [{ ...good, cells: { data: 131_068 } }] },
      "int32",
      'the data of column "v" (8 bytes at 131068) lies outside of the memory of 131072 bytes',
    ],
    [
      "data at nowhere",
      { rows: 2, columns: [{ ...good, cells: { data: 0 } }] },
      "int32",
      'column "v" of the module has no data',
    ],
    [
      "a validity outside of memory",
      { rows: 2, columns: [{ ...good, cells: { validity: FAR } }] },
      "int32",
      'the validity of column "v" (1 bytes at 4294967280) lies outside of the memory of 131072 bytes',
    ],
    [
      "a NULL where there may be none",
      { rows: 2, columns: [{ ...good, validity: [0b01] }] },
      "int32 not null",
      'column "v" of the module has a NULL and may have none',
      2,
    ],
    [
      "no offsets",
      { rows: 2, columns: [{ type: "utf8", data: bytes(97) }] },
      "utf8",
      'column "v" of the module has no offsets',
    ],
    [
      "offsets outside of memory",
      text([0, 1, 1], bytes(97), { offsets: FAR }),
      "utf8",
      'the offsets of column "v" (12 bytes at 4294967280) lies outside of the memory of 131072 bytes',
    ],
    ["a negative offset", text([-1, 0, 1], bytes(97)), "utf8", 'column "v" of the module has a negative offset', 1],
    [
      "offsets that go back",
      text([0, 2, 1], bytes(97, 98)),
      "utf8",
      'column "v" of the module has offsets that go back',
      2,
    ],
    [
      "offsets beyond the data",
      text([0, 1, 9], bytes(97)),
      "utf8",
      'column "v" of the module has offsets up to 9 and 1 bytes of data',
    ],
    [
      "text that is no UTF-8",
      text([0, 1, 2], bytes(97, 0xff)),
      "utf8",
      'column "v" of the module has text that is not UTF-8',
      2,
    ],
    [
      "an offset within a character",
      text([0, 1, 2], bytes(0xc3, 0xa9)),
      "utf8",
      'column "v" of the module has text that is not UTF-8',
      1,
    ],
    [
      "a surrogate",
      text([0, 3, 3], bytes(0xed, 0xa0, 0x80)),
      "utf8",
      'column "v" of the module has text that is not UTF-8',
      1,
    ],
    [
      "a number of too many digits",
      { rows: 2, columns: [{ type: "decimal(2,0)", data: ints(99, 0, 0, 0, -100, -1, -1, -1) }] },
      "decimal(2,0)",
      'column "v" of the module has a number of more than 2 digits',
      2,
    ],
    [
      "an origin that there is not",
      { rows: 2, columns: [good], origins: [0, 2] },
      "int32",
      "a row says that it was made of row 2 of 2 (counted from 0)",
      2,
    ],
    [
      "origins outside of memory",
      { rows: 2, columns: [good], cells: { origins: 131_070 } },
      "int32",
      "origins (8 bytes at 131070) lies outside of the memory of 131072 bytes",
    ],
  ];

  it.each(cases)("%s ends the run, saying so (style 16)", async (_, image, of, message, row) => {
    const data = await refusal(() => answered(image, schema(`v ${of}`)));
    expect(data).toMatchObject({ code: "module-output", message });
    expect(data.row).toBe(row);
  });

  it("binary may hold any bytes, and numbers of just as many digits as they may have are fine", async () => {
    const of = await answered(
      { rows: 2, columns: [{ type: "binary", offsets: [1, 2, 3], data: bytes(1, 0xff, 0xc3) }] },
      schema("v binary"),
    );
    expect(batchRows(of as Batch)).toEqual([["ff"], ["c3"]]);
    const most = ints(99, 0, 0, 0, -99, -1, -1, -1);
    const decimals = await answered(
      { rows: 2, columns: [{ type: "decimal(2,0)", data: most }] },
      schema("v decimal(2,0)"),
    );
    expect(batchRows(decimals as Batch)).toEqual([[99n], [-99n]]);
  });

  it("a returned pointer outside of memory, or none, is no batch", async () => {
    const at = async (pointer: number) =>
      (await refusal(async () => (await step(doing(op.i32(pointer)), NUMBERS, INT)).send(TWO))).message;
    expect(await at(0)).toBe("the function returned no batch");
    const outside = "the batch that the function returned (32 bytes at ";
    expect(await at(131_072 - 31)).toBe(`${outside}131041) lies outside of the memory of 131072 bytes`);
    expect(await at(-8)).toBe(`${outside}4294967288) lies outside of the memory of 131072 bytes`);
  });

  it("random bytes in place of a batch are refused or make rows that can be read, and never anything else", async () => {
    const of = everyTypeBatch(5, 1);
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 4, maxLength: 200 }),
        fc.array(fc.nat(150), { maxLength: 12 }),
        async (noise, places) => {
          const columns = of.columns.map(({ type }) => ({
            type: typeName(type),
            data: noise,
            offsets: [0, 1, 2, 3, 4, 5],
          }));
          const image = answering({ rows: 5, columns });
          // Behind the code: the last bytes of the binary are the image.
          for (const place of places) image[image.length - 1 - place * 7] = noise[place % noise.length] as number;
          try {
            const made = (await step(image, of.schema, of.schema)).send(of);
            if (made !== undefined) expect(batchRows(made)).toHaveLength(made.rowCount);
          } catch (error) {
            expect(error).toBeInstanceOf(WeirError);
          }
        },
      ),
      { seed: SEED, numRuns: 200 },
    );
  });

  it("what the module says itself is the error", async () => {
    const data = await refusal(() => answered({ rows: 0, columns: [], message: "lat must be float64" }));
    expect(data).toMatchObject({ code: "module-error", message: "the module says: lat must be float64" });
    const outside = { rows: 0, columns: [], message: "x", cells: { messageBytes: 0x7fff_ffff } };
    expect((await refusal(() => answered(outside))).code).toBe("module-output");
  });
});

describe("compute: code that goes wrong", () => {
  const failure = (module: Uint8Array, settings: Settings = {}) =>
    refusal(async () => (await step(module, NUMBERS, INT, settings)).send(TWO));

  it("a trap ends the run and says where, also of a stack that overflows and of code at the module's start (F-64)", async () => {
    expect(await failure(doing(op.unreachable))).toMatchObject({
      code: "module-trap",
      message: 'the module trapped in "process": unreachable',
    });
    const endless = doing([...op.argument, ...op.call(1)]);
    expect((await failure(endless)).message).toBe('the module trapped in "process": Maximum call stack size exceeded');
    const beyond = doing([...op.i32(131_072), ...op.load]);
    expect((await failure(beyond)).message).toBe('the module trapped in "process": memory access out of bounds');
    const start = { name: "init", params: [], results: [], body: op.unreachable };
    const atStart = wasm({ functions: [ALLOC, { name: "process", body: op.argument }, start], start: 2 });
    expect((await failure(atStart)).message).toBe("the module trapped at its start: unreachable");
  });

  it("memory that is given must be there, a multiple of 8, and large enough", async () => {
    const allocating = (body: readonly number[]) =>
      wasm({
        functions: [
          { name: "weir_alloc", body },
          { name: "process", body: op.argument },
        ],
      });
    const bytes = 32 + 40 + 8 + 16;
    expect((await failure(allocating(op.i32(0)))).message).toBe(
      `weir_alloc was asked for ${bytes} bytes and gave none`,
    );
    expect((await failure(allocating(op.i32(12)))).message).toContain("gave 12, which is no multiple of 8");
    const short = await failure(allocating(op.i32(131_072 - 8)));
    expect(short).toMatchObject({
      code: "module-alloc",
      message: `weir_alloc was asked for ${bytes} bytes and gave 131064, from where its memory of 131072 bytes has fewer`,
    });
    expect(short.hint).toContain("memoryMiB");
  });

  it("runs the module's code, and nothing else, within its time, once a batch", async () => {
    const fine = await step(identityModule(), NUMBERS, schema("n int64"), { timeoutMs: 77 });
    fine.send(TWO);
    fine.send(TWO);
    expect(fine.home.foreign).toEqual([77, 77]);
  });
});

describe("compute: modules that are no step are refused before anything runs (F-10)", () => {
  const I64 = 0x7e;
  const log = [...[3, 101, 110, 118], ...[3, 108, 111, 103], 0, 0];
  const importing = wasm({ types: [[0x60, 0, 0]], imports: [log], functions: [{ ...ALLOC }] });
  const process = { name: "process", body: op.argument };
  const cases: readonly [what: string, module: Uint8Array, code: string, says: string][] = [
    [
      "no WebAssembly",
      new TextEncoder().encode("hello"),
      "module-unreadable",
      "the file is no WebAssembly module that can be compiled here",
    ],
    [
      "a broken module",
      identityModule().slice(0, -1),
      "module-unreadable",
      "the file is no WebAssembly module that can be compiled here",
    ],
    ["imports, listed", importing, "module-imports", "the module imports env.log (function); a step has no imports"],
    [
      "no version",
      wasm({ functions: [ALLOC, process], abi: "other" }),
      "module-version",
      "the module does not say which version of the batch interface it speaks",
    ],
    [
      "another version",
      wasm({ functions: [ALLOC, process], abi: "weir_abi_v2" }),
      "module-version",
      "the module speaks version 2 of the batch interface",
    ],
    [
      "no memory that can be seen",
      wasm({ functions: [ALLOC, process], memoryName: "" }),
      "module-memory",
      "the module exports no memory named memory",
    ],
    [
      "shared memory",
      wasm({ functions: [ALLOC, process], memory: [3, 2, 2] }),
      "module-memory",
      "the module has other memory than one of its own with 32-bit addresses",
    ],
    [
      "more memory than is allowed",
      wasm({ functions: [ALLOC, process], memory: [0, 0xa0, 0x80, 1] }),
      "module-memory",
      "the module asks for 1026 MiB of memory, and memoryMiB allows 64 MiB",
    ],
    [
      "a table without a bound",
      wasm({ functions: [ALLOC, process], tables: [[0x70, 0, 1]] }),
      "module-memory",
      "the module has a table that may grow without end",
    ],
    [
      "tables of more entries than are allowed",
      wasm({
        functions: [ALLOC, process],
        tables: [
          [0x70, 1, 1, 0xe0, 0xd4, 3],
          [0x6f, 1, 0, 0xc1, 0xb8, 2],
        ],
      }),
      "module-memory",
      "the tables of the module may grow to 100001 entries, and 100000 are allowed",
    ],
    ["no weir_alloc", wasm({ functions: [process] }), "module-function", 'the module exports no function "weir_alloc"'],
    [
      "no such function",
      wasm({ functions: [ALLOC, { ...process, name: "run" }] }),
      "module-function",
      'the module exports no function "process"',
    ],
    [
      "a function of other numbers",
      wasm({ functions: [ALLOC, { ...process, params: [I64], results: [I64] }] }),
      "module-function",
      'the function "process" of the module does not take one i32 and return one i32',
    ],
    [
      "a function that returns nothing",
      wasm({ functions: [ALLOC, { ...process, results: [], body: [] }] }),
      "module-function",
      'the function "process" of the module does not take one i32 and return one i32',
    ],
    [
      "a name of something else",
      wasm({ functions: [ALLOC], memoryName: "memory" }),
      "module-function",
      'the module exports no function "process"',
    ],
  ];

  it.each(cases)("%s", async (_, module, code, message) => {
    const data = await refusal(() => step(module, NUMBERS, INT));
    expect(data).toMatchObject({ code, message, file: "m.wasm" });
    expect(data.field).toBe(code === "module-function" ? "config.function" : "config.module");
  });

  it("tables of a fixed size are fine", async () => {
    const module = wasm({
      functions: [ALLOC, process],
      tables: [
        [0x70, 1, 1, 1],
        [0x6f, 1, 0, 9],
      ],
    });
    await expect(step(module, NUMBERS, INT)).resolves.toBeDefined();
  });

  it("names the functions that there are", async () => {
    const module = wasm({ functions: [ALLOC, { ...process, name: "near" }, { ...process, name: "far" }] });
    expect((await refusal(() => step(module, NUMBERS, INT))).hint).toBe("its functions for batches are near, far");
    const data = await refusal(() => step(module, NUMBERS, INT, { function: "memory" }));
    expect(data.message).toBe('the export "memory" of the module is a memory, not a function');
  });

  it("a file that is not there says so", async () => {
    const spec = CATALOG.get("compute");
    const config = spec?.config.parse({ module: "m.wasm", output: columnsOf(INT) }) as ComputeConfig;
    const home = context({ inputs: { in: NUMBERS }, outputs: { out: INT }, files: new MemoryFiles() });
    expect((await refusal(() => compute(config, home))).code).toBe("file-not-found");
  });
});
