import { decodeUtf8, encodeUtf8 } from "../../data/text.ts";

/**
 * The sections of a WebAssembly binary, as far as the engine has to know them. The binary has been compiled before, so it is
 * well-formed: nothing here checks what the compiler has checked.
 */

/** Numbers of sections that are read or written here. */
export const SECTION = { custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, export: 7 } as const;

/** Kinds of exports. */
export const EXPORT = { function: 0, memory: 2 } as const;

export const I32 = 0x7f;

const HEADER_BYTES = 8;

/** A section: its number and its bytes, without both their lengths. */
export interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

/** Reads what a section is made of, one thing after another. */
export class SectionReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    return this.bytes[this.at++] as number;
  }

  /** An unsigned LEB128 number of up to 32 bits. */
  u32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return taken;
  }

  name(): string {
    return decodeUtf8(this.take(this.u32()));
  }
}

export function sectionsOf(binary: Uint8Array): Section[] {
  const reader = new SectionReader(binary);
  reader.take(HEADER_BYTES);
  const sections: Section[] = [];
  while (!reader.isAtEnd) {
    const id = reader.byte();
    sections.push({ id, body: reader.take(reader.u32()) });
  }
  return sections;
}

const leb128 = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(Math.floor(value / 128))];

/**
 * The binary with its one memory imported as `module.name` instead of defined, at most `maxPages` large. Memories have numbers of their
 * own and imported ones come first, so everything else in the binary stays right.
 */
export function withMemoryImported(
  binary: Uint8Array,
  memory: { readonly module: string; readonly name: string; readonly minPages: number; readonly maxPages: number },
): Uint8Array<ArrayBuffer> {
  const text = (value: string): number[] => [...leb128(encodeUtf8(value).length), ...encodeUtf8(value)];
  const limits = [1, ...leb128(memory.minPages), ...leb128(memory.maxPages)];
  const imported = Uint8Array.from([1, ...text(memory.module), ...text(memory.name), EXPORT.memory, ...limits]);
  const kept = sectionsOf(binary).filter(({ id }) => id !== SECTION.memory && id !== SECTION.import);
  // Imports come behind types and before everything else; custom sections may stand anywhere.
  const place = kept.findIndex(({ id }) => id !== SECTION.custom && id !== SECTION.type);
  const sections = kept.toSpliced(place < 0 ? kept.length : place, 0, { id: SECTION.import, body: imported });
  const parts = sections.map(({ id, body }) => ({ head: [id, ...leb128(body.length)], body }));
  const size = parts.reduce((sum, { head, body }) => sum + head.length + body.length, HEADER_BYTES);
  const made = new Uint8Array(size);
  made.set(binary.subarray(0, HEADER_BYTES));
  let at = HEADER_BYTES;
  for (const { head, body } of parts) {
    made.set(head, at);
    made.set(body, at + head.length);
    at += head.length + body.length;
  }
  return made;
}
