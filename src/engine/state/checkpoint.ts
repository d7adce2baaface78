import { WeirError } from "../base/errors.ts";
import { END, IDLE, type TimeMark, timeMark } from "../base/event-time.ts";
import { type Epoch, epoch as toEpoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { decodeSnapshot, encodeSnapshot } from "./snapshot-codec.ts";

/**
 * Everything that a run needs to go on behind a completed epoch: by node and subtask, not by task, so that it does not matter which
 * nodes share a task, or on which worker it lies.
 */
export interface Checkpoint {
  /** Made at random by a graph's first run and inherited by all that continue it (D-12). */
  readonly lineage: string;
  readonly epoch: Epoch;
  /** Name of the graph, for people. */
  readonly graph: string;
  readonly vnodes: number;
  /** Every sink has made the epoch visible, and the rows went where they go: nothing is left to be committed again (D-14). */
  readonly settled: boolean;
  readonly nodes: readonly CheckpointNode[];
}

export interface CheckpointNode {
  readonly node: string;
  readonly kind: string;
  /** Canonical text of its configuration, of the columns that it gets by port, and of how rows come to it: what its state depends on. */
  readonly config: string;
  readonly inputs: string;
  readonly routes: string;
  /** By subtask. */
  readonly subtasks: readonly StageState[];
}

/** One stage at the epoch's barrier; see `StageSnapshot` in `core/effects.ts`. */
export interface StageState {
  readonly state: Uint8Array | null;
  readonly time: {
    readonly fired: number | undefined;
    readonly said: TimeMark | undefined;
    readonly saidMs?: number | undefined;
  };
}

const FORMAT = "weir.checkpoint/v1";

export function encodeCheckpoint({ nodes, ...head }: Checkpoint): Uint8Array<ArrayBuffer> {
  const saved = nodes.map(({ subtasks, ...node }) => ({ ...node, subtasks: subtasks.map(saveStage) }));
  return encodeSnapshot({ format: FORMAT, ...head, nodes: saved });
}

/**
 * The checkpoint that was encoded.
 * @throws WeirError `snapshot-damaged`, `snapshot-version`, `no-checkpoint`
 */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const value = decodeSnapshot(bytes) as { readonly [key: string]: SnapshotValue } | null;
  if (value?.["format"] !== FORMAT) {
    throw new WeirError({
      code: "no-checkpoint",
      domain: "checkpoint",
      message: `it is no checkpoint of this version: its format is ${JSON.stringify(value?.["format"] ?? null)}, not "${FORMAT}"`,
      hint: "use the program that wrote it",
    });
  }
  // What the checksum covers is what `encodeCheckpoint` wrote.
  const { lineage, epoch, graph, vnodes, settled, nodes } = value as unknown as SavedCheckpoint;
  return { lineage, epoch: toEpoch(epoch), graph, vnodes, settled, nodes: nodes.map(loadNode) };
}

type SavedStage = readonly [state: Uint8Array | null, fired: number | null, said: string | null, saidMs: number | null];
type SavedNode = Omit<CheckpointNode, "subtasks"> & { readonly subtasks: readonly SavedStage[] };
type SavedCheckpoint = Omit<Checkpoint, "nodes"> & { readonly nodes: readonly SavedNode[] };

function saveStage({ state, time: { fired, said, saidMs } }: StageState): SavedStage {
  return [state, fired ?? null, said?.kind ?? null, saidMs ?? null];
}

function loadNode({ subtasks, ...node }: SavedNode): CheckpointNode {
  return { ...node, subtasks: subtasks.map(loadStage) };
}

function loadStage([state, fired, said, saidMs]: SavedStage): StageState {
  const time = { fired: fired ?? undefined, said: markOf(said, saidMs), saidMs: saidMs ?? undefined };
  return { state, time };
}

function markOf(kind: string | null, ms: number | null): TimeMark | undefined {
  if (kind === "end") return END;
  if (kind === "idle") return IDLE;
  return ms === null ? undefined : timeMark(ms);
}
