import { Message } from "apache-arrow";
import { Footer } from "apache-arrow/ipc/metadata/file";
import type { DictionaryBatch, RecordBatch } from "apache-arrow/ipc/metadata/message";
import { errorText, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { decompressed, type PlainMessage, refuseCodec } from "./arrow-compression.ts";
import { checkFooter, checkMessage } from "./flatbuffer-check.ts";

/**
 * The messages of an Arrow IPC file or stream, checked: a damaged or truncated file is an error that says where, whatever its
 * bytes are. A file is read by its footer, a stream from its start; both come out as the messages of a stream, one record
 * batch at a time in memory.
 */
export interface IpcMessage {
  readonly kind: "schema" | "dictionary" | "batch";
  /** Of a record batch. */
  readonly rows: number;
  /** Where the next one begins. */
  readonly end: number;
  /** As in a stream: prefix, metadata, body, which is not compressed any more. */
  readonly bytes: readonly Uint8Array[];
}

const MAGIC = [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31];
/** Length of the footer and the magic, behind the footer. */
const TAIL_BYTES = 10;
const CONTINUATION = -1;
const MAX_METADATA_BYTES = 256 << 20;
const MAX_ROWS = 2 ** 31 - 1;

const isMagic = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

export function damaged(file: string, what: string): WeirError {
  return new WeirError({
    code: "file-damaged",
    domain: "data",
    file,
    message: `the Arrow file is damaged or cut off: ${what}`,
    hint: "write or copy it again",
  });
}

/**
 * All messages from the start.
 * @param unended is called when a stream ends without its end mark, as it may, and as it does when it was cut off
 * @throws WeirError `wrong-format`, `file-damaged`, `arrow-compressed`
 */
export async function* ipcMessages(file: ReadableFile, unended: () => void): AsyncGenerator<IpcMessage> {
  const start = await file.read(0, 8);
  if (start.length === 0) {
    throw new WeirError({
      code: "file-empty",
      domain: "data",
      file: file.name,
      message: "the file is empty, not an Arrow file",
      hint: "give another file",
    });
  }
  if (!isMagic(start)) yield* streamMessages(file, 0, unended, start);
  else if (file.size === undefined) yield* streamMessages(file, 8, unended, undefined);
  else yield* fileMessages(file, file.size);
}

/** @param prefix the first bytes from `from`, where they were read already: a stream cannot go back */
async function* streamMessages(
  file: ReadableFile,
  from: number,
  unended: () => void,
  prefix: Uint8Array | undefined,
): AsyncGenerator<IpcMessage> {
  const end = file.size ?? Number.MAX_SAFE_INTEGER;
  let offset = from;
  for (let isFirst = true; ; isFirst = false) {
    const message = await messageAt(file, offset, end, from === 0, isFirst ? prefix : undefined);
    if (message === "cut-off") unended();
    if (typeof message === "string" && !isFirst) return;
    if (typeof message === "string" || (message.kind === "schema") !== isFirst) {
      throw damaged(file.name, `no ${isFirst ? "schema" : "rows"} at byte ${offset}`);
    }
    yield message;
    offset = message.end;
  }
}

/** An end mark with more behind it is damage, or rows would be lost without a word. */
async function refuseMore(file: ReadableFile, end: number, behind: Uint8Array): Promise<void> {
  const more = behind.length > 0 ? behind : await file.read(end, 1);
  if (more.length > 0) throw damaged(file.name, `more bytes stand behind the end at byte ${end}`);
}

/**
 * The message at `offset`, or that there is none: an end mark, or the end of the file.
 * @param end where the file, or its part with messages, ends
 * @param isStream nothing else may follow the end mark
 * @param known the first bytes of it, where they were read already
 */
async function messageAt(
  file: ReadableFile,
  offset: number,
  end: number,
  isStream: boolean,
  known?: Uint8Array,
): Promise<IpcMessage | "ended" | "cut-off"> {
  const prefix = known ?? (await file.read(offset, Math.min(8, Math.max(0, end - offset))));
  if (prefix.length === 0) return "cut-off";
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
  if (prefix.length < 4) throw damaged(file.name, `it ends inside a message at byte ${offset}`);
  // Before version 0.15 there was no continuation mark.
  const isOld = view.getInt32(0, true) !== CONTINUATION;
  if (!isOld && prefix.length < 8) throw damaged(file.name, `it ends inside a message at byte ${offset}`);
  const size = view.getInt32(isOld ? 0 : 4, true);
  const start = offset + (isOld ? 4 : 8);
  if (size === 0) {
    const mark = isOld ? 4 : 8;
    if (isStream) await refuseMore(file, offset + mark, prefix.subarray(mark));
    return "ended";
  }
  if (size < 0 || size > MAX_METADATA_BYTES || start + size > end) {
    if (isStream && isOld && offset === 0) throw notArrow(file.name);
    throw damaged(file.name, `the message at byte ${offset} is longer than the file`);
  }
  const metadata = await file.read(start, size);
  if (metadata.length < size) throw damaged(file.name, `it ends inside the message at byte ${offset}`);
  const message = decodeMessage(file.name, metadata, offset, isStream && isOld && offset === 0);
  const { bodyLength } = message;
  if (!Number.isSafeInteger(bodyLength) || bodyLength < 0 || start + size + bodyLength > end) {
    throw damaged(file.name, `the message at byte ${offset} is longer than the file`);
  }
  const rows = checkHeader(file.name, message, offset);
  const body = await file.read(start + size, bodyLength);
  if (body.length < bodyLength) throw damaged(file.name, `it ends inside the message at byte ${offset}`);
  const common = { kind: kindOf(message), rows, end: start + size + bodyLength };
  if ((batchHeader(message)?.compression ?? null) === null) {
    return { ...common, bytes: [isOld ? prefix.subarray(0, 4) : prefix, metadata, body] };
  }
  const plain = plainMessage(file.name, message, body, offset);
  return { ...common, bytes: [messagePrefix(plain.metadata.length), plain.metadata, plain.body] };
}

function plainMessage(file: string, message: Message, body: Uint8Array, offset: number): PlainMessage {
  try {
    return decompressed(message.header() as RecordBatch | DictionaryBatch, body);
  } catch (error) {
    throw damaged(file, `${errorText(error)}, in the message at byte ${offset}`);
  }
}

function notArrow(file: string): WeirError {
  return new WeirError({
    code: "wrong-format",
    domain: "data",
    file,
    message: "the file is no Arrow file or stream",
    hint: "set the format that it has",
  });
}

function decodeMessage(file: string, metadata: Uint8Array, offset: number, mayBeOther: boolean): Message {
  try {
    checkMessage(metadata);
    return Message.decode(metadata);
  } catch (error) {
    if (error instanceof WeirError) throw error.at({ file });
    throw mayBeOther ? notArrow(file) : damaged(file, `${errorText(error)}, in the message at byte ${offset}`);
  }
}

function kindOf(message: Message): IpcMessage["kind"] {
  if (message.isSchema()) return "schema";
  return message.isDictionaryBatch() ? "dictionary" : "batch";
}

/** Checks what a message says about its body, and answers its rows. */
function checkHeader(file: string, message: Message, offset: number): number {
  const header = batchHeader(message);
  if (header === undefined) return 0;
  if (header.compression !== null) refuseCodec(header.compression.type, file);
  const { length, nodes, buffers } = header;
  const fits =
    isCount(length) &&
    nodes.every((node) => isCount(node.length) && node.nullCount >= 0 && node.nullCount <= node.length) &&
    buffers.every(({ offset: at, length: size }) => at >= 0 && size >= 0 && at + size <= message.bodyLength);
  if (!fits) throw damaged(file, `the message at byte ${offset} does not fit its data`);
  return length;
}

function batchHeader(message: Message) {
  if (message.isDictionaryBatch()) return message.header().data;
  return message.isRecordBatch() ? message.header() : undefined;
}

const isCount = (value: number): boolean => value >= 0 && value <= MAX_ROWS;

/** Dictionaries first: in a file they may stand behind the batches that use them. */
async function* fileMessages(file: ReadableFile, size: number): AsyncGenerator<IpcMessage> {
  const { footer, end } = await readFooter(file, size);
  const schema = Message.encode(Message.from(footer.schema));
  yield { kind: "schema", rows: 0, end: 0, bytes: [messagePrefix(schema.length), schema] };
  for (const [blocks, kind] of [
    [[...footer.dictionaryBatches()], "dictionary"],
    [[...footer.recordBatches()], "batch"],
  ] as const) {
    for (const block of blocks) {
      const message = await messageAt(file, block.offset, end, false);
      if (typeof message === "string" || message.kind !== kind)
        throw damaged(file.name, `no ${kind} at byte ${block.offset}`);
      yield message;
    }
  }
}

function messagePrefix(size: number): Uint8Array {
  const prefix = new Uint8Array(8);
  const view = new DataView(prefix.buffer);
  view.setInt32(0, CONTINUATION, true);
  view.setInt32(4, size, true);
  return prefix;
}

async function readFooter(file: ReadableFile, size: number): Promise<{ footer: Footer; end: number }> {
  const tail = await file.read(Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  if (size < 8 + TAIL_BYTES || tail.length < TAIL_BYTES || !isMagic(tail.subarray(4))) {
    throw damaged(file.name, "the footer at its end is missing");
  }
  const length = new DataView(tail.buffer, tail.byteOffset).getInt32(0, true);
  const start = size - TAIL_BYTES - length;
  if (length <= 0 || start < 8) throw damaged(file.name, "the footer is longer than the file");
  const bytes = await file.read(start, length);
  try {
    checkFooter(bytes);
    return { footer: Footer.decode(bytes), end: start };
  } catch (error) {
    if (error instanceof WeirError) throw error.at({ file: file.name });
    throw damaged(file.name, `${errorText(error)}, in the footer`);
  }
}
