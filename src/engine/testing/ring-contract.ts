import { InvariantError } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import { attempt, edgeId } from "../base/ids.ts";
import type { Message } from "../core/messages.ts";
import { Batch } from "../data/batch.ts";
import type { DictionaryColumn } from "../data/column.ts";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import type { Bell } from "../transport/doorbell.ts";
import { closeBothEnds, type RingEnd, resetRing, SENT, TAKEN } from "../transport/ring-header.ts";
import { layoutRun, type RingRegion } from "../transport/ring-layout.ts";
import { RingReader } from "../transport/ring-reader.ts";
import { RingView } from "../transport/ring-view.ts";
import { RingWriter } from "../transport/ring-writer.ts";
import { allocateRunMemory, resetRun } from "../transport/run-memory.ts";
import { check, checkEqual, thrownBy } from "./check.ts";
import {
  type Arrival,
  arrivalOf,
  barrier,
  data,
  type EdgeCase,
  type EdgeFactory,
  type EdgeSetting,
  type EdgeUnderTest,
  eos,
  fill,
  pass,
  takeAll,
  takeOne,
} from "./edge-contract.ts";
import {
  dictionaryBatch,
  EVERY_TYPE,
  everyTypeBatch,
  KEY_TIME_VALUE,
  keyTimeValueBatch,
  TEXT_ONLY,
  textBatch,
  textColumn,
} from "./sample-batches.ts";

const KIB = 1024;

/** A ring in memory of its own, both ends in this thread, with bells that count how often they were rung. */
export class LocalRing implements EdgeUnderTest {
  readonly buffer: SharedArrayBuffer;
  readonly region: RingRegion;
  readonly view: RingView;
  writer!: RingWriter;
  reader!: RingReader;
  readonly writerBell = new CountingBell();
  readonly readerBell = new CountingBell();
  private readonly schema: Schema;

  constructor({ capacity, schema, ringBytes = KIB * KIB }: EdgeSetting, startCount = 0) {
    const spec = { id: edgeId(5), capacity };
    const layout = layoutRun({ edges: [spec], hosts: 0, ringBudgetMiB: 8, probeBytes: 0 });
    const [ring] = layout.rings as [RingRegion];
    this.region = { ...ring, data: { offset: ring.data.offset, bytes: ringBytes } };
    this.buffer = allocateRunMemory(ring.data.offset + ringBytes).buffer;
    this.schema = schema;
    resetRun(this.buffer, { ...layout, rings: [this.region] }, attempt(1));
    const header = new Int32Array(this.buffer, this.region.header);
    header[SENT] = startCount;
    header[TAKEN] = startCount;
    this.view = new RingView(this.buffer, this.region);
    this.open(1);
  }

  open(n: number): void {
    this.writer = new RingWriter(this.end(n, this.readerBell));
    this.reader = new RingReader(this.end(n, this.writerBell));
  }

  end(n: number, peer: Bell, schema = this.schema): RingEnd {
    return { buffer: this.buffer, ring: this.region, attempt: attempt(n), schema, peer, edgeName: "e1" };
  }
}

class CountingBell implements Bell {
  rung = 0;
  /** What the host that is woken would see. */
  onRing: (() => void) | undefined;

  ring(): void {
    this.rung += 1;
    this.onRing?.();
  }
}

export const ringFactory: EdgeFactory = (setting) => new LocalRing(setting);

/** The same edge, whose count of messages is about to pass 2^32. */
export const wrappingRingFactory: EdgeFactory = (setting) => new LocalRing(setting, -5);

const textRing = (capacity: number, ringBytes = 64 * KIB): LocalRing =>
  new LocalRing({ capacity, schema: TEXT_ONLY, ringBytes });

/** Slices of a batch put together again. */
function rowsOf(arrivals: readonly Arrival[]): Arrival[] {
  const joined: Arrival[] = [];
  for (const arrival of arrivals) {
    const last = joined.at(-1);
    if (arrival.kind !== "data" || last?.kind !== "data") joined.push(arrival);
    else {
      const times = last.times === null || arrival.times === null ? null : [...last.times, ...arrival.times];
      joined[joined.length - 1] = { kind: "data", rows: [...last.rows, ...arrival.rows], times };
    }
  }
  return joined;
}

/** What only an edge in shared memory does. */
export const ringContractCases: readonly EdgeCase[] = [
  {
    name: "a batch larger than the ring goes in slices, in order, before what follows it",
    run() {
      for (const capacity of [1, 2, 16]) {
        const ring = new LocalRing({ capacity, schema: EVERY_TYPE, ringBytes: 64 * KIB });
        const big = data(everyTypeBatch(5000));
        const arrivals = pass(ring, [big, barrier(1), data(everyTypeBatch(3)), barrier(2), big, eos]);
        check(arrivals.length > 20, "several slices each");
        const whole = [big, barrier(1), data(everyTypeBatch(3)), barrier(2), big, eos].map(arrivalOf);
        checkEqual(rowsOf(arrivals), whole, `capacity ${capacity}`);
      }
    },
  },
  {
    name: "a batch that is half sent goes before anything else",
    run() {
      const { writer, reader } = textRing(1);
      const big = data(textBatch(Array.from({ length: 100 }, (_, i) => `${i}`.repeat(1000))));
      check(!writer.trySend(big), "no room for all of it");
      check(thrownBy(() => writer.trySend(barrier(1))) instanceof InvariantError, "no barrier in between");
      check(thrownBy(() => writer.trySend(data(textBatch(["x"])))) instanceof InvariantError, "no other batch either");
      check(!writer.hasRoom(big), "still no room");
      takeOne(reader);
      check(writer.hasRoom(big) && !writer.trySend(big), "the next slice");
      reader.close();
      check(writer.trySend(big) && writer.trySend(barrier(1)), "a reader that closed wants no more of it");
    },
  },
  {
    name: "a row may be as large as the ring, a larger one is an error that names edge, row and size",
    run() {
      const ring = textRing(4);
      const large = data(textBatch(["a", "x".repeat(50 * KIB), "b"]));
      checkEqual(
        rowsOf(pass(ring, [large, barrier(1), large])),
        [large, barrier(1), large].map(arrivalOf),
        "large rows",
      );
      const error = thrownBy(() => fill(ring.writer, data(textBatch(["a", "b", "x".repeat(70_000)]))));
      check(error instanceof WeirError, "a WeirError");
      const { code, edge, row, message, hint } = (error as WeirError).data;
      checkEqual([code, edge, row], ["row-too-large", "e1", 3], "code and place");
      check(/\b70\d{3} bytes\b.*\b65536\b/.test(message), `both sizes in: ${message}`);
      check(hint?.startsWith("raise settings.ringBudgetMiB") === true, `what helps: ${hint}`);
      const huge = thrownBy(() => fill(ring.writer, data(textBatch(["x".repeat(5 * KIB * KIB)]))));
      check(huge instanceof WeirError && huge.data.hint?.startsWith("no ring has more") === true, "nothing does");
    },
  },
  {
    name: "a table of 400 columns fits the smallest ring",
    run() {
      const schema = new Schema(
        Array.from({ length: 400 }, (_, i) => ({ name: `c${i}`, type: typeOf("utf8"), nullable: true })),
      );
      const columns = schema.fields.map((_, i) => textColumn([`value ${i}`, null, "z"]));
      const batch = data(new Batch(schema, 3, columns));
      const ring = new LocalRing({ capacity: 2, schema, ringBytes: 64 * KIB });
      checkEqual(rowsOf(pass(ring, [batch, batch])), rowsOf([batch, batch].map(arrivalOf)), "rows");
    },
  },
  {
    name: "batches are read in place: borrowed views of the ring, aligned to 64 where they are long",
    run() {
      const { writer, reader, buffer } = new LocalRing({ capacity: 2, schema: KEY_TIME_VALUE });
      writer.trySend(data(keyTimeValueBatch(1000, 1)));
      const message = reader.peek() as Extract<Message<Batch>, { kind: "data" }>;
      check(message.batch.borrowed, "borrowed");
      for (const column of message.batch.columns) {
        const view =
          column.encoding === "fixed" ? column.values : column.encoding === "var" ? column.offsets : undefined;
        checkEqual([view?.buffer === buffer, (view?.byteOffset ?? 1) % 64], [true, 0], "place");
      }
    },
  },
  {
    name: "a dictionary crosses an edge once, and outlives its slot as one object",
    run() {
      const { writer, reader, view } = textRing(2);
      const dictionary = textColumn(Array.from({ length: 1000 }, (_, i) => `word ${i}`));
      const received = new Set<unknown>();
      const sizes = [];
      for (let i = 0; i < 20; i++) {
        check(writer.trySend(data(dictionaryBatch([i, 999 - i], dictionary))), "room");
        sizes.push(view.bytesQueued);
        const message = reader.peek() as Extract<Message<Batch>, { kind: "data" }>;
        const column = message.batch.columns[0] as DictionaryColumn;
        check(column.dictionary.bytes.buffer instanceof ArrayBuffer, "private memory");
        received.add(column.dictionary);
        takeOne(reader);
      }
      check((sizes[0] as number) > 8000 && sizes.slice(1).every((size) => size <= 128), `bytes: ${sizes}`);
      checkEqual(received.size, 1, "dictionaries at the reader");
    },
  },
  {
    name: "a dictionary takes no message's place, and is none for whoever looks on",
    run() {
      const { writer, reader, view } = textRing(2);
      const [a, b] = [textColumn(["x", "y"]), textColumn(["z"])];
      check(writer.trySend(data(dictionaryBatch([1], a))) && writer.trySend(data(dictionaryBatch([0], b))), "room");
      checkEqual([view.queued, view.dataQueued, view.kinds(9)], [2, 2, ["data", "data"]], "what is seen");
      checkEqual(fill(writer, barrier(1)), 8, "control behind the data");
      checkEqual(takeAll(reader).length, 10, "messages");
      checkEqual([view.queued, view.bytesQueued, view.messagesSent], [0, 0, 10], "at the end");
    },
  },
  {
    name: "of a dictionary that grew only the new words cross, and old batches keep theirs",
    run() {
      const { writer, reader, view } = textRing(4);
      const all = textColumn(Array.from({ length: 1000 }, (_, i) => `word ${i}`));
      const prefix = (length: number): typeof all => ({ ...all, length, offsets: all.offsets.subarray(0, length + 1) });
      writer.trySend(data(dictionaryBatch([0, 899], prefix(900))));
      const before = takeOne(reader);
      writer.trySend(data(dictionaryBatch([899, 949], prefix(950))));
      check(view.bytesQueued < 1500, `${view.bytesQueued} bytes for 50 words`);
      writer.trySend(data(dictionaryBatch([0, 999], prefix(1000))));
      writer.trySend(data(dictionaryBatch([1, 899], prefix(900))));
      const rows = (a: number, b: number): Arrival => ({
        kind: "data",
        rows: [[`word ${a}`], [`word ${b}`]],
        times: null,
      });
      checkEqual([before, ...takeAll(reader)], [rows(0, 899), rows(899, 949), rows(0, 999), rows(1, 899)], "rows");
    },
  },
  {
    name: "a dictionary of more than 65,536 words or a quarter of the ring goes as plain text",
    run() {
      const long = textColumn(Array.from({ length: 1000 }, (_, i) => `${i}`.repeat(10)));
      const many = textColumn(Array.from({ length: 65_537 }, (_, i) => i.toString(36)));
      for (const [dictionary, ringBytes] of [[long, 64 * KIB] as const, [many, 4096 * KIB] as const]) {
        const { writer, reader } = textRing(2, ringBytes);
        const batch = dictionaryBatch([1, 999, 0], dictionary);
        check(writer.trySend(data(batch)), "room");
        const message = reader.peek() as Extract<Message<Batch>, { kind: "data" }>;
        checkEqual(message.batch.columns[0]?.encoding, "var", "encoding");
        checkEqual(takeOne(reader), arrivalOf(data(batch)), "rows");
      }
    },
  },
  {
    name: "D-9: a ring reset for the next attempt is empty and open, and refuses the attempt before",
    run() {
      const ring = textRing(4);
      fill(ring.writer, data(textBatch(["old"])));
      ring.writer.close();
      ring.reader.close();
      resetRing(ring.buffer, ring.region, attempt(2));
      check(thrownBy(() => ring.open(1)) instanceof InvariantError, "attempt 1 is over");
      ring.open(2);
      checkEqual(
        [ring.reader.peek(), ring.reader.exhausted, ring.view.queued, ring.view.kinds(9)],
        [null, false, 0, []],
        "empty",
      );
      const message = data(textBatch(["new"]));
      checkEqual(pass(ring, [message, barrier(3)]), [message, barrier(3)].map(arrivalOf), "messages");
      checkEqual([ring.view.messagesSent, ring.view.rowsSent], [2, 1], "totals of this attempt");
    },
  },
  {
    name: "a ring opened with the wrong schema, or for another edge, is refused",
    run() {
      const ring = textRing(4);
      const reader = new RingReader(ring.end(1, ring.writerBell, EVERY_TYPE));
      ring.writer.trySend(data(textBatch(["a"])));
      check(thrownBy(() => reader.peek()) instanceof InvariantError, "another schema");
      const other = { ...ring.end(1, ring.writerBell), ring: { ...ring.region, edge: edgeId(6) } };
      check(thrownBy(() => new RingReader(other)) instanceof InvariantError, "another edge");
    },
  },
  {
    name: "D-16: a ring closed at both ends from outside ends both",
    run() {
      const { buffer, region, writer, reader } = textRing(1);
      const waiting = data(textBatch(["a"]));
      fill(writer, waiting);
      closeBothEnds(buffer, region);
      check(writer.hasRoom(waiting) && writer.trySend(waiting), "the writer sends into nothing");
      takeAll(reader);
      check(reader.exhausted, "the reader finds its input lost once it took what was there");
    },
  },
  {
    name: "P-12: the reader is rung after every message, and at the end",
    run() {
      const { writer, readerBell } = textRing(4);
      writer.trySend(data(textBatch(["a"])));
      writer.trySend(barrier(1));
      checkEqual(readerBell.rung, 2, "after two messages");
      writer.close();
      checkEqual(readerBell.rung, 3, "after closing");
    },
  },
  {
    name: "P-12: whoever is rung finds what it is rung for",
    run() {
      const { writer, reader, writerBell, readerBell } = textRing(1);
      const message = data(textBatch(["a"]));
      const seen: unknown[] = [];
      readerBell.onRing = () => seen.push(reader.peekKind() ?? reader.exhausted);
      writerBell.onRing = () => seen.push(writer.hasRoom(message));
      check(writer.trySend(message) && !writer.trySend(message), "full");
      takeOne(reader);
      writer.close();
      reader.close();
      checkEqual(seen, ["data", true, true, true], "a message, room, the end, a closed reader");
    },
  },
  {
    name: "P-12: a writer that waits is rung when half the ring is free, always when it is empty, and never otherwise",
    run() {
      const { writer, reader, writerBell } = textRing(4);
      const message = data(textBatch(["a"]));
      for (let i = 0; i < 4; i++) writer.trySend(message);
      takeOne(reader);
      checkEqual(writerBell.rung, 0, "nobody waits");
      writer.trySend(message);
      check(!writer.trySend(message), "full");
      takeOne(reader);
      checkEqual(writerBell.rung, 0, "a quarter is free");
      check(writer.hasRoom(message), "which is room enough for whoever looks");
      takeOne(reader);
      checkEqual(writerBell.rung, 1, "half is free");
      takeOne(reader);
      takeOne(reader);
      checkEqual(writerBell.rung, 3, "empty");
      check(writer.trySend(message), "it goes on");
      takeOne(reader);
      checkEqual(writerBell.rung, 3, "nobody waits any more");
    },
  },
  {
    name: "P-12: a reader about to sleep rings the writer that could go on, and leaves one that could not",
    run() {
      const { writer, reader, writerBell } = textRing(8);
      const message = data(textBatch(["a"]));
      fill(writer, message);
      reader.nudge();
      checkEqual(writerBell.rung, 0, "no room");
      takeOne(reader);
      checkEqual(writerBell.rung, 0, "too little to wake it for");
      reader.nudge();
      checkEqual(writerBell.rung, 1, "before sleeping");
    },
  },
  {
    name: "D-16: a reader that closes rings the writer that waits for it",
    run() {
      const { writer, reader, writerBell } = textRing(1);
      fill(writer, data(textBatch(["a"])));
      reader.close();
      checkEqual(writerBell.rung, 1, "rung");
    },
  },
];
