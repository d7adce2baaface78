import { END, IDLE, timeMark } from "../base/event-time.ts";
import { epoch, taskId } from "../base/ids.ts";
import type { Message } from "../core/messages.ts";
import { Batch } from "../data/batch.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import { Schema } from "../data/schema.ts";
import type { EdgeReader, EdgeView, EdgeWriter } from "../transport/edge.ts";
import { batchRows, type CellValue, eventTimesOf } from "./batch-values.ts";
import { check, checkEqual } from "./check.ts";
import {
  dictionaryBatch,
  EVERY_TYPE,
  everyTypeBatch,
  sampleTimes,
  TEXT_ONLY,
  TEXTS,
  textBatch,
  textColumn,
} from "./sample-batches.ts";

/**
 * What every edge must do, whatever it is made of. The cases are plain functions that throw, so that the same ones run under
 * vitest and in a page.
 */
export interface EdgeUnderTest {
  readonly writer: EdgeWriter<Batch>;
  readonly reader: EdgeReader<Batch>;
  readonly view: EdgeView;
}

export interface EdgeSetting {
  readonly capacity: number;
  readonly schema: Schema;
  /** For rings: bytes of the data area. Default: 1 MiB. */
  readonly ringBytes?: number;
}

export type EdgeFactory = (setting: EdgeSetting) => EdgeUnderTest;

export interface EdgeCase {
  readonly name: string;
  run(make: EdgeFactory): void;
}

/** A message as it arrived, read out before its slot was given back. */
export type Arrival =
  | { readonly kind: "data"; readonly rows: CellValue[][]; readonly times: number[] | null }
  | Exclude<Message<Batch>, { kind: "data" }>;

export const data = (batch: Batch): Message<Batch> => ({ kind: "data", batch });
export const barrier = (n: number): Message<Batch> => ({ kind: "barrier", epoch: epoch(n) });
export const eos: Message<Batch> = { kind: "eos" };
export const tick = (nowMs: number): Message<Batch> => ({ kind: "tick", nowMs });
export const watermark = (source: number, ms: number): Message<Batch> => ({
  kind: "watermark",
  source: taskId(source),
  mark: timeMark(ms),
});

export function arrivalOf(message: Message<Batch>): Arrival {
  if (message.kind !== "data") return message;
  return { kind: "data", rows: batchRows(message.batch), times: eventTimesOf(message.batch) };
}

export function takeOne(reader: EdgeReader<Batch>): Arrival {
  const message = reader.peek();
  if (message === null) throw new Error("there is no message to take");
  const arrival = arrivalOf(message);
  reader.release();
  return arrival;
}

export function takeAll(reader: EdgeReader<Batch>): Arrival[] {
  const arrivals: Arrival[] = [];
  while (reader.peekKind() !== null) arrivals.push(takeOne(reader));
  return arrivals;
}

/** Sends everything and reads whenever there is no room; what is still queued then is read too. */
export function pass(edge: EdgeUnderTest, messages: readonly Message<Batch>[]): Arrival[] {
  const arrivals: Arrival[] = [];
  for (const message of messages) while (!edge.writer.trySend(message)) arrivals.push(takeOne(edge.reader));
  return [...arrivals, ...takeAll(edge.reader)];
}

/** Passes the messages and compares what arrives with what was sent. */
export function checkPass(make: EdgeFactory, setting: EdgeSetting, messages: readonly Message<Batch>[]): void {
  checkEqual(pass(make(setting), messages), messages.map(arrivalOf), "messages");
}

/** Sends as long as there is room, and answers how many went. */
export function fill(writer: EdgeWriter<Batch>, message: Message<Batch>): number {
  let sent = 0;
  while (writer.trySend(message)) sent++;
  return sent;
}

const one = (text = "x"): Message<Batch> => data(textBatch([text]));
const text = (capacity: number): EdgeSetting => ({ capacity, schema: TEXT_ONLY });

export const edgeContractCases: readonly EdgeCase[] = [
  {
    name: "F-6, F-12: every kind of message arrives once, in order, with all it says",
    run(make) {
      checkPass(make, text(16), [
        { kind: "watermark", source: taskId(3), mark: IDLE },
        watermark(3, -1),
        one("first"),
        watermark(2 ** 30, 8_640_000_000_000_000),
        barrier(1),
        barrier(2 ** 40),
        tick(1234.5),
        one("second"),
        { kind: "watermark", source: taskId(0), mark: END },
        eos,
      ]);
    },
  },
  {
    name: "every column type, with NULLs and without, arrives bit for bit",
    run(make) {
      const setting = { capacity: 16, schema: EVERY_TYPE };
      const counts = [1, 2, 7, 8, 9, 31, 64, 65, 200];
      checkPass(
        make,
        setting,
        counts.map((rows) => data(everyTypeBatch(rows, rows))),
      );
      checkPass(
        make,
        setting,
        counts.map((rows) => data(everyTypeBatch(rows, rows, 0))),
      );
      checkPass(
        make,
        setting,
        counts.map((rows) => data(everyTypeBatch(rows, rows, 1))),
      );
    },
  },
  {
    name: "slices arrive as the rows that they are, from whatever row they start",
    run(make) {
      const whole = everyTypeBatch(150);
      const slices = [];
      for (let from = 0; from < 40; from++) slices.push(data(sliceBatch(whole, from, from + 1 + ((from * 17) % 100))));
      slices.push(data(sliceBatch(sliceBatch(whole, 3, 140), 5, 121)));
      checkPass(make, { capacity: 4, schema: EVERY_TYPE }, slices);
    },
  },
  {
    name: "D-44: batches without rows and batches without columns keep their row count",
    run(make) {
      const bare = new Schema([]);
      checkPass(
        make,
        { capacity: 4, schema: bare },
        [0, 1, 70_000].map((rows) => data(new Batch(bare, rows, []))),
      );
      checkPass(make, { capacity: 4, schema: EVERY_TYPE }, [
        data(everyTypeBatch(0)),
        barrier(1),
        data(everyTypeBatch(1)),
      ]);
      checkPass(make, text(2), [data(textBatch([])), data(sliceBatch(textBatch(["a", "b"]), 1, 1))]);
    },
  },
  {
    name: "D-29: event times travel with the rows, also none and some",
    run(make) {
      const column = textColumn(["a", "b", "c", "d", "e", "f"]);
      const batch = new Batch(TEXT_ONLY, 6, [column], sampleTimes(6, -1_700_000_000_001));
      checkPass(make, text(8), [
        data(batch),
        one(),
        data(sliceBatch(batch, 1, 5)),
        data(new Batch(TEXT_ONLY, 6, [column])),
      ]);
    },
  },
  {
    name: "P-01: text of every kind arrives unchanged",
    run(make) {
      checkPass(make, text(4), [data(textBatch(TEXTS)), ...TEXTS.map(one), data(textBatch([null, ...TEXTS, null]))]);
    },
  },
  {
    name: "a string of a megabyte arrives whole",
    run(make) {
      const long = ["abcdefghij".repeat(100_000), "Grüße".repeat(150_000)];
      checkPass(make, { ...text(4), ringBytes: 4 << 20 }, [
        one(long[0]),
        one("short"),
        one(long[1]),
        data(textBatch(["before", ...long, "after"])),
      ]);
    },
  },
  {
    name: "P-42: dictionary-encoded rows arrive as the words that they mean, whichever dictionary they use",
    run(make) {
      const fruit = textColumn(["apple", "pear", null, ""]);
      const towns = textColumn(["Oslo", "Köln"]);
      const messages = [];
      for (let i = 0; i < 30; i++) {
        messages.push(
          data(i % 3 === 2 ? dictionaryBatch([1, 0, 1], towns) : dictionaryBatch([3, 0, 2, 1, i % 4], fruit)),
        );
      }
      messages.push(one("plain between"), data(sliceBatch(dictionaryBatch([0, 1, 2, 3], fruit), 1, 3)));
      checkPass(make, text(3), messages);
    },
  },
  {
    name: "dictionaries that grow, and one after another of many, never mix up",
    run(make) {
      const words = Array.from({ length: 100 }, (_, i) => `word ${i}`);
      const messages = [];
      for (let i = 1; i < 100; i++)
        messages.push(data(dictionaryBatch([0, i >> 1, i], textColumn(words.slice(0, i + 1)))));
      checkPass(make, text(2), messages);
    },
  },
  {
    name: "D-2: an edge takes `capacity` data messages, then eight of control, then nothing",
    run(make) {
      for (const capacity of [1, 2, 5, 16]) {
        const { writer, reader } = make(text(capacity));
        checkEqual(fill(writer, one()), capacity, "data messages");
        checkEqual(fill(writer, tick(1)), 8, "control behind the data");
        checkEqual([writer.hasRoom(one()), writer.hasRoom(tick(2))], [false, false], "room when full");
        takeOne(reader);
        checkEqual(fill(writer, tick(2)), 1, "control after one was taken");
        checkEqual(fill(writer, one()), 1, "data after one was taken");
      }
    },
  },
  {
    name: "D-2: control alone takes at most capacity + 8 places, and leaves the data its own",
    run(make) {
      const { writer } = make(text(3));
      checkEqual(fill(writer, tick(1)), 11, "control");
      checkEqual(fill(writer, one()), 3, "data behind the control");
      check(!writer.trySend(tick(2)), "control waits when the edge is full");
    },
  },
  {
    name: "F-2: a capacity below 1 is raised to 1",
    run(make) {
      const { writer, view } = make(text(0));
      checkEqual([fill(writer, one()), view.capacity], [1, 1], "data messages and capacity");
    },
  },
  {
    name: "D-2: a barrier gets in behind an edge full of data, and comes out behind it",
    run(make) {
      const { writer, reader } = make(text(4));
      fill(writer, one("before"));
      check(writer.trySend(barrier(7)), "the barrier has a place of its own");
      checkEqual(
        takeAll(reader).map((arrival) => arrival.kind),
        ["data", "data", "data", "data", "barrier"],
        "order",
      );
    },
  },
  {
    name: "F-3: a message that found no room goes through once when offered again",
    run(make) {
      const { writer, reader } = make(text(1));
      check(writer.trySend(one("a")), "the first has room");
      const second = one("b");
      for (let i = 0; i < 5; i++) check(!writer.trySend(second), "the second waits");
      takeOne(reader);
      check(writer.trySend(second), "the second has room now");
      checkEqual(takeAll(reader), [arrivalOf(second)], "what is left");
    },
  },
  {
    name: "hasRoom says what trySend will do, and changes nothing",
    run(make) {
      const { writer, reader, view } = make(text(2));
      for (let step = 0; step < 200; step++) {
        const message = step % 3 === 0 ? tick(step) : one(`row ${step}`);
        const before = [view.queued, view.messagesSent];
        const room = writer.hasRoom(message);
        checkEqual([view.queued, view.messagesSent], before, "what is queued after asking");
        checkEqual(writer.trySend(message), room, `step ${step}`);
        if (step % 5 === 4 || !room) takeOne(reader);
      }
    },
  },
  {
    name: "peek gives the same message until it is released, and takes nothing",
    run(make) {
      const { writer, reader, view } = make(text(4));
      checkEqual([reader.peek(), reader.peekKind()], [null, null], "an empty edge");
      writer.trySend(one("a"));
      writer.trySend(barrier(1));
      checkEqual(reader.peekKind(), "data", "kind before peek");
      const first = reader.peek();
      check(first !== null && first === reader.peek(), "the same object");
      checkEqual([reader.peekKind(), view.queued], ["data", 2], "kind after peek, and the queue");
      reader.release();
      checkEqual(takeAll(reader), [barrier(1)], "the rest");
    },
  },
  {
    name: "a batch keeps its rows until it is released, whatever is sent meanwhile",
    run(make) {
      const { writer, reader } = make({ capacity: 3, schema: EVERY_TYPE });
      for (let i = 0; i < 60; i++) {
        const message = data(everyTypeBatch(40, i));
        check(writer.trySend(message), "there is room");
        const held = reader.peek() as Message<Batch>;
        for (let k = 0; k < 2; k++) writer.trySend(data(everyTypeBatch(30, 1000 + i)));
        checkEqual(arrivalOf(held), arrivalOf(message), `batch ${i}`);
        reader.release();
        takeAll(reader);
      }
    },
  },
  {
    name: "D-16: a closed edge is exhausted only when all that was sent is taken",
    run(make) {
      const { writer, reader } = make(text(4));
      writer.trySend(one());
      writer.trySend(eos);
      check(!reader.exhausted, "still open");
      writer.close();
      writer.close();
      check(!reader.exhausted, "two messages are left");
      takeOne(reader);
      check(!reader.exhausted, "one is left");
      takeOne(reader);
      check(reader.exhausted, "all taken");
      checkEqual([reader.peek(), reader.peekKind()], [null, null], "nothing more");
    },
  },
  {
    name: "F-67: an edge that is empty and open is not exhausted, an edge closed without a message is",
    run(make) {
      const { writer, reader } = make(text(1));
      check(!reader.exhausted, "open");
      writer.close();
      check(reader.exhausted, "closed");
    },
  },
  {
    name: "D-16: what is sent to a closed reader is discarded, also what was waiting",
    run(make) {
      const { writer, reader } = make(text(1));
      const waiting = one("waiting");
      check(writer.trySend(one()) && !writer.trySend(waiting), "full");
      reader.close();
      reader.close();
      check(writer.hasRoom(waiting) && writer.trySend(waiting), "the waiting message goes nowhere");
      for (let i = 0; i < 100; i++) check(writer.trySend(i % 2 === 0 ? one() : barrier(i)), "so do all others");
      checkEqual([reader.peek(), reader.peekKind()], [null, null], "nothing is read");
    },
  },
  {
    name: "the view counts what is queued and what was sent, and names the kinds in order",
    run(make) {
      const { writer, reader, view } = make(text(8));
      checkEqual([view.queued, view.dataQueued, view.bytesQueued, view.kinds(9)], [0, 0, 0, []], "empty");
      for (const message of [one("a"), watermark(1, 5), data(textBatch(["b", "c"])), barrier(1), tick(9)]) {
        writer.trySend(message);
      }
      checkEqual([view.queued, view.dataQueued, view.messagesSent, view.rowsSent], [5, 2, 5, 3], "queued and sent");
      check(view.bytesQueued > 0 && view.bytesQueued <= view.bytesCapacity, "bytes");
      takeOne(reader);
      checkEqual(view.kinds(3), ["watermark", "data", "barrier"], "at most three kinds");
      takeAll(reader);
      checkEqual([view.queued, view.dataQueued, view.bytesQueued, view.kinds(9)], [0, 0, 0, []], "all taken");
      checkEqual([view.messagesSent, view.rowsSent], [5, 3], "sent in all");
    },
  },
  ...[1, 2, 3].map((seed) => ({
    name: `F-6: batches of every size keep their order while sending and taking interleave (seed ${seed})`,
    run(make: EdgeFactory) {
      interleave(make({ capacity: 1 + seed * 3, schema: EVERY_TYPE }), seed, 400);
    },
  })),
];

/** Random bursts of sending and taking; every message must arrive as it was sent. */
function interleave(edge: EdgeUnderTest, seed: number, messages: number): void {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const expected: Arrival[] = [];
  const actual: Arrival[] = [];
  let next: Message<Batch> | null = null;
  for (let made = 0; made < messages || next !== null; ) {
    if (next === null) {
      next = random(4) === 0 ? barrier(made) : data(everyTypeBatch(random(random(10) === 0 ? 300 : 20), made));
      expected.push(arrivalOf(next));
      made++;
    }
    if (edge.writer.trySend(next)) next = null;
    else actual.push(takeOne(edge.reader));
    for (let n = random(3); n > 0 && edge.reader.peekKind() !== null; n--) actual.push(takeOne(edge.reader));
  }
  actual.push(...takeAll(edge.reader));
  checkEqual(actual, expected, "all messages");
}
