import { WeirError } from "../base/errors.ts";
import type { EdgeId } from "../base/ids.ts";
import { CONTROL_SLOTS } from "./edge.ts";

/**
 * Where everything of a run lies in its one shared buffer: byte offsets, as plain data that can be posted to workers.
 *
 * A 64-byte line is the unit of everything: what two threads write never shares a cache line, and payloads start on one.
 */
export const LINE_BYTES = 64;
export const KIB = 1024;
export const MIB = 1024 * KIB;

/** A ring has at least this much, else a run does not start. */
export const MIN_RING_BYTES = 64 * KIB;
export const MAX_RING_BYTES = 4 * MIB;
/** A ring takes this part of the budget, and no less than USUAL_RING_BYTES, when nothing is known of its batches. */
const USUAL_SHARE = 64;
/** A text of a MiB with its frame; more would only spill out of the cache. */
const USUAL_RING_BYTES = MIB + 64 * KIB;

/** The first page is left to the static data of kernels that work on this memory. */
export const KERNEL_BYTES = 64 * KIB;
/** What kernels of one host get to work in, at most, and what all hosts get together. */
const MAX_KERNEL_REGION_BYTES = 4 * MIB;
const KERNEL_BUDGET_BYTES = 16 * MIB;
/** State, attempt, slow motion, failure: a line each. */
export const RUN_WORDS_BYTES = 4 * LINE_BYTES;
/** The bell and the word that says its host sleeps, a line each. */
export const BELL_BYTES = 2 * LINE_BYTES;
/** Control words that a host's ring holds; the coordinator keeps the rest. */
export const CONTROL_RECORDS = 64;
export const CONTROL_RECORD_BYTES = 16;
/** Two counters, a line each, and the records. */
export const CONTROL_RING_BYTES = 2 * LINE_BYTES + CONTROL_RECORDS * CONTROL_RECORD_BYTES;
/** Identity, writer, reader, closed flags, blocked writer: a line each. */
export const RING_HEADER_BYTES = 5 * LINE_BYTES;
/** What is said of a message beside its kind; all there is of a control message. */
export const SLOT_BYTES = 32;

export interface EdgeSpec {
  readonly id: EdgeId;
  /** Data messages; below 1 is raised to 1 (F-2). */
  readonly capacity: number;
  /** Bytes of a usual batch, where known. */
  readonly batchBytes?: number | undefined;
}

export interface LayoutInput {
  readonly edges: readonly EdgeSpec[];
  /** Number of hosts. */
  readonly hosts: number;
  readonly ringBudgetMiB: number;
  readonly probeBytes: number;
  /** Tasks that say how far they have come: all, by their numbers, or none. */
  readonly pacedTasks?: number | undefined;
  /** Hosts in which kernels work: those that shuffle. */
  readonly kernelHosts?: readonly number[] | undefined;
}

export interface Region {
  readonly offset: number;
  readonly bytes: number;
}

/** One edge's ring. */
export interface RingRegion {
  readonly edge: EdgeId;
  readonly capacity: number;
  /** RING_HEADER_BYTES of control words. */
  readonly header: number;
  /** `slots` bytes: the kind of the message in each slot. */
  readonly kinds: number;
  /** `slots` × SLOT_BYTES. */
  readonly slotTable: number;
  /** Power of two, so that slots stay right when the message count wraps at 2^32. */
  readonly slots: number;
  /** Frames of batches. */
  readonly data: Region;
}

export interface HostRegion {
  readonly bell: number;
  readonly control: number;
  /** Memory for the host's kernels; no bytes where it has none. */
  readonly kernels: Region;
}

export interface RunLayout {
  readonly totalBytes: number;
  readonly runWords: number;
  readonly probes: Region;
  /** A line for each task. */
  readonly paces: Region;
  readonly hosts: readonly HostRegion[];
  /** By position in `LayoutInput.edges`. */
  readonly rings: readonly RingRegion[];
}

/** What a run's memory costs, told before it starts. */
export interface PlanCost {
  readonly edges: number;
  readonly totalBytes: number;
  readonly ringBytes: number;
  /** Smallest and largest ring; 0 without edges. */
  readonly minRingBytes: number;
  readonly maxRingBytes: number;
}

/**
 * Lays out a run. Pure: the same input gives the same offsets in every worker.
 *
 * @throws WeirError `ring-budget-too-small` naming the budget that the edges need
 */
export function layoutRun(input: LayoutInput): RunLayout {
  const dataBytes = shareRingBytes(input);
  const place = new Placer(KERNEL_BYTES);
  const runWords = place.take(RUN_WORDS_BYTES);
  const bells = Array.from({ length: input.hosts }, () => ({
    bell: place.take(BELL_BYTES),
    control: place.take(CONTROL_RING_BYTES),
  }));
  const probes = { offset: place.take(input.probeBytes), bytes: input.probeBytes };
  const paceBytes = LINE_BYTES * (input.pacedTasks ?? 0);
  const paces = { offset: place.take(paceBytes), bytes: paceBytes };
  const rings = input.edges.map((edge, index): RingRegion => {
    const slots = slotCount(edge.capacity);
    const bytes = dataBytes[index] as number;
    return {
      edge: edge.id,
      capacity: Math.max(1, edge.capacity),
      header: place.take(RING_HEADER_BYTES),
      kinds: place.take(slots),
      slotTable: place.take(slots * SLOT_BYTES),
      slots,
      data: { offset: place.take(bytes), bytes },
    };
  });
  // Behind the rings: kernels read a few bytes more than there are, and what is never used is never touched.
  const kernelBytes = kernelRegionBytes(input);
  const hosts = bells.map((words, host) => {
    const bytes = input.kernelHosts?.includes(host) === true ? kernelBytes : 0;
    return { ...words, kernels: { offset: place.take(bytes), bytes } };
  });
  return { totalBytes: place.end, runWords, probes, paces, hosts, rings };
}

function kernelRegionBytes({ kernelHosts = [] }: LayoutInput): number {
  const share = Math.floor(KERNEL_BUDGET_BYTES / Math.max(1, kernelHosts.length));
  return Math.min(MAX_KERNEL_REGION_BYTES, share - (share % LINE_BYTES));
}

export function planCost(layout: RunLayout): PlanCost {
  const sizes = layout.rings.map((ring) => ring.data.bytes);
  return {
    edges: sizes.length,
    totalBytes: layout.totalBytes,
    ringBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    minRingBytes: sizes.reduce((least, bytes) => Math.min(least, bytes), sizes[0] ?? 0),
    maxRingBytes: sizes.reduce((most, bytes) => Math.max(most, bytes), 0),
  };
}

/**
 * An edge full of control still takes `capacity` data messages behind it (D-2), and each of them may be preceded by a
 * dictionary: so many slots can be in use at once.
 */
function slotCount(capacity: number): number {
  const most = 3 * Math.max(1, capacity) + CONTROL_SLOTS;
  return 2 ** Math.ceil(Math.log2(most));
}

/**
 * Bytes of data area for every edge: room for four batches, at least what is usual and at most MAX_RING_BYTES (larger rings
 * only spill out of the cache); where the budget is too small for that, the largest wishes are cut first.
 */
function shareRingBytes(input: LayoutInput): number[] {
  const usual = Math.max(USUAL_RING_BYTES, roundUp((input.ringBudgetMiB * MIB) / USUAL_SHARE, LINE_BYTES));
  const wishes = input.edges.map(({ batchBytes = 0 }) =>
    Math.min(Math.max(roundUp(4 * batchBytes, LINE_BYTES), usual), MAX_RING_BYTES),
  );
  const slotBytes = input.edges.reduce((sum, edge) => sum + slotCount(edge.capacity) * (SLOT_BYTES + 1), 0);
  const budget = input.ringBudgetMiB * MIB - slotBytes;
  const least = MIN_RING_BYTES * wishes.length;
  if (budget < least) {
    const needed = Math.ceil((least + slotBytes) / MIB);
    throw new WeirError({
      code: "ring-budget-too-small",
      domain: "graph",
      field: "settings.ringBudgetMiB",
      message: `${wishes.length} physical edges need ${needed} MiB of ring memory, the budget is ${input.ringBudgetMiB} MiB`,
      hint: `raise ringBudgetMiB to ${needed}, or lower the parallelism`,
    });
  }
  const cap = Math.max(MIN_RING_BYTES, fairCap(wishes, budget));
  return wishes.map((wish) => Math.min(wish, cap));
}

/** The largest cap, in whole lines, with which the wishes, each cut to it, fit the budget. */
function fairCap(wishes: readonly number[], budget: number): number {
  const ascending = [...wishes].sort((a, b) => a - b);
  let left = budget;
  for (const [index, wish] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (wish > share) return share - (share % LINE_BYTES);
    left -= wish;
  }
  return MAX_RING_BYTES;
}

/** Hands out space from the front, every piece on a line of its own. */
class Placer {
  end: number;

  constructor(start: number) {
    this.end = start;
  }

  take(bytes: number): number {
    const offset = this.end;
    this.end += roundUp(bytes, LINE_BYTES);
    return offset;
  }
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
