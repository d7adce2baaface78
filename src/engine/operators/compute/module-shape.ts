import { EXPORT, I32, SECTION, SectionReader, sectionsOf } from "./wasm-binary.ts";

/** What the engine has to know of a module before it runs any of its code. */
export interface ModuleShape {
  /** Sizes in pages of 64 KiB. */
  readonly memory: { readonly minPages: number };
  /** Exported functions whose signature is `(i32) -> i32`, in the order of the module. */
  readonly batchFunctions: readonly string[];
}

/** A module that cannot be a step: what is wrong with it, and what to do. */
export interface ModuleFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export type ShapeResult =
  | { readonly kind: "ok"; readonly shape: ModuleShape }
  | { readonly kind: "fault"; readonly fault: ModuleFault };

/** Version of the batch interface. */
export const ABI_VERSION = 1;
const ABI_EXPORT = /^weir_abi_v(\d+)$/;
export const MEMORY_EXPORT = "memory";
export const ALLOC_EXPORT = "weir_alloc";

/** `externref` … `i32`: types that are one byte and stand for no object of the browser's heap that the module could make. */
const PLAIN_TYPES: ReadonlySet<number> = new Set([0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f]);
const FUNCTION_TYPE = 0x60;

interface Signature {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

const wrong = (code: string, message: string, hint: string): ShapeResult => ({
  kind: "fault",
  fault: { code, message, hint },
});

/**
 * Checks that a module keeps to the batch interface and asks for nothing from outside.
 *
 * @param module of `binary`: that it compiled makes the binary well-formed
 * @param wanted name of the function that is to be called
 */
export function shapeOf(
  module: WebAssembly.Module,
  binary: Uint8Array,
  wanted: string,
  mostPages: number,
): ShapeResult {
  const imports = WebAssembly.Module.imports(module).map(({ module: from, name, kind }) => `${from}.${name} (${kind})`);
  if (imports.length > 0) {
    const message = `the module imports ${imports.join(", ")}; a step has no imports`;
    return wrong("module-imports", message, "build it without a host environment, standard input or a runtime");
  }
  const bodies = new Map(sectionsOf(binary).map(({ id, body }) => [id, body]));
  const signatures = signaturesOf(bodies.get(SECTION.type));
  if (signatures === undefined) {
    const message = "the module has types of the garbage-collected heap, which no limit holds";
    return wrong("module-types", message, "build it for linear memory");
  }
  const exported = WebAssembly.Module.exports(module);
  const fault = versionFault(exported.map(({ name }) => name));
  if (fault !== undefined) return { kind: "fault", fault };
  const tables = tableFault(bodies.get(SECTION.table));
  if (tables !== undefined) return { kind: "fault", fault: tables };
  const memory = memoryOf(bodies.get(SECTION.memory), exported, mostPages);
  if (memory.kind === "fault") return memory;
  const batchFunctions = batchFunctionsOf(bodies, signatures);
  for (const name of [ALLOC_EXPORT, wanted]) {
    if (batchFunctions.includes(name)) continue;
    return wrong("module-function", functionFault(name, exported), hintFor(name, batchFunctions));
  }
  return { kind: "ok", shape: { memory: { minPages: memory.minPages }, batchFunctions } };
}

/** `undefined` where there are types other than functions over plain values. */
function signaturesOf(types: Uint8Array | undefined): Signature[] | undefined {
  if (types === undefined) return [];
  const reader = new SectionReader(types);
  const signatures: Signature[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    if (reader.byte() !== FUNCTION_TYPE) return undefined;
    const [params, results] = [reader.take(reader.u32()), reader.take(reader.u32())];
    if (![...params, ...results].every((type) => PLAIN_TYPES.has(type))) return undefined;
    signatures.push({ params: [...params], results: [...results] });
  }
  return signatures;
}

function versionFault(names: readonly string[]): ModuleFault | undefined {
  const versions = names.flatMap((name) => ABI_EXPORT.exec(name)?.[1] ?? []);
  if (versions.includes(String(ABI_VERSION))) return undefined;
  const said = versions.length === 0 ? "the module does not say" : `the module speaks version ${versions.join(", ")}`;
  const message = `${said} ${versions.length === 0 ? "which version of the batch interface it speaks" : "of the batch interface"}`;
  return { code: "module-version", message, hint: `export weir_abi_v${ABI_VERSION}, and keep to docs/compute.md` };
}

type MemoryResult = { readonly kind: "ok"; readonly minPages: number } | (ShapeResult & { readonly kind: "fault" });

function memoryOf(
  section: Uint8Array | undefined,
  exported: readonly { readonly name: string; readonly kind: string }[],
  mostPages: number,
): MemoryResult {
  const fault = (message: string, hint: string): MemoryResult => ({
    kind: "fault",
    fault: { code: "module-memory", message, hint },
  });
  if (!exported.some(({ name, kind }) => name === MEMORY_EXPORT && kind === "memory")) {
    return fault(`the module exports no memory named ${MEMORY_EXPORT}`, "export its memory");
  }
  const reader = new SectionReader(section as Uint8Array);
  const memories = reader.u32();
  // Bit 0: there is a maximum. All others are other kinds of memory: shared, of 64-bit addresses, of other pages.
  const flags = reader.byte();
  if (memories !== 1 || flags > 1) {
    return fault("the module has other memory than one of its own with 32-bit addresses", "build it for wasm32");
  }
  const minPages = reader.u32();
  if (minPages <= mostPages) return { kind: "ok", minPages };
  const message = `the module asks for ${mib(minPages)} of memory, and memoryMiB allows ${mib(mostPages)}`;
  return fault(message, "raise memoryMiB, or build the module with less");
}

/** Entries that all tables together may come to have: they lie outside of the memory that memoryMiB bounds. */
const MOST_ENTRIES = 100_000;
/** Table types are a byte, `funcref` or `externref`; anything else is of extensions that no limit is known for. */
const REFERENCE_TYPES: ReadonlySet<number> = new Set([0x70, 0x6f]);

function tableFault(section: Uint8Array | undefined): ModuleFault | undefined {
  if (section === undefined) return undefined;
  const reader = new SectionReader(section);
  const fault = (message: string): ModuleFault => ({
    code: "module-memory",
    message,
    hint: "build the module with tables of a fixed size",
  });
  let entries = 0;
  for (let left = reader.u32(); left > 0; left--) {
    const type = reader.byte();
    const flags = reader.byte();
    if (!REFERENCE_TYPES.has(type) || flags > 1) return fault("the module has tables of a kind that no limit holds");
    const least = reader.u32();
    if (flags === 0) return fault("the module has a table that may grow without end");
    entries += Math.max(least, reader.u32());
  }
  if (entries <= MOST_ENTRIES) return undefined;
  return fault(`the tables of the module may grow to ${entries} entries, and ${MOST_ENTRIES} are allowed`);
}

export const mib = (pages: number): string => `${pages / 16} MiB`;

function batchFunctionsOf(bodies: ReadonlyMap<number, Uint8Array>, signatures: readonly Signature[]): string[] {
  const functions = bodies.get(SECTION.function);
  const exports = bodies.get(SECTION.export);
  if (functions === undefined || exports === undefined) return [];
  const typeReader = new SectionReader(functions);
  const types = Array.from({ length: typeReader.u32() }, () => typeReader.u32());
  const reader = new SectionReader(exports);
  const found: string[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    const [name, kind, index] = [reader.name(), reader.byte(), reader.u32()];
    const signature = kind === EXPORT.function ? signatures[types[index] as number] : undefined;
    if (signature !== undefined && isI32(signature.params) && isI32(signature.results)) found.push(name);
  }
  return found;
}

const isI32 = (types: readonly number[]): boolean => types.length === 1 && types[0] === I32;

function functionFault(name: string, exported: readonly { readonly name: string; readonly kind: string }[]): string {
  const quoted = JSON.stringify(name);
  const found = exported.find((each) => each.name === name);
  if (found === undefined) return `the module exports no function ${quoted}`;
  if (found.kind !== "function") return `the export ${quoted} of the module is a ${found.kind}, not a function`;
  return `the function ${quoted} of the module does not take one i32 and return one i32`;
}

function hintFor(name: string, batchFunctions: readonly string[]): string {
  if (name === ALLOC_EXPORT) return "export it as docs/compute.md says: it gives memory for what comes in";
  const others = batchFunctions.filter((each) => each !== ALLOC_EXPORT);
  return others.length === 0
    ? "its functions for batches take one i32 and return one i32; it exports none"
    : `its functions for batches are ${others.join(", ")}`;
}
