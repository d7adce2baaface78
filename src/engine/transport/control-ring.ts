import { assert, assertNever } from "../base/assert.ts";
import { epoch, type TaskId, taskId } from "../base/ids.ts";
import type { ControlMessage } from "../core/messages.ts";
import type { Bell } from "./doorbell.ts";
import {
  CONTROL_RECORD_BYTES,
  CONTROL_RECORDS,
  CONTROL_RING_BYTES,
  type HostRegion,
  LINE_BYTES,
} from "./ring-layout.ts";

/** A control word on its way to a task of the host that owns the ring. */
export interface ControlRecord {
  readonly task: TaskId;
  readonly message: ControlMessage;
}

const SENT = 0;
const TAKEN = LINE_BYTES / 4;
const RECORDS = 2 * LINE_BYTES;
const MASK = CONTROL_RECORDS - 1;

const KINDS = ["barrier", "commit", "stop", "close-control"] as const satisfies ControlMessage["kind"][];

/** The two counters and the records, as both ends see them. A record: task, kind (two words), epoch (a double). */
class ControlWords {
  readonly counters: Int32Array;
  readonly words: Int32Array;
  readonly doubles: Float64Array;

  constructor(buffer: SharedArrayBuffer, host: HostRegion) {
    this.counters = new Int32Array(buffer, host.control, RECORDS / 4);
    this.words = new Int32Array(buffer, host.control + RECORDS, (CONTROL_RING_BYTES - RECORDS) / 4);
    this.doubles = new Float64Array(buffer, host.control + RECORDS, (CONTROL_RING_BYTES - RECORDS) / 8);
  }
}

const WORDS = CONTROL_RECORD_BYTES / 4;
const DOUBLES = CONTROL_RECORD_BYTES / 8;

/**
 * The coordinator's end. Nothing is ever dropped or reordered: what the ring has no room for is held back here until
 * `flush` finds room.
 */
export class ControlWriter {
  private readonly ring: ControlWords;
  private readonly bell: Bell;
  private readonly heldBack: ControlRecord[] = [];
  private sent: number;

  constructor(buffer: SharedArrayBuffer, host: HostRegion, bell: Bell) {
    this.ring = new ControlWords(buffer, host);
    this.bell = bell;
    this.sent = Atomics.load(this.ring.counters, SENT);
  }

  send(task: TaskId, message: ControlMessage): void {
    this.heldBack.push({ task, message });
    this.flush();
  }

  /** Records that wait for room. While there are any, `flush` must be called from time to time. */
  get held(): number {
    return this.heldBack.length;
  }

  flush(): void {
    const room = CONTROL_RECORDS - ((this.sent - Atomics.load(this.ring.counters, TAKEN)) | 0);
    const batch = this.heldBack.splice(0, room);
    if (batch.length === 0) return;
    for (const record of batch) this.write(record);
    Atomics.store(this.ring.counters, SENT, this.sent);
    this.bell.ring();
  }

  private write({ task, message }: ControlRecord): void {
    const slot = this.sent & MASK;
    this.ring.words[slot * WORDS] = task;
    this.ring.words[slot * WORDS + 1] = KINDS.indexOf(message.kind);
    this.ring.doubles[slot * DOUBLES + 1] = "epoch" in message ? message.epoch : 0;
    this.sent = (this.sent + 1) | 0;
  }
}

/** The host's end. */
export class ControlReader {
  private readonly ring: ControlWords;
  private taken: number;

  constructor(buffer: SharedArrayBuffer, host: HostRegion) {
    this.ring = new ControlWords(buffer, host);
    this.taken = Atomics.load(this.ring.counters, TAKEN);
  }

  /** Whether `take` would give a record: part of what a host looks at before it sleeps. */
  get ready(): boolean {
    return Atomics.load(this.ring.counters, SENT) !== this.taken;
  }

  /** The next record, in the order of sending; null when there is none. */
  take(): ControlRecord | null {
    if (!this.ready) return null;
    const slot = this.taken & MASK;
    const task = taskId(this.ring.words[slot * WORDS] as number);
    const message = decode(
      this.ring.words[slot * WORDS + 1] as number,
      this.ring.doubles[slot * DOUBLES + 1] as number,
    );
    this.taken = (this.taken + 1) | 0;
    Atomics.store(this.ring.counters, TAKEN, this.taken);
    return { task, message };
  }
}

function decode(code: number, value: number): ControlMessage {
  const kind = KINDS[code];
  assert(kind !== undefined, `there is no control word ${code}`);
  switch (kind) {
    case "barrier":
    case "commit":
      return { kind, epoch: epoch(value) };
    case "stop":
    case "close-control":
      return { kind };
    default:
      return assertNever(kind);
  }
}
