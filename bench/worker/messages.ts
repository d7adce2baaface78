import { AsyncByteQueue, type RecordBatch, RecordBatchReader, RecordBatchStreamWriter } from "apache-arrow";
import { batchesOf, sum } from "../batches.ts";
import { type RowObject, recordBatchOf, rowObjectsOf } from "./arrow.ts";
import type { Consumed } from "./rings.ts";

/** The end of a channel, in Node as in a page. */
export interface Port {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  close(): void;
}

/** `ipc`: an Arrow IPC stream, a message a batch, buffers handed over. `objects`: row objects by structured clone. */
export type Form = "ipc" | "objects";

export interface PostJob {
  readonly port: Port;
  readonly form: Form;
  readonly rows: number;
  readonly batches: number;
  readonly count: number;
}

/** Messages that are on their way; without a bound the fastest sender would measure its memory. */
const CREDIT = 8;

/** Sends so many batches; each answer is the credit for another one. */
export function post({ port, form, rows, batches, count }: PostJob): Promise<void> {
  const send = form === "ipc" ? ipcSender(port, rows, batches) : objectSender(port, rows, batches);
  return new Promise((resolve) => {
    let [sent, answered] = [0, 0];
    const go = (): void => {
      while (sent < count && sent - answered < CREDIT) send(sent++);
      if (answered < count) return;
      port.close();
      resolve();
    };
    port.onmessage = () => {
      answered += 1;
      go();
    };
    go();
  });
}

function ipcSender(port: Port, rows: number, count: number): (index: number) => void {
  const records = kept(`ipc ${rows} ${count}`, () => batchesOf("text", rows, count).map(recordBatchOf));
  const stream = new Pieces();
  const writer = new RecordBatchStreamWriter();
  writer.reset(stream, (records[0] as RecordBatch).schema);
  return (index) => {
    writer.write(records[index % records.length] as RecordBatch);
    const bytes = stream.take();
    port.postMessage(bytes, [bytes.buffer]);
  };
}

/** Takes what the library writes at once; by itself it hands it on only asynchronously. */
class Pieces extends AsyncByteQueue {
  private pieces: Uint8Array[] = [];
  private length = 0;

  override write(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.pieces.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
    this.length += piece.byteLength;
  }

  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    this.pieces = [];
    this.length = 0;
    return bytes;
  }
}

/** As many different messages of row objects as fit some 300,000 rows: no kernel sees them whose branches could be learnt. */
const MOST_OBJECTS = 300_000;

function objectSender(port: Port, rows: number, batches: number): (index: number) => void {
  const count = Math.max(2, Math.min(batches, Math.floor(MOST_OBJECTS / rows)));
  const messages = kept(`objects ${rows} ${count}`, () => batchesOf("text", rows, count).map(rowObjectsOf));
  return (index) => port.postMessage(messages[index % messages.length]);
}

export interface ReceiveJob {
  readonly port: Port;
  readonly form: Form;
  readonly count: number;
}

/** Reads so many batches and adds up their values. */
export async function receive(job: ReceiveJob): Promise<Consumed> {
  return job.form === "ipc" ? receiveIpc(job) : receiveObjects(job);
}

async function receiveIpc({ port, count }: ReceiveJob): Promise<Consumed> {
  let [messages, total, from] = [0, 0, 0];
  const reader = await RecordBatchReader.from(bytesFrom(port, count));
  for await (const record of reader as AsyncIterable<RecordBatch>) {
    if (messages++ === 0) from = performance.now();
    total += sum(record.data.children[2]?.values as Float64Array);
  }
  return { ms: performance.now() - from, messages, sum: total };
}

async function* bytesFrom(port: Port, count: number): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let wake: () => void = () => undefined;
  port.onmessage = ({ data }) => {
    waiting.push(data as Uint8Array);
    wake();
  };
  for (let taken = 0; taken < count; taken++) {
    if (waiting.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    yield waiting.shift() as Uint8Array;
    port.postMessage(null);
  }
}

function receiveObjects({ port, count }: ReceiveJob): Promise<Consumed> {
  let [messages, total, from] = [0, 0, 0];
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => {
      if (messages++ === 0) from = performance.now();
      for (const row of data as readonly RowObject[]) total += row.v;
      port.postMessage(null);
      if (messages === count) resolve({ ms: performance.now() - from, messages, sum: total });
    };
  });
}

export interface EchoJob {
  readonly port: Port;
  readonly rounds: number;
}

/** Sends back what comes. */
export function echo({ port, rounds }: EchoJob): Promise<void> {
  return new Promise((resolve) => {
    let heard = 0;
    port.onmessage = ({ data }) => {
      port.postMessage(data);
      if (++heard === rounds) resolve();
    };
  });
}

/** Sends a small message and waits for it to come back. Answers the time of every round in milliseconds. */
export function call({ port, rounds }: EchoJob): Promise<number[]> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let from = performance.now();
    port.onmessage = () => {
      const now = performance.now();
      times.push(now - from);
      if (times.length === rounds) {
        port.close();
        resolve(times);
        return;
      }
      from = now;
      port.postMessage(times.length);
    };
    port.postMessage(0);
  });
}

const keptValues = new Map<string, readonly unknown[]>();

/** The last thing made of each form, so that it is not made anew for every measurement. */
function kept<T>(name: string, make: () => readonly T[]): readonly T[] {
  const known = keptValues.get(name) as readonly T[] | undefined;
  if (known !== undefined) return known;
  const values = make();
  const form = name.split(" ", 1)[0] as string;
  for (const other of keptValues.keys()) if (other.startsWith(form)) keptValues.delete(other);
  keptValues.set(name, values);
  return values;
}
