import { errorText, WeirError } from "../../base/errors.ts";
import { FEWEST_ROWS, type Kernels, kernelsOver } from "./kernels.ts";

const PAGE_BYTES = 65_536;
const FIRST_PAGES = 16;
/** 2 GiB. Only addresses are taken for it, until it is used. */
const MOST_PAGES = 32_768;
const SMALLEST_BITS = 6;
/** Blocks from this size on may be parts of larger ones, up to so many times halved. */
const SPLIT_BITS = 20;
const MOST_SPLITS = 2;
/** Kernels read up to eight values of any array at a time, also behind the last one. */
const BEHIND_BYTES = 128;

/**
 * Memory that grows, with kernels on it, for state that they work on: the keys of a table. One a worker. It is shared memory, because the module wants
 * one, and because a view of shared memory stays what it is while the memory grows.
 *
 * Blocks have a power of two of bytes. They are given back by hand: nothing here is collected.
 */
export class KernelHeap {
  readonly kernels: Kernels;
  private readonly memory: WebAssembly.Memory;
  /** Free blocks by the logarithm of their size. */
  private readonly free: number[][] = Array.from({ length: 32 }, () => []);
  /** Nothing begins at 0, which stands for nothing, nor in the rest of the first line, where constants lie. */
  private end = 64;
  /** The memory has a new buffer each time it grows; views of all of them show the same. */
  private readonly buffers = new WeakSet<ArrayBufferLike>();
  private readonly constants: readonly [ConstantPlace, ConstantPlace];

  private constructor(kernels: Kernels, memory: WebAssembly.Memory) {
    this.kernels = kernels;
    this.memory = memory;
    this.buffers.add(memory.buffer);
    this.constants = [constantPlace(memory, 16), constantPlace(memory, 32)];
  }

  static create(): KernelHeap | undefined {
    try {
      const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
      const kernels = kernelsOver(memory);
      return kernels === undefined ? undefined : new KernelHeap(kernels, memory);
    } catch {
      return undefined;
    }
  }

  /** Whole bytes of zeros or of anything, room for `length` of them. @throws WeirError `too-many-keys` when memory is used up */
  bytes(length: number): Uint8Array {
    const at = this.claim(length);
    return new Uint8Array(this.memory.buffer, at, length);
  }

  words(length: number): Int32Array {
    const at = this.claim(4 * length);
    return new Int32Array(this.memory.buffer, at, length);
  }

  numbers(length: number): Float64Array {
    const at = this.claim(8 * length);
    return new Float64Array(this.memory.buffer, at, length);
  }

  /** What lies from here on was never given to anybody: it is 0, and takes no memory before it is touched. */
  get fresh(): number {
    return this.end;
  }

  /** Whether kernels can work on what a view shows. */
  holds({ buffer }: ArrayBufferView): boolean {
    return this.buffers.has(buffer);
  }

  /**
   * Puts the value of a side, the first `elements` of an array, where kernels find it, as often as it fits 16 bytes. Answers where; until that side's
   * next value.
   */
  constant(side: 0 | 1, value: Int32Array | Float64Array, elements: number): number {
    const place = this.constants[side];
    if (value instanceof Float64Array) place.doubles.fill(value[0] as number);
    else for (let i = 0; i < place.words.length; i++) place.words[i] = value[i % elements] as number;
    return place.words.byteOffset;
  }

  /** Gives back what the others gave. */
  release({ byteOffset, byteLength }: Uint8Array | Int32Array | Float64Array): void {
    (this.free[sizeBits(byteLength)] as number[]).push(byteOffset);
  }

  private claim(bytes: number): number {
    const bits = sizeBits(bytes);
    const known = (this.free[bits] as number[]).pop() ?? this.split(bits);
    if (known !== undefined) return known;
    const at = this.end;
    const end = at + 2 ** bits;
    const missing = Math.ceil((end + BEHIND_BYTES - this.memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) this.grow(missing);
    this.end = end;
    return at;
  }

  /**
   * A part of a larger block that is free, of which the rest stays free: what a table left behind when it grew serves arrays that grow with it. Small
   * blocks come and go, and would only wear large ones down.
   */
  private split(bits: number): number | undefined {
    if (bits < SPLIT_BITS) return undefined;
    for (let larger = bits + 1; larger <= bits + MOST_SPLITS; larger++) {
      const block = (this.free[larger] as number[] | undefined)?.pop();
      if (block === undefined) continue;
      for (let half = larger - 1; half >= bits; half--) (this.free[half] as number[]).push(block + 2 ** half);
      return block;
    }
    return undefined;
  }

  private grow(pages: number): void {
    try {
      this.memory.grow(pages);
      this.buffers.add(this.memory.buffer);
    } catch (error) {
      throw new WeirError({
        code: "too-many-keys",
        domain: "task",
        message: "there is no memory for more keys",
        hint: "use fewer or shorter keys, or windows that end sooner",
        cause: errorText(error),
      });
    }
  }
}

/** Where the value of a side lies. */
interface ConstantPlace {
  readonly words: Int32Array;
  readonly doubles: Float64Array;
}

const constantPlace = ({ buffer }: WebAssembly.Memory, at: number): ConstantPlace => ({
  words: new Int32Array(buffer, at, 4),
  doubles: new Float64Array(buffer, at, 2),
});

/** Of a block for so many bytes and the few behind them that kernels may touch. */
const sizeBits = (bytes: number): number => Math.max(SMALLEST_BITS, Math.ceil(Math.log2(bytes + 16)));

/** Rows for which kernels are worth a call; infinity while they are not enabled. */
let fewestRows = Number.POSITIVE_INFINITY;
/** `null`: not asked for yet. */
let heap: KernelHeap | null | undefined = null;

/**
 * Lets this worker's key tables and expressions use kernels, for so many rows and more. Workers of real runs do; the lab does not, whose state must be
 * such that it can be copied for a keyframe.
 */
export function enableKernels(fewest = FEWEST_ROWS): void {
  fewestRows = fewest;
}

/** Where kernels keep their state, made when it is first asked for; `undefined` where the TypeScript twins serve, as they do for few rows. */
export function kernelHeap(rows = Number.MAX_SAFE_INTEGER): KernelHeap | undefined {
  if (rows < fewestRows) return undefined;
  if (heap === null) heap = KernelHeap.create();
  return heap;
}
