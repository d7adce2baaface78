import { typeOf } from "../data/types.ts";
import { BATCH, BATCH_BYTES, COLUMN, COLUMN_BYTES, typeCells } from "../operators/compute/abi.ts";

/** Small WebAssembly modules, byte by byte, for tests: well-behaved ones, and ones that break one rule each. */

export type Bytes = readonly number[];

const I32 = 0x7f;

/** The instructions that tests use. */
export const op = {
  unreachable: [0x00],
  /** Never ends. */
  forever: [0x03, 0x40, 0x0c, 0x00, 0x0b],
  argument: [0x20, 0x00],
  add: [0x6a],
  drop: [0x1a],
  memorySize: [0x3f, 0x00],
  memoryGrow: [0x40, 0x00],
  load: [0x28, 0x02, 0x00],
  store: [0x36, 0x02, 0x00],
  i32: (value: number): number[] => [0x41, ...signed(value)],
  call: (index: number): number[] => [0x10, index],
  globalGet: (index: number): number[] => [0x23, index],
  globalSet: (index: number): number[] => [0x24, index],
} as const;

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const byte = value & 0x7f;
  const rest = value >> 7;
  const ends = (rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0);
  return ends ? [byte] : [byte | 0x80, ...signed(rest)];
}

const text = (value: string): number[] => [...unsigned(value.length), ...new TextEncoder().encode(value)];
const list = (items: readonly Bytes[]): number[] => [...unsigned(items.length), ...items.flat()];
const section = (id: number, body: Bytes): number[] =>
  body.length === 0 ? [] : [id, ...unsigned(body.length), ...body];

export interface WasmFunction {
  readonly name: string;
  readonly params?: Bytes;
  readonly results?: Bytes;
  readonly body: Bytes;
}

export interface WasmParts {
  /** Limits as the binary has them: flags, pages, most pages. */
  readonly memory?: Bytes;
  readonly imports?: readonly Bytes[];
  /** Types of tables as the binary has them: a reference type, flags, entries, most entries. */
  readonly tables?: readonly Bytes[];
  readonly functions?: readonly WasmFunction[];
  /** Start values of mutable i32 globals. */
  readonly globals?: readonly number[];
  readonly memoryName?: string;
  readonly start?: number;
  /** Bytes that lie at an address from the start. */
  readonly data?: { readonly at: number; readonly bytes: Uint8Array } | undefined;
  /** More types, in front of those of the functions. */
  readonly types?: readonly Bytes[];
  readonly abi?: string;
}

const ALLOC_AT = 32_768;

/** Room for what comes in, always at the same place. */
export const ALLOC: WasmFunction = { name: "weir_alloc", body: op.i32(ALLOC_AT) };

const VERSION: WasmFunction = { name: "weir_abi_v1", params: [], results: [], body: [] };

/** A module with its memory of two pages, `weir_alloc` and the version, unless it says otherwise. */
export function wasm(parts: WasmParts): Uint8Array {
  const functions = [...(parts.functions ?? []), { ...VERSION, name: parts.abi ?? VERSION.name }];
  const typesBefore = parts.types?.length ?? 0;
  const types = functions.map(({ params = [I32], results = [I32] }) => [
    0x60,
    ...unsigned(params.length),
    ...params,
    ...unsigned(results.length),
    ...results,
  ]);
  const exports = functions.map(({ name }, i) => [...text(name), 0, i]);
  if (parts.memoryName !== "") exports.push([...text(parts.memoryName ?? "memory"), 2, 0]);
  const bodies = functions.map(({ body }) => [...unsigned(body.length + 2), 0, ...body, 0x0b]);
  const { data } = parts;
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([...(parts.types ?? []), ...types])),
    ...section(2, parts.imports === undefined ? [] : list(parts.imports)),
    ...section(3, list(functions.map((_, i) => unsigned(typesBefore + i)))),
    ...section(4, parts.tables === undefined ? [] : list(parts.tables)),
    ...section(5, list([parts.memory ?? [0, 2]])),
    ...section(6, parts.globals === undefined ? [] : list(parts.globals.map((n) => [I32, 1, ...op.i32(n), 0x0b]))),
    ...section(7, list(exports)),
    ...section(8, parts.start === undefined ? [] : unsigned(parts.start)),
    ...section(10, list(bodies)),
    ...section(
      11,
      data === undefined ? [] : list([[0, ...op.i32(data.at), 0x0b, ...unsigned(data.bytes.length), ...data.bytes]]),
    ),
  ]);
}

/** Gives back the batch that it was given. */
export const identityModule = (): Uint8Array => wasm({ functions: [ALLOC, { name: "process", body: op.argument }] });

/** One column of a batch that a module has in its memory from the start; what is left out is as it should be. */
export interface ImageColumn {
  readonly type: string;
  readonly data?: Uint8Array;
  readonly offsets?: readonly number[];
  readonly validity?: Bytes;
  /** Cells that are to be wrong. */
  readonly cells?: Partial<Record<keyof typeof COLUMN, number>>;
}

export interface Image {
  readonly rows: number;
  readonly columns: readonly ImageColumn[];
  readonly origins?: readonly number[];
  readonly message?: string;
  readonly cells?: Partial<Record<keyof typeof BATCH, number>>;
}

export const IMAGE_AT = 1024;

/** A batch as it lies at `IMAGE_AT` of a module's memory. */
export function imageOf(image: Image): Uint8Array {
  const bytes = new Uint8Array(8192);
  const view = new DataView(bytes.buffer);
  let end = BATCH_BYTES + COLUMN_BYTES * image.columns.length;
  const put = (part: ArrayLike<number> | undefined): number => {
    if (part === undefined) return 0;
    const at = end;
    bytes.set(part, at);
    end = (end + part.length + 7) & ~7;
    return IMAGE_AT + at;
  };
  const words = (numbers: readonly number[] | undefined) =>
    numbers === undefined ? undefined : new Uint8Array(Int32Array.from(numbers).buffer);
  const message = image.message === undefined ? undefined : new TextEncoder().encode(image.message);
  const cells = {
    version: 1,
    rows: image.rows,
    columns: image.columns.length,
    table: IMAGE_AT + BATCH_BYTES,
    origins: put(words(image.origins)),
    message: put(message),
    messageBytes: message?.length ?? 0,
    ...image.cells,
  };
  for (const [name, offset] of Object.entries(BATCH)) view.setUint32(offset, cells[name as keyof typeof BATCH], true);
  image.columns.forEach((column, index) => {
    const { code, detail } = typeCells(typeOf(column.type));
    const made = {
      ...{ type: code, detail, name: 0, nameBytes: 0, nulls: 0 },
      validity: put(column.validity),
      offsets: put(words(column.offsets)),
      data: put(column.data),
      dataBytes: column.data?.length ?? 0,
      ...column.cells,
    };
    for (const [name, offset] of Object.entries(COLUMN)) {
      view.setUint32(BATCH_BYTES + COLUMN_BYTES * index + offset, made[name as keyof typeof COLUMN], true);
    }
  });
  return bytes.slice(0, end);
}

/** A module that answers every batch with the same one, which it may change first. */
export const answering = (image: Image, before: Bytes = [], parts: WasmParts = {}): Uint8Array =>
  wasm({
    functions: [ALLOC, { name: "process", body: [...before, ...op.i32(IMAGE_AT)] }],
    data: { at: IMAGE_AT, bytes: imageOf(image) },
    ...parts,
  });

/** A module whose function has this body. */
export const doing = (body: Bytes, parts: WasmParts = {}): Uint8Array =>
  wasm({ functions: [ALLOC, { name: "process", body }], ...parts });
