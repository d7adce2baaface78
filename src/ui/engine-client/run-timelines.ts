import { type Plan, type SharedRun, TimelineReader, type TraceEvent } from "../../engine/index.ts";
import { TaskTrack } from "./task-track.ts";

/** A task took its snapshot of an epoch: there the barrier passed it. */
export interface BarrierPassage {
  readonly epoch: number;
  readonly task: number;
  readonly atMs: number;
  /** How long it waited for the barrier on its other inputs. */
  readonly alignedMs: number;
}

const PASSAGES_KEPT = 20_000;
/** For the export: the newest events, in chunks that are dropped whole. */
const CHUNK = 10_000;
const CHUNKS_KEPT = 20;

/** What the tasks of a run did when, as far as it was recorded. */
export class RunTimelines {
  /** By task id. */
  readonly tracks: readonly TaskTrack[];
  /** By epoch, oldest first. */
  readonly passages = new Map<number, BarrierPassage[]>();
  /** Events that were overwritten before they could be read. */
  lost = 0;
  private passageCount = 0;
  private chunks: TraceEvent[][] = [[]];
  private readonly hosts: readonly { readonly reader: TimelineReader; readonly tasks: readonly number[] }[];

  constructor(plan: Plan, shared: SharedRun | undefined) {
    this.tracks = plan.tasks.map(() => new TaskTrack());
    this.hosts = (shared?.timelines ?? []).map((buffer, host) => ({
      reader: new TimelineReader(buffer),
      tasks: plan.tasks.flatMap(({ id }) => (shared?.hostOf[id] === host ? [id] : [])),
    }));
  }

  /** Reads what the hosts wrote since the last time. */
  take(): void {
    for (const { reader, tasks } of this.hosts) {
      const before = reader.lost;
      const events = reader.take();
      if (reader.lost > before) {
        this.lost += reader.lost - before;
        for (const task of tasks) this.tracks[task]?.lose();
      }
      this.add(events);
    }
  }

  add(events: readonly TraceEvent[]): void {
    for (const event of events) {
      this.keep(event);
      if (event.task === undefined) continue;
      const track = this.tracks[event.task];
      if (event.kind === "state") track?.enter(event.state, event.atMs);
      else if (event.kind === "snapshot" && track !== undefined) {
        this.pass({ epoch: event.epoch, task: event.task, atMs: event.atMs, alignedMs: track.takeAligned(event.atMs) });
      }
    }
  }

  /** The newest events that were kept, oldest first. */
  get events(): TraceEvent[] {
    return this.chunks.flat();
  }

  private keep(event: TraceEvent): void {
    let chunk = this.chunks[this.chunks.length - 1] as TraceEvent[];
    if (chunk.length >= CHUNK) {
      chunk = [];
      this.chunks.push(chunk);
      if (this.chunks.length > CHUNKS_KEPT) this.chunks.shift();
    }
    chunk.push(event);
  }

  private pass(passage: BarrierPassage): void {
    const others = this.passages.get(passage.epoch);
    if (others === undefined) this.passages.set(passage.epoch, [passage]);
    else others.push(passage);
    this.passageCount++;
    while (this.passageCount > PASSAGES_KEPT && this.passages.size > 1) {
      const [oldest, dropped] = this.passages.entries().next().value as [number, BarrierPassage[]];
      this.passages.delete(oldest);
      this.passageCount -= dropped.length;
    }
  }
}
