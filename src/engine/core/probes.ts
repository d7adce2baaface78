import type { TimeMark } from "../base/event-time.ts";

/**
 * What a task is doing, readable from outside while it works (F-81). One Float64Array for a run: a block for each task and one for
 * each edge. Every cell has one writer, which stores plainly: 1–3 ns each. A reader may see cells of different moments, never half a number.
 */
export const TASK_STATES = [
  "Starting",
  "Polling",
  "Receiving",
  "Working",
  "Sending",
  "Barrier",
  "CommitWait",
  "Done",
  "Failed",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

const STATE_INDEX = new Map<TaskState, number>(TASK_STATES.map((state, i) => [state, i]));
export const stateIndex = (state: TaskState): number => STATE_INDEX.get(state) as number;

export const COUNTERS = ["late", "bad", "routed", "evicted", "errors"] as const;
export type Counter = (typeof COUNTERS)[number];

const CELLS = {
  state: 0,
  target: 1,
  since: 2,
  batchesIn: 3,
  rowsIn: 4,
  batchesOut: 5,
  rowsOut: 6,
  markKind: 7,
  markMs: 8,
  pendingEpoch: 9,
  completedEpoch: 10,
  committedEpoch: 11,
  cpuMs: 12,
  turns: 13,
  counters: 16,
  spent: 24,
} as const;
const TASK_CELLS = 40;

const EDGE = { markKind: 0, markMs: 1, delivered: 2, held: 3, batches: 4, rows: 5, ended: 6 } as const;
const EDGE_CELLS = 8;

const STAGE = { rowsIn: 0, rowsOut: 1, counters: 2, foreignSince: 7 } as const;
const STAGE_CELLS = 8;

const MARK_KINDS = ["unknown", "time", "idle", "end"] as const;

export interface ProbeShape {
  readonly tasks: number;
  readonly edges: number;
  /** Stages of all tasks together, numbered in task order: a chained task has several. */
  readonly stages: number;
}

export function probeBytes(shape: ProbeShape): number {
  const cells = shape.tasks * TASK_CELLS + shape.edges * EDGE_CELLS + shape.stages * STAGE_CELLS;
  return cells * Float64Array.BYTES_PER_ELEMENT;
}

/** Writer of one task's block. The runner owns it. */
export class TaskProbe {
  private readonly cells: Float64Array;
  private readonly at: number;
  private state: TaskState = "Starting";
  private index = 0;
  private target = -1;
  private since: number;

  constructor(cells: Float64Array, task: number, nowMs: number) {
    this.cells = cells;
    this.at = task * TASK_CELLS;
    this.since = nowMs;
    cells.fill(0, this.at, this.at + TASK_CELLS);
    cells[this.at + CELLS.target] = -1;
    cells[this.at + CELLS.since] = nowMs;
  }

  /**
   * Enters a state; the time since the last change counts for the one that is left. `target`: edge id while Sending. Answers whether
   * the state is another one than before.
   */
  enter(state: TaskState, nowMs: number, target = -1): boolean {
    const isNew = state !== this.state;
    if (!isNew && target === this.target) return false;
    this.spend(nowMs);
    this.state = state;
    this.index = stateIndex(state);
    this.target = target;
    const { cells, at } = this;
    cells[at + CELLS.state] = this.index;
    cells[at + CELLS.target] = target;
    cells[at + CELLS.since] = nowMs;
    return isNew;
  }

  get current(): TaskState {
    return this.state;
  }

  /** Books the time up to now to the current state. */
  spend(nowMs: number): void {
    const elapsed = nowMs - this.since;
    if (elapsed > 0) this.add(CELLS.spent + this.index, elapsed);
    this.since = nowMs;
  }

  received(rows: number): void {
    this.add(CELLS.batchesIn, 1);
    this.add(CELLS.rowsIn, rows);
  }

  sent(rows: number): void {
    this.add(CELLS.batchesOut, 1);
    this.add(CELLS.rowsOut, rows);
  }

  turn(count = 1): void {
    this.add(CELLS.turns, count);
  }

  time(mark: TimeMark | undefined): void {
    storeMark(this.cells, this.at + CELLS.markKind, mark);
  }

  epochs(pending: number, completed: number, committed: number): void {
    this.cells[this.at + CELLS.pendingEpoch] = pending;
    this.cells[this.at + CELLS.completedEpoch] = completed;
    this.cells[this.at + CELLS.committedEpoch] = committed;
  }

  count(counter: Counter, by: number): void {
    this.add(CELLS.counters + COUNTERS.indexOf(counter), by);
  }

  cpu(ms: number): void {
    this.cells[this.at + CELLS.cpuMs] = ms;
  }

  /** Writer of the block of one of the task's stages; `index` counts over the run's stages. */
  stage(shape: ProbeShape, index: number): StageProbe {
    return new StageProbe(this.cells, shape, index);
  }

  private add(cell: number, by: number): void {
    this.cells[this.at + cell] = (this.cells[this.at + cell] as number) + by;
  }
}

/** Writer of one stage's block: what a chained task does, node by node. */
export class StageProbe {
  private readonly cells: Float64Array;
  private readonly at: number;

  constructor(cells: Float64Array, shape: ProbeShape, index: number) {
    this.cells = cells;
    this.at = stageBlock(shape, index);
    cells.fill(0, this.at, this.at + STAGE_CELLS);
  }

  received(rows: number): void {
    this.add(STAGE.rowsIn, rows);
  }

  /** Rows that the stage sent, each once however many edges it went on; a sink's are those that it made visible. */
  sent(rows: number): void {
    this.add(STAGE.rowsOut, rows);
  }

  count(counter: Counter, by: number): void {
    this.add(STAGE.counters + COUNTERS.indexOf(counter), by);
  }

  /** Since when code is at work that this worker cannot interrupt; `undefined`: none is. */
  foreignCode(sinceMs: number | undefined): void {
    this.cells[this.at + STAGE.foreignSince] = sinceMs ?? 0;
  }

  private add(cell: number, by: number): void {
    this.cells[this.at + cell] = (this.cells[this.at + cell] as number) + by;
  }
}

/** Writer of one edge's block; the task that reads the edge owns it. */
export class EdgeProbe {
  private readonly cells: Float64Array;
  private readonly at: number;

  constructor(cells: Float64Array, shape: ProbeShape, edge: number) {
    this.cells = cells;
    this.at = shape.tasks * TASK_CELLS + edge * EDGE_CELLS;
    cells.fill(0, this.at, this.at + EDGE_CELLS);
  }

  received(rows: number): void {
    this.cells[this.at + EDGE.batches] = (this.cells[this.at + EDGE.batches] as number) + 1;
    this.cells[this.at + EDGE.rows] = (this.cells[this.at + EDGE.rows] as number) + rows;
  }

  time(mark: TimeMark | undefined): void {
    storeMark(this.cells, this.at + EDGE.markKind, mark);
  }

  /** `delivered`: epoch of the barrier that this input delivered and is held behind, else 0. */
  alignment(delivered: number, held: boolean): void {
    this.cells[this.at + EDGE.delivered] = delivered;
    this.cells[this.at + EDGE.held] = held ? 1 : 0;
  }

  end(): void {
    this.cells[this.at + EDGE.ended] = 1;
  }
}

export interface TaskReading {
  readonly state: TaskState;
  /** Edge id while Sending. */
  readonly target: number | undefined;
  /** Milliseconds in that state, never negative (F-81). */
  readonly forMs: number;
  readonly batchesIn: number;
  readonly rowsIn: number;
  readonly batchesOut: number;
  readonly rowsOut: number;
  /** What the task last said downstream; undefined: nothing yet. */
  readonly mark: TimeMark | undefined;
  readonly pendingEpoch: number | undefined;
  readonly completedEpoch: number;
  readonly committedEpoch: number;
  readonly cpuMs: number;
  readonly turns: number;
  readonly counters: Readonly<Record<Counter, number>>;
  /** Milliseconds spent in each state, the current stay not counted. */
  readonly spentMs: Readonly<Record<TaskState, number>>;
}

export interface StageReading {
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly counters: Readonly<Record<Counter, number>>;
  /** Since when foreign code is at work in it, on the run's clock; `undefined`: none is. */
  readonly foreignSinceMs: number | undefined;
}

export interface EdgeReading {
  readonly mark: TimeMark | undefined;
  /** Epoch of the barrier that was delivered and is waited behind. */
  readonly delivered: number | undefined;
  readonly held: boolean;
  readonly batches: number;
  readonly rows: number;
  readonly ended: boolean;
}

/** Reads probes from outside: the page once a frame, the report at the end. */
export class ProbeReader {
  private readonly cells: Float64Array;
  private readonly shape: ProbeShape;

  constructor(cells: Float64Array, shape: ProbeShape) {
    this.cells = cells;
    this.shape = shape;
  }

  task(task: number, nowMs: number): TaskReading {
    const at = task * TASK_CELLS;
    const cell = (i: number) => this.cells[at + i] as number;
    const target = cell(CELLS.target);
    const pending = cell(CELLS.pendingEpoch);
    return {
      state: TASK_STATES[cell(CELLS.state)] as TaskState,
      target: target < 0 ? undefined : target,
      forMs: Math.max(0, nowMs - cell(CELLS.since)),
      batchesIn: cell(CELLS.batchesIn),
      rowsIn: cell(CELLS.rowsIn),
      batchesOut: cell(CELLS.batchesOut),
      rowsOut: cell(CELLS.rowsOut),
      mark: loadMark(this.cells, at + CELLS.markKind),
      pendingEpoch: pending === 0 ? undefined : pending,
      completedEpoch: cell(CELLS.completedEpoch),
      committedEpoch: cell(CELLS.committedEpoch),
      cpuMs: cell(CELLS.cpuMs),
      turns: cell(CELLS.turns),
      counters: named(COUNTERS, (i) => cell(CELLS.counters + i)),
      spentMs: named(TASK_STATES, (i) => cell(CELLS.spent + i)),
    };
  }

  edge(edge: number): EdgeReading {
    const at = this.shape.tasks * TASK_CELLS + edge * EDGE_CELLS;
    const cell = (i: number) => this.cells[at + i] as number;
    const delivered = cell(EDGE.delivered);
    return {
      mark: loadMark(this.cells, at + EDGE.markKind),
      delivered: delivered === 0 ? undefined : delivered,
      held: cell(EDGE.held) === 1,
      batches: cell(EDGE.batches),
      rows: cell(EDGE.rows),
      ended: cell(EDGE.ended) === 1,
    };
  }

  /** `index` counts over the run's stages, in task order. */
  stage(index: number): StageReading {
    const at = stageBlock(this.shape, index);
    const cell = (i: number) => this.cells[at + i] as number;
    const since = cell(STAGE.foreignSince);
    return {
      rowsIn: cell(STAGE.rowsIn),
      rowsOut: cell(STAGE.rowsOut),
      counters: named(COUNTERS, (i) => cell(STAGE.counters + i)),
      foreignSinceMs: since === 0 ? undefined : since,
    };
  }
}

function stageBlock(shape: ProbeShape, index: number): number {
  return shape.tasks * TASK_CELLS + shape.edges * EDGE_CELLS + index * STAGE_CELLS;
}

function named<K extends string>(keys: readonly K[], value: (index: number) => number): Record<K, number> {
  // Filled in place: a page asks for some hundred of these with every frame.
  const record = {} as Record<K, number>;
  for (let i = 0; i < keys.length; i++) record[keys[i] as K] = value(i);
  return record;
}

function storeMark(cells: Float64Array, at: number, mark: TimeMark | undefined): void {
  cells[at] = mark === undefined ? 0 : MARK_KINDS.indexOf(mark.kind);
  if (mark?.kind === "time") cells[at + 1] = mark.ms;
}

function loadMark(cells: Float64Array, at: number): TimeMark | undefined {
  const kind = MARK_KINDS[cells[at] as number] ?? "unknown";
  if (kind === "unknown") return undefined;
  return kind === "time" ? { kind, ms: cells[at + 1] as number } : { kind };
}
