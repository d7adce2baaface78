import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WeirError } from "../base/errors.ts";
import { edgeId } from "../base/ids.ts";
import { thrownBy } from "../testing/check.ts";
import {
  BELL_BYTES,
  CONTROL_RING_BYTES,
  KERNEL_BYTES,
  KIB,
  type LayoutInput,
  layoutRun,
  MIB,
  planCost,
  RING_HEADER_BYTES,
  RUN_WORDS_BYTES,
  type RunLayout,
  SLOT_BYTES,
} from "./ring-layout.ts";

const USUAL = MIB + 64 * KIB;

const input = (edges: number, budget = 64, batchBytes?: number): LayoutInput => ({
  edges: Array.from({ length: edges }, (_, i) => ({ id: edgeId(i), capacity: 16, batchBytes })),
  hosts: 3,
  ringBudgetMiB: budget,
  probeBytes: 1000,
});

const ringSizes = (layout: RunLayout): number[] => layout.rings.map((ring) => ring.data.bytes);

/** Every piece of a layout as [first byte, byte behind the last]. */
function pieces(layout: RunLayout): [number, number][] {
  const at = (offset: number, bytes: number): [number, number] => [offset, offset + bytes];
  return [
    at(0, KERNEL_BYTES),
    at(layout.runWords, RUN_WORDS_BYTES),
    at(layout.probes.offset, layout.probes.bytes),
    ...layout.hosts.flatMap((host) => [
      at(host.bell, BELL_BYTES),
      at(host.control, CONTROL_RING_BYTES),
      at(host.kernels.offset, host.kernels.bytes),
    ]),
    at(layout.paces.offset, layout.paces.bytes),
    ...layout.rings.flatMap((ring) => [
      at(ring.header, RING_HEADER_BYTES),
      at(ring.kinds, ring.slots),
      at(ring.slotTable, ring.slots * SLOT_BYTES),
      at(ring.data.offset, ring.data.bytes),
    ]),
  ];
}

describe("layout of a run's memory", () => {
  it("gives hosts that shuffle memory for their kernels, behind all rings, and others none", () => {
    const edges = [{ id: edgeId(0), capacity: 2 }];
    const layout = layoutRun({ edges, hosts: 3, ringBudgetMiB: 2, probeBytes: 640, kernelHosts: [0, 2] });
    expect(layout.hosts.map((host) => host.kernels.bytes)).toEqual([4 * MIB, 0, 4 * MIB]);
    const [ring] = layout.rings as [RunLayout["rings"][number]];
    expect(layout.hosts[0]?.kernels.offset).toBe(ring.data.offset + ring.data.bytes);
    const many = Array.from({ length: 64 }, (_, host) => host);
    const spread = layoutRun({ edges, hosts: 64, ringBudgetMiB: 2, probeBytes: 640, kernelHosts: many });
    expect(spread.hosts[63]?.kernels.bytes).toBe(MIB / 4);
  });

  it("pieces start on lines, do not overlap, and fill the buffer", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            capacity: fc.integer({ min: 0, max: 300 }),
            batchBytes: fc.option(fc.nat(3e6), { nil: undefined }),
          }),
          { maxLength: 40 },
        ),
        fc.nat(6),
        fc.nat(10_000),
        fc.nat(9),
        (edges, hosts, probeBytes, pacedTasks) => {
          const specs = edges.map((edge, i) => ({ ...edge, id: edgeId(i) }));
          const input = { edges: specs, hosts, ringBudgetMiB: 16, probeBytes, pacedTasks };
          const layout = layoutRun(input);
          const sorted = pieces(layout).sort(([a], [b]) => a - b);
          sorted.forEach(([from], i) => {
            expect(from % 64).toBe(0);
            if (i > 0) expect(from).toBeGreaterThanOrEqual((sorted[i - 1] as [number, number])[1]);
          });
          expect(layout.totalBytes).toBeGreaterThanOrEqual(Math.max(...sorted.map(([, to]) => to)));
          expect(layoutRun(input)).toEqual(layout);
        },
      ),
    );
  });

  it("D-2: slots suffice for control up to capacity + 8, the data behind it, and a dictionary before each", () => {
    for (const capacity of [-3, 0, 1, 2, 16, 100]) {
      const edges = [{ id: edgeId(0), capacity }];
      const [ring] = layoutRun({ ...input(0), edges }).rings;
      expect(ring?.capacity).toBe(Math.max(1, capacity));
      expect(ring?.slots).toBeGreaterThanOrEqual(3 * Math.max(1, capacity) + 8);
      expect(Math.log2(ring?.slots ?? 0) % 1).toBe(0);
    }
  });

  it("a ring has room for a text of a MiB, four batches where they are larger, and at most 4 MiB", () => {
    expect(ringSizes(layoutRun(input(2)))).toEqual([USUAL, USUAL]);
    expect(ringSizes(layoutRun(input(2, 64, 500_000)))).toEqual([2_000_000, 2_000_000]);
    expect(ringSizes(layoutRun(input(2, 64, 5_000_000)))).toEqual([4 * MIB, 4 * MIB]);
    expect(ringSizes(layoutRun(input(2, 8)))).toEqual([USUAL, USUAL]);
    expect(ringSizes(layoutRun(input(2, 256)))).toEqual([4 * MIB, 4 * MIB]);
  });

  it("where the budget is short the largest rings are cut first", () => {
    const { edges } = input(3);
    const wishes = [2 * MIB, undefined, undefined].map((batchBytes, i) => ({
      ...edges[i],
      batchBytes,
    })) as LayoutInput["edges"];
    const [large, ...usual] = ringSizes(layoutRun({ ...input(0, 4), edges: wishes }));
    expect(usual).toEqual([USUAL, USUAL]);
    expect(large).toBeGreaterThan(1.8 * MIB);
    expect(large).toBeLessThan(2 * MIB);
  });

  it("a shuffle between ten nodes of four subtasks stays within the budget", () => {
    const layout = layoutRun(input(160, 64));
    const cost = planCost(layout);
    expect(cost.ringBytes + 160 * layout.rings[0]!.slots * (SLOT_BYTES + 1)).toBeLessThanOrEqual(64 * MIB);
    expect(cost).toEqual({
      edges: 160,
      totalBytes: layout.totalBytes,
      ringBytes: 160 * cost.minRingBytes,
      minRingBytes: cost.maxRingBytes,
      maxRingBytes: cost.maxRingBytes,
    });
    expect(cost.minRingBytes).toBeGreaterThan(400 * KIB);
  });

  it("a budget of less than 64 KiB a ring is refused, naming the one that would do", () => {
    const error = thrownBy(() => layoutRun(input(100, 4)));
    expect(error).toBeInstanceOf(WeirError);
    const { code, field, message, hint } = (error as WeirError).data;
    expect([code, field]).toEqual(["ring-budget-too-small", "settings.ringBudgetMiB"]);
    expect(message).toBe("100 physical edges need 7 MiB of ring memory, the budget is 4 MiB");
    expect(hint).toContain("ringBudgetMiB to 7");
    expect(Math.min(...ringSizes(layoutRun(input(100, 7))))).toBeGreaterThanOrEqual(64 * KIB);
  });

  it("a run without edges or hosts has a layout too", () => {
    const layout = layoutRun({ edges: [], hosts: 0, ringBudgetMiB: 64, probeBytes: 0 });
    expect(planCost(layout)).toEqual({
      edges: 0,
      totalBytes: layout.totalBytes,
      ringBytes: 0,
      minRingBytes: 0,
      maxRingBytes: 0,
    });
  });
});
