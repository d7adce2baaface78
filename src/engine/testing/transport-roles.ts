import { attempt } from "../base/ids.ts";
import type { Message } from "../core/messages.ts";
import { Batch } from "../data/batch.ts";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { Doorbell } from "../transport/doorbell.ts";
import type { RunLayout } from "../transport/ring-layout.ts";
import { RingReader } from "../transport/ring-reader.ts";
import { RingWriter } from "../transport/ring-writer.ts";
import { check } from "./check.ts";
import { barrier, data, eos } from "./edge-contract.ts";

/**
 * What workers do in the threaded tests of the rings: hosts of one task that follow the wait protocol as the engine's own do.
 * Host 0 reads all edges; host i + 1 writes edge i.
 */
export interface TransportJob {
  readonly role: "count-up" | "add-up";
  readonly buffer: SharedArrayBuffer;
  readonly layout: RunLayout;
  /** For `count-up`: which edge, how many one-row messages, and after how many of them a barrier follows (0: never). */
  readonly edge: number;
  readonly messages: number;
  readonly barrierEvery: number;
  /** How often a host looks around before it sleeps. 0 sleeps as often as can be. */
  readonly spins: number;
  /** Milliseconds after which a host gives up. */
  readonly deadlineMs: number;
}

export interface TransportReport {
  /** Sum of all values, and messages of each kind that counts, by edge. */
  readonly sum: number;
  readonly rows: readonly number[];
  readonly barriers: readonly number[];
  readonly sleeps: number;
  /** Sleeps that nobody ended though there was something to do: lost wake-ups. */
  readonly lostWakeUps: number;
}

export const COUNTING = new Schema([{ name: "n", type: typeOf("int32"), nullable: false }]);

const READER_HOST = 0;
const writerHost = (edge: number): number => edge + 1;

/** @public A test names it to the bundler of its workers. */
export function runTransportJob(job: TransportJob): TransportReport {
  return job.role === "count-up" ? countUp(job) : addUp(job);
}

/** A host's sleep, with a count of what went wrong. */
class Sleeper {
  sleeps = 0;
  lostWakeUps = 0;
  private readonly bell: Doorbell;
  private readonly spins: number;
  private readonly endsAt: number;

  constructor(job: TransportJob, host: number) {
    this.bell = bellOf(job, host);
    this.spins = job.spins;
    this.endsAt = performance.now() + job.deadlineMs;
  }

  sleep(ready: () => boolean): void {
    const end = this.bell.sleep(ready, undefined, this.spins);
    if (end !== "ready") this.sleeps += 1;
    if (end === "timed-out") {
      if (ready()) this.lostWakeUps += 1;
      check(performance.now() < this.endsAt, "the deadline is over");
    }
  }
}

function bellOf({ buffer, layout }: TransportJob, host: number): Doorbell {
  return new Doorbell(buffer, layout.hosts[host] as RunLayout["hosts"][number]);
}

function ringEnd(job: TransportJob, edge: number, peerHost: number) {
  const ring = job.layout.rings[edge] as RunLayout["rings"][number];
  const common = { buffer: job.buffer, attempt: attempt(1), schema: COUNTING, edgeName: `e${edge}` };
  return { ...common, ring, peer: bellOf(job, peerHost) };
}

/** Sends 0, 1, 2… one row a message, and Eos. */
function countUp(job: TransportJob): TransportReport {
  const sleeper = new Sleeper(job, writerHost(job.edge));
  const writer = new RingWriter(ringEnd(job, job.edge, READER_HOST));
  const send = (message: Message<Batch>): void => {
    while (!writer.trySend(message)) sleeper.sleep(() => writer.hasRoom(message));
  };
  let sum = 0;
  for (let n = 0; n < job.messages; n++) {
    send(data(numberBatch(n)));
    sum += n;
    if (job.barrierEvery > 0 && n % job.barrierEvery === job.barrierEvery - 1) send(barrier(n + 1));
  }
  send(eos);
  writer.close();
  return { sum, rows: [job.messages], barriers: [], sleeps: sleeper.sleeps, lostWakeUps: sleeper.lostWakeUps };
}

function numberBatch(n: number): Batch {
  const values = Int32Array.of(n);
  const column = { encoding: "fixed", type: typeOf("int32"), length: 1, nullCount: 0, validity: null, values } as const;
  return new Batch(COUNTING, 1, [column]);
}

/** Reads all edges round-robin to their ends, and checks that every message is the one that is due. */
function addUp(job: TransportJob): TransportReport {
  const sleeper = new Sleeper(job, READER_HOST);
  const readers = job.layout.rings.map((_, edge) => new RingReader(ringEnd(job, edge, writerHost(edge))));
  const rows = readers.map(() => 0);
  const barriers = readers.map(() => 0);
  const ended = readers.map(() => false);
  let sum = 0;
  const takeOne = (reader: RingReader, edge: number): void => {
    const message = reader.peek();
    const due = rows[edge] as number;
    switch (message?.kind) {
      case "data": {
        const column = message.batch.columns[0];
        const n = column?.encoding === "fixed" ? (column.values[0] as number) : Number.NaN;
        check(n === due, `edge ${edge}: ${due} is due, got ${n}`);
        sum += n;
        rows[edge] = due + 1;
        break;
      }
      case "barrier":
        check(
          (message.epoch as number) === due,
          `edge ${edge}: a barrier behind row ${due} is that of ${message.epoch}`,
        );
        barriers[edge] = (barriers[edge] as number) + 1;
        break;
      default:
        check(message?.kind === "eos", `edge ${edge}: no such message was sent`);
        ended[edge] = true;
    }
    reader.release();
  };
  while (ended.includes(false)) {
    let moved = false;
    readers.forEach((reader, edge) => {
      if (reader.peekKind() === null) return;
      takeOne(reader, edge);
      moved = true;
    });
    if (moved) continue;
    for (const reader of readers) reader.nudge();
    sleeper.sleep(() => readers.some((reader) => reader.peekKind() !== null));
  }
  check(
    readers.every((reader) => reader.peek() === null),
    "nothing comes after Eos",
  );
  return { sum, rows, barriers, sleeps: sleeper.sleeps, lostWakeUps: sleeper.lostWakeUps };
}
