import { type ErrorData, errorText, WeirError } from "../../base/errors.ts";
import { ALLOC_EXPORT, type ModuleShape, mib, shapeOf } from "./module-shape.ts";
import { withMemoryImported } from "./wasm-binary.ts";

const PAGE_BYTES = 65_536;
const PAGES_PER_MIB = 16;
/** Where the module's memory comes from: see `Sandbox`. */
const HOST = "weir";

export interface SandboxLimits {
  readonly memoryMiB: number;
}

/** A module that was just made anew: nothing of it has run. */
export interface Opened {
  readonly memory: WebAssembly.Memory;
  /** Room for so many bytes, a multiple of 8. @throws WeirError `module-alloc`, `module-trap` */
  alloc(bytes: number): number;
  /** Calls the function with a pointer and answers the one that it returns. @throws WeirError `module-trap` */
  run(pointer: number): number;
}

/**
 * A compiled module that runs each batch as if it were its first: a new instance over zeroed memory. So a result depends on its batch alone, and
 * nothing of one batch can be seen in another.
 *
 * An instance of its own is cheap (8 µs), its own memory is not (300 µs and as many page faults): the binary's memory is turned into an import,
 * which is handed out again and again. That also makes the limit a hard one: growing beyond it fails inside of the module.
 */
export class Sandbox {
  private readonly module: WebAssembly.Module;
  private readonly functionName: string;
  private readonly minPages: number;
  private readonly maxPages: number;
  /** Scratch: it is zeroed before each use, so it is no state. */
  private memory: WebAssembly.Memory;

  private constructor(module: WebAssembly.Module, functionName: string, { memory }: ModuleShape, maxPages: number) {
    // Frozen objects are shared by the lab's keyframes, which could not copy these.
    this.module = Object.freeze(module);
    this.functionName = functionName;
    this.minPages = memory.minPages;
    this.maxPages = maxPages;
    this.memory = newMemory(this.minPages, maxPages);
  }

  /**
   * Compiles a module and checks that it keeps to the interface; none of its code runs.
   *
   * @throws WeirError `module-unreadable`, `module-imports`, `module-types`, `module-version`, `module-memory`, `module-function`
   */
  static async load(
    binary: Uint8Array<ArrayBuffer>,
    functionName: string,
    { memoryMiB }: SandboxLimits,
  ): Promise<Sandbox> {
    const maxPages = memoryMiB * PAGES_PER_MIB;
    const result = shapeOf(await compiled(binary), binary, functionName, maxPages);
    if (result.kind === "fault") throw new WeirError({ ...result.fault, domain: "graph" });
    const { minPages } = result.shape.memory;
    const hosted = withMemoryImported(binary, { module: HOST, name: "memory", minPages, maxPages });
    return new Sandbox(await WebAssembly.compile(hosted), functionName, result.shape, maxPages);
  }

  open(): Opened {
    // What grew is larger than a first batch finds it.
    if (this.memory.buffer.byteLength !== this.minPages * PAGE_BYTES) {
      this.memory = newMemory(this.minPages, this.maxPages);
    }
    const { memory, module, functionName } = this;
    new Uint8Array(memory.buffer).fill(0);
    const { exports } = guarded("at its start", () => new WebAssembly.Instance(module, { [HOST]: { memory } }));
    const call = (name: string, argument: number): number =>
      guarded(`in ${JSON.stringify(name)}`, () => (exports[name] as (argument: number) => number)(argument)) >>> 0;
    return {
      memory,
      alloc: (bytes) => this.checked(call(ALLOC_EXPORT, bytes), bytes, memory),
      run: (pointer) => call(functionName, pointer),
    };
  }

  private checked(pointer: number, bytes: number, memory: WebAssembly.Memory): number {
    const size = memory.buffer.byteLength;
    const fault = (message: string): WeirError =>
      new WeirError({
        code: "module-alloc",
        domain: "data",
        message: `${ALLOC_EXPORT} was asked for ${bytes} bytes and ${message}`,
        hint: `the module may have ${mib(this.maxPages)}; raise memoryMiB, or lower the rows of a batch`,
      });
    if (pointer === 0) throw fault("gave none");
    if (pointer % 8 !== 0) throw fault(`gave ${pointer}, which is no multiple of 8`);
    if (pointer + bytes > size) throw fault(`gave ${pointer}, from where its memory of ${size} bytes has fewer`);
    return pointer;
  }
}

function newMemory(initial: number, maximum: number): WebAssembly.Memory {
  try {
    return Object.freeze(new WebAssembly.Memory({ initial, maximum }));
  } catch (error) {
    const message = `there is no room for the ${mib(initial)} of memory that the module begins with`;
    throw new WeirError({ code: "module-memory", domain: "host", message, cause: errorText(error) });
  }
}

async function compiled(binary: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(binary);
  } catch (error) {
    throw new WeirError({
      code: "module-unreadable",
      domain: "graph",
      message: "the file is no WebAssembly module that can be compiled here",
      hint: "give a .wasm file built for wasm32",
      cause: errorText(error),
    });
  }
}

/** Runs the module's code. Whatever it throws, such as a stack that overflows, is its trap. */
function guarded<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const data: ErrorData = {
      code: "module-trap",
      domain: "data",
      message: `the module trapped ${where}: ${errorText(error)}`,
      hint: "the module is at fault, or it does not expect such columns; a limit of memory traps too (memoryMiB)",
    };
    throw new WeirError(data);
  }
}
