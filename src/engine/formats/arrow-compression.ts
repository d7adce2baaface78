import { Message } from "apache-arrow";
import { BufferRegion, DictionaryBatch, RecordBatch } from "apache-arrow/ipc/metadata/message";
import { WeirError } from "../base/errors.ts";
import { decodeLz4Frames } from "./compression/lz4.ts";
import { decodeZstd } from "./compression/zstd.ts";

/** By Arrow's number of the codec. */
const CODECS: readonly { readonly name: string; decode(bytes: Uint8Array, size: number): Uint8Array }[] = [
  { name: "LZ4", decode: decodeLz4Frames },
  { name: "ZSTD", decode: decodeZstd },
];

/** A buffer that is stored as it is. */
const PLAIN = -1;
const PREFIX_BYTES = 8;
const MOST_BYTES = 2 ** 31 - 1;

export interface PlainMessage {
  readonly metadata: Uint8Array;
  readonly body: Uint8Array;
}

/** @throws WeirError `arrow-compressed` where the codec is none that Arrow names */
export function refuseCodec(type: number, file: string): void {
  if (CODECS[type] !== undefined) return;
  throw new WeirError({
    code: "arrow-compressed",
    domain: "data",
    file,
    message: `the Arrow file is compressed with an unknown codec (${type}), which cannot be read`,
    hint: `write it without compression, or with ${CODECS.map(({ name }) => name).join(" or ")}`,
  });
}

/**
 * A batch with compressed buffers as one without: every buffer behind its size, at a multiple of 8 bytes.
 * @throws Error where a buffer is not what it says
 */
export function decompressed(header: RecordBatch | DictionaryBatch, body: Uint8Array): PlainMessage {
  const batch = header instanceof DictionaryBatch ? header.data : header;
  const decode = CODECS[batch.compression?.type ?? -1]?.decode;
  if (decode === undefined) throw new Error("it has an unknown codec");
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const buffers = batch.buffers.map(({ offset, length }) => {
    if (length === 0) return new Uint8Array(0);
    if (length < PREFIX_BYTES) throw new Error("a compressed buffer has no size");
    const size = Number(view.getBigInt64(offset, true));
    const bytes = body.subarray(offset + PREFIX_BYTES, offset + length);
    if (size === PLAIN) return bytes;
    if (size < 0 || size > MOST_BYTES) throw new Error("a compressed buffer has a wrong size");
    const plain = decode(bytes, size);
    if (plain.length !== size) throw new Error("a compressed buffer does not have its size");
    return plain;
  });
  let end = 0;
  const regions = buffers.map(({ length }) => {
    const region = new BufferRegion(end, length);
    end += (length + 7) & ~7;
    return region;
  });
  const joined = new Uint8Array(end);
  buffers.forEach((bytes, i) => joined.set(bytes, regions[i]?.offset));
  const plain = new RecordBatch(batch.length, batch.nodes, regions, null, batch.variadicBufferCounts);
  const made = header instanceof DictionaryBatch ? new DictionaryBatch(plain, header.id, header.isDelta) : plain;
  return { metadata: Message.encode(Message.from(made, end)), body: joined };
}
