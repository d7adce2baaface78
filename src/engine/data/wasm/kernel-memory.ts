import type { Column, FixedValues, VarColumn } from "../column.ts";
import { bytesOf, elementsPerRow } from "../storage.ts";
import { Blocks } from "./blocks.ts";
import { type Kernels, kernelsOver } from "./kernels.ts";

/** Bytes behind a copy or a result that kernels may read or write. */
export const SLACK_BYTES = 64;
/** Bits that are set in each byte, as eight numbers. */
const OCTET_BYTES = 8 * 256;
/** In a smaller region there is no room for them. */
const LEAST_BYTES = 16 * OCTET_BYTES;

/**
 * A shared memory with kernels on it, and a region of it that is theirs. What lies anywhere in the memory they read in place: batches that came over a
 * ring. What lies elsewhere is copied to the region first.
 */
export class KernelMemory {
  readonly kernels: Kernels;
  readonly buffer: SharedArrayBuffer;
  readonly blocks: Blocks;
  /** Where the numbers of the bits that are set in a byte lie, for each byte; 0: nowhere. */
  readonly octets: number;
  /** All of the memory, as numbers of 32 bits. */
  readonly words: Int32Array;
  private readonly bytes: Uint8Array;

  private constructor(kernels: Kernels, buffer: SharedArrayBuffer, at: number, bytes: number) {
    this.kernels = kernels;
    this.buffer = buffer;
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.octets = bytes < LEAST_BYTES ? 0 : at;
    if (this.octets !== 0) fillOctets(this.bytes.subarray(at, at + OCTET_BYTES));
    const taken = this.octets === 0 ? 0 : OCTET_BYTES;
    this.blocks = new Blocks(at + taken, bytes - taken);
  }

  /** `undefined` where there are no kernels, or no room for them. */
  static over(
    memory: WebAssembly.Memory | undefined,
    region: { readonly offset: number; readonly bytes: number } | undefined,
  ): KernelMemory | undefined {
    if (memory === undefined || region === undefined || region.bytes === 0) return undefined;
    const { buffer } = memory;
    const kernels = kernelsOver(memory);
    if (kernels === undefined || !(buffer instanceof SharedArrayBuffer)) return undefined;
    return new KernelMemory(kernels, buffer, region.offset, region.bytes);
  }

  /** Bytes that `place` needs at most. */
  roomFor(column: Column): number {
    switch (column.encoding) {
      case "fixed":
        return this.roomForValues(column.values, column.length * elementsPerRow(column.type));
      case "dictionary":
        return this.roomForValues(column.codes, column.length);
      case "var":
        return (
          this.roomForValues(column.offsets, column.length + 1) + this.roomForValues(column.bytes, textBytes(column))
        );
      case "bits":
        return 0;
    }
  }

  roomForValues(values: FixedValues, elements: number): number {
    return values.buffer === this.buffer ? 0 : elements * values.BYTES_PER_ELEMENT + 2 * SLACK_BYTES;
  }

  /** Whether all of a column that kernels read lies in the memory. */
  hasColumn(column: Column): boolean {
    switch (column.encoding) {
      case "fixed":
        return column.values.buffer === this.buffer;
      case "dictionary":
        return column.codes.buffer === this.buffer;
      case "var":
        return column.offsets.buffer === this.buffer && column.bytes.buffer === this.buffer;
      case "bits":
        return true;
    }
  }

  unsigned(at: number, length: number): Uint32Array {
    return new Uint32Array(this.buffer, at, length);
  }

  /** A cursor that copies into a block which has the room. */
  placer(at: number): Placer {
    return new Placer(this.buffer, this.bytes, at);
  }
}

function fillOctets(octets: Uint8Array): void {
  for (let byte = 0; byte < 256; byte++) {
    let at = 8 * byte;
    for (let bit = 0; bit < 8; bit++) if (((byte >> bit) & 1) === 1) octets[at++] = bit;
  }
}

/** Makes columns lie in the memory, copying those that do not; bits stay where they are, no kernel reads them. */
export class Placer {
  private readonly buffer: SharedArrayBuffer;
  private readonly bytes: Uint8Array;
  private at: number;

  constructor(buffer: SharedArrayBuffer, bytes: Uint8Array, at: number) {
    this.buffer = buffer;
    this.bytes = bytes;
    this.at = at;
  }

  column(column: Column): Column {
    switch (column.encoding) {
      case "fixed": {
        const values = this.values(column.values, column.length * elementsPerRow(column.type));
        return values === column.values ? column : { ...column, values };
      }
      case "dictionary": {
        const codes = this.values(column.codes, column.length);
        return codes === column.codes ? column : { ...column, codes };
      }
      case "var":
        return this.text(column);
      case "bits":
        return column;
    }
  }

  private text(column: VarColumn): VarColumn {
    if (column.bytes.buffer === this.buffer && column.offsets.buffer === this.buffer) return column;
    const base = column.offsets[0] as number;
    const size = textBytes(column);
    const offsets = this.copy(column.offsets, column.length + 1);
    // Of a slice only what it shows is copied.
    const bytes = this.copy(base === 0 ? column.bytes : column.bytes.subarray(base), size);
    if (base !== 0) for (let i = 0; i < offsets.length; i++) offsets[i] = (offsets[i] as number) - base;
    return { ...column, offsets, bytes };
  }

  values<T extends FixedValues>(source: T, elements: number): T {
    return source.buffer === this.buffer ? source : this.copy(source, elements);
  }

  private copy<T extends FixedValues>(source: T, elements: number): T {
    const size = elements * source.BYTES_PER_ELEMENT;
    // As far from a multiple of 8 as the source is: any other copy would be several times slower.
    const at = this.at + (source.byteOffset & 7);
    this.at = (at + size + SLACK_BYTES + 7) & ~7;
    const from = bytesOf(source);
    this.bytes.set(from.length === size ? from : from.subarray(0, size), at);
    return new (source.constructor as new (buffer: SharedArrayBuffer, at: number, length: number) => T)(
      this.buffer,
      at,
      elements,
    );
  }
}

const textBytes = ({ offsets, length }: VarColumn): number => (offsets[length] as number) - (offsets[0] as number);
