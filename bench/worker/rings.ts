import {
  type Attempt,
  type Batch,
  Doorbell,
  EdgeProbe,
  type Message,
  type ProbeShape,
  RingReader,
  RingWriter,
  type RunLayout,
  TaskProbe,
  type TaskState,
} from "../../src/engine/parts.ts";
import { batchesOf, type Keys, schemaOf, sumOf } from "../batches.ts";

/** Where rings and probes lie. */
export interface RingPlace {
  readonly buffer: SharedArrayBuffer;
  readonly layout: RunLayout;
  readonly attempt: Attempt;
  readonly shape: ProbeShape;
}

export interface ProduceJob {
  readonly place: RingPlace;
  readonly edge: number;
  /** Hosts of this end and of the other one. */
  readonly host: number;
  readonly peer: number;
  readonly keys: Keys;
  readonly rows: number;
  readonly batches: number;
  /** Messages to send. */
  readonly count: number;
}

export interface ConsumeJob {
  readonly place: RingPlace;
  readonly host: number;
  readonly keys: Keys;
  /** Edges that end here, with the hosts at their other ends. */
  readonly inputs: readonly { readonly edge: number; readonly peer: number }[];
}

export interface Consumed {
  /** From the first message to the last. */
  readonly ms: number;
  readonly messages: number;
  readonly sum: number;
}

/** Looks before a sleep, as the engine's hosts do it. */
const SPINS = 40;
const LONGEST_SLEEP_MS = 250;
const DEADLINE_MS = 60_000;

/** After so many messages or rows the engine's hosts read the clock and show what they are doing. */
const BURST_TURNS = 16;
const BURST_ROWS = 8192;

/** A host of one task, as the engine's are: it shows what it does in its probe, and sleeps on its bell. */
class ProbedHost {
  readonly probe: TaskProbe;
  private readonly bell: Doorbell;
  private readonly endsAt = performance.now() + DEADLINE_MS;
  private readonly spins: number;
  private turns = 0;
  private rows = 0;
  now = performance.now();

  constructor(place: RingPlace, host: number, spins = SPINS) {
    this.probe = new TaskProbe(cellsOf(place), host, this.now);
    this.bell = bellOf(place, host);
    this.spins = spins;
  }

  turn(rows: number): void {
    this.turns += 1;
    this.rows += rows;
    if (this.turns >= BURST_TURNS || this.rows >= BURST_ROWS) this.endBurst();
  }

  private endBurst(): void {
    this.probe.turn(this.turns);
    this.now = performance.now();
    this.turns = 0;
    this.rows = 0;
  }

  /** `idle`: what the host does while it sleeps. */
  sleep(idle: TaskState, ready: () => boolean, target?: number): void {
    this.endBurst();
    this.probe.enter(idle, this.now, target);
    this.bell.sleep(ready, LONGEST_SLEEP_MS, this.spins);
    this.now = performance.now();
    if (this.now > this.endsAt) throw new Error("a benchmark stands still");
  }
}

function cellsOf({ buffer, layout: { probes } }: RingPlace): Float64Array {
  return new Float64Array(buffer, probes.offset, probes.bytes / Float64Array.BYTES_PER_ELEMENT);
}

function bellOf({ buffer, layout }: RingPlace, host: number): Doorbell {
  return new Doorbell(buffer, layout.hosts[host] as RunLayout["hosts"][number]);
}

function endOf(place: RingPlace, edge: number, peer: number, keys: Keys) {
  const { buffer, layout, attempt } = place;
  const ring = layout.rings[edge] as RunLayout["rings"][number];
  return { buffer, ring, attempt, schema: schemaOf(keys), edgeName: `e${edge}`, peer: bellOf(place, peer) };
}

const dataOf = (batch: Batch): Message<Batch> => ({ kind: "data", batch });

/** Sends so many batches, and Eos. */
export function produce(job: ProduceJob): void {
  const batches = batchesOf(job.keys, job.rows, job.batches);
  const writer = new RingWriter(endOf(job.place, job.edge, job.peer, job.keys));
  const host = new ProbedHost(job.place, job.host);
  const send = (message: Message<Batch>): void => {
    host.probe.enter("Working", host.now);
    while (!writer.trySend(message)) host.sleep("Sending", () => writer.hasRoom(message), job.edge);
    const rows = message.kind === "data" ? message.batch.rowCount : 0;
    host.probe.sent(rows);
    host.turn(rows);
  };
  for (let i = 0; i < job.count; i++) send(dataOf(batches[i % batches.length] as Batch));
  send({ kind: "eos" });
  writer.close();
}

/** Reads all inputs in turns, in place, to their ends. */
export function consume(job: ConsumeJob): Consumed {
  const readers = job.inputs.map(({ edge, peer }) => new RingReader(endOf(job.place, edge, peer, job.keys)));
  const probes = job.inputs.map(({ edge }) => new EdgeProbe(cellsOf(job.place), job.place.shape, edge));
  const host = new ProbedHost(job.place, job.host);
  let [messages, sum, from, open] = [0, 0, 0, readers.length];
  while (open > 0) {
    let moved = false;
    for (let i = 0; i < readers.length; i++) {
      const reader = readers[i] as RingReader;
      const message = reader.peek();
      if (message === null) continue;
      moved = true;
      host.probe.enter("Working", host.now);
      const rows = message.kind === "data" ? message.batch.rowCount : 0;
      if (message.kind === "data") {
        if (messages++ === 0) from = performance.now();
        host.probe.received(rows);
        (probes[i] as EdgeProbe).received(rows);
        sum += sumOf(message.batch);
      } else open -= 1;
      reader.release();
      host.turn(rows);
    }
    if (moved) continue;
    for (const reader of readers) reader.nudge();
    host.sleep("Receiving", () => readers.some((reader) => reader.peekKind() !== null));
  }
  return { ms: performance.now() - from, messages, sum };
}

export interface PingJob {
  readonly place: RingPlace;
  /** Edge 0 leads from host 0 to host 1, edge 1 back. */
  readonly host: 0 | 1;
  readonly rounds: number;
  readonly spins: number;
}

/** Sends a row and waits for it to come back, or sends back what comes. Answers the time of every round in milliseconds. */
export function ping({ place, host: self, rounds, spins }: PingJob): number[] {
  const other = 1 - self;
  const [batch] = batchesOf("int", 1, 1) as [Batch];
  const writer = new RingWriter(endOf(place, self, other, "int"));
  const reader = new RingReader(endOf(place, other, other, "int"));
  const host = new ProbedHost(place, self, spins);
  const times: number[] = [];
  const hear = (): void => {
    while (reader.peek() === null) host.sleep("Receiving", () => reader.peekKind() !== null);
    reader.release();
  };
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    if (self === 1) hear();
    while (!writer.trySend(dataOf(batch))) host.sleep("Sending", () => true);
    if (self === 1) continue;
    hear();
    times.push(performance.now() - from);
  }
  return times;
}
