import type { TimeMark } from "../base/event-time.ts";
import type { EdgeId, Epoch } from "../base/ids.ts";
import type { LawBook } from "./law-book.ts";
import type { MessageTrace } from "./trace-event.ts";

/** Rows, and the control message that ended them. */
interface Segment {
  readonly rows: number;
  readonly control: string;
}

/** One end of an edge. Data is counted by rows between control messages, because a ring may slice a batch. */
class EdgeEnd {
  rows = 0;
  /** Rows since the last control message. */
  open = 0;
  eos = false;
  /** Segments that the other end has not matched yet. */
  readonly segments: Segment[] = [];
  lastBarrier: Epoch | undefined = undefined;
  /** Rows before the barrier of an epoch. */
  readonly rowsBefore = new Map<Epoch, number>();

  take(message: MessageTrace): void {
    if (message.message === "data") {
      this.rows += message.rows ?? 0;
      this.open += message.rows ?? 0;
      return;
    }
    this.segments.push({ rows: this.open, control: controlText(message) });
    this.open = 0;
    if (message.message === "eos") this.eos = true;
    if (message.message === "barrier" && message.epoch !== undefined) {
      this.lastBarrier = message.epoch;
      this.rowsBefore.set(message.epoch, this.rows);
    }
  }
}

/**
 * The laws of one edge: first in, first out (F-6); barriers one by one (D-8); times that do not go back, idleness said once, END last
 * (D-3, D-22); nothing after Eos (F-46).
 */
export class EdgeLaws {
  readonly sent = new EdgeEnd();
  readonly received = new EdgeEnd();
  private readonly edge: EdgeId;
  private readonly book: LawBook;
  /** Whether events come in the order in which they happened, across tasks. */
  private readonly ordered: boolean;
  /** A script says what it says, also a time that goes back (D-52). */
  private readonly scripted: boolean;
  private said: TimeMark | undefined = undefined;
  private saidMs = Number.NEGATIVE_INFINITY;

  constructor(edge: EdgeId, book: LawBook, ordered: boolean, scripted: boolean) {
    this.edge = edge;
    this.book = book;
    this.ordered = ordered;
    this.scripted = scripted;
  }

  send(message: MessageTrace): void {
    this.require(!this.sent.eos, "F-46", () => `${message.message} was sent after Eos`);
    if (message.message === "barrier") this.barrier(message.epoch);
    if (message.mark !== undefined) this.mark(message.mark);
    this.sent.take(message);
    this.match();
  }

  receive(message: MessageTrace): void {
    this.require(!this.received.eos, "F-46", () => `${message.message} was received after Eos`);
    this.received.take(message);
    if (this.ordered) {
      const { sent, received } = this;
      this.require(received.rows <= sent.rows, "F-6", () => `${received.rows} rows received, ${sent.rows} sent`);
    }
    this.match();
    if (this.ordered) this.noneUnsent();
  }

  /** At the end of the trace. `clean`: everybody came to an end, so everything that was sent was received. */
  finish(clean: boolean): void {
    this.noneUnsent();
    const { sent, received } = this;
    // What is open at the reader is a part of the segment that is next at the writer.
    const next = sent.segments[0]?.rows ?? sent.open;
    this.require(received.open <= next, "F-6", () => `${received.open} rows received where ${next} were sent`);
    if (!clean) return;
    this.require(sent.eos && received.eos, "F-46", () => `Eos was ${sent.eos ? "not received" : "not sent"}`);
    const left = sent.segments.length > 0 || sent.rows !== received.rows;
    this.require(
      !left,
      "F-3",
      () => `${sent.rows} rows sent, ${received.rows} received, ${sent.segments.length} control messages left`,
    );
  }

  private match(): void {
    const { sent, received } = this;
    while (sent.segments.length > 0 && received.segments.length > 0) {
      const [was, is] = [sent.segments.shift() as Segment, received.segments.shift() as Segment];
      const same = was.rows === is.rows && was.control === is.control;
      this.require(same, "F-6", () => `${segmentText(is)} received where ${segmentText(was)} were sent`);
    }
  }

  private noneUnsent(): void {
    const unsent = this.received.segments.shift();
    if (unsent !== undefined) this.broken("F-6", `${segmentText(unsent)} received, but not sent`);
  }

  private barrier(epoch: Epoch | undefined): void {
    const last = this.sent.lastBarrier;
    if (epoch === undefined || last === undefined) return;
    this.require(epoch === last + 1, "D-8", () => `barrier ${epoch} follows barrier ${last}`);
  }

  private mark(mark: TimeMark): void {
    const { said } = this;
    this.require(said?.kind !== "end", "D-3", () => `${markText(mark)} was said after the end of time`);
    if (mark.kind === "idle") this.require(said?.kind !== "idle", "D-3", () => "idle was said twice in a row");
    if (mark.kind === "time") {
      const back = mark.ms < this.saidMs && !this.scripted;
      this.require(!back, "D-22", () => `time went back from ${this.saidMs} to ${mark.ms}`);
      this.saidMs = Math.max(this.saidMs, mark.ms);
    }
    this.said = mark;
  }

  private require(condition: boolean, law: string, message: () => string): void {
    if (!condition) this.broken(law, message());
  }

  private broken(law: string, message: string): void {
    this.book.broken(law, `edge ${this.edge}: ${message}`);
  }
}

const markText = (mark: TimeMark): string => (mark.kind === "time" ? `time ${mark.ms}` : mark.kind);

function controlText({ message, epoch, source, mark }: MessageTrace): string {
  if (message === "barrier") return `barrier ${epoch}`;
  if (message === "watermark" && mark !== undefined) return `${markText(mark)} of task ${source}`;
  return message;
}

const segmentText = ({ rows, control }: Segment): string => `${rows} rows, then ${control}`;
