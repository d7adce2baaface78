import { describe, expect, it } from "vitest";
import { edgeId } from "../base/ids.ts";
import { TEXT_OPS } from "../testing/scripted-task.ts";
import { type PayloadOps, type Route, Router } from "./routing.ts";

/** A route to edges 4, 5, … that own a part of eight vnodes each. A row is a digit, its own vnode. */
function route(
  kind: Route["kind"],
  ranges: readonly (readonly [number, number])[],
  columns: readonly string[] = ["k"],
): Route {
  return {
    stage: 0,
    port: "out",
    kind,
    columns,
    targets: ranges.map((vnodes, i) => ({ edge: edgeId(4 + i), vnodes })),
  };
}

function sends(of: Route, batches: readonly string[], ops: PayloadOps<string> = TEXT_OPS): string[][] {
  const router = new Router(of, 8, ops);
  return batches.map((batch) => {
    const sent: string[] = [];
    router.send(batch, { sendData: (edge, part) => void sent.push(`${edge} ${part}`) });
    return sent;
  });
}

const WHOLE: readonly [number, number] = [0, 8];
const HALVES: readonly (readonly [number, number])[] = [
  [0, 4],
  [4, 8],
];

describe("Router", () => {
  it("F-5: forward sends the whole batch to its one target", () => {
    expect(sends(route("forward", [WHOLE]), ["17", ""])).toEqual([["4 17"], ["4 "]]);
  });

  it("F-5: broadcast sends the same batch to every target, in order", () => {
    expect(sends(route("broadcast", [WHOLE, WHOLE, WHOLE]), ["17"])).toEqual([["4 17", "5 17", "6 17"]]);
  });

  it("rebalance sends whole batches to its targets in turn", () => {
    expect(sends(route("rebalance", [WHOLE, WHOLE]), ["1", "2", "3"])).toEqual([["4 1"], ["5 2"], ["4 3"]]);
  });

  it("F-5, F-76: shuffle sends each row to the target that owns its vnode: in target order, row order kept, nothing to one without rows", () => {
    expect(sends(route("shuffle", HALVES), ["51634", "77", "0", ""])).toEqual([
      ["4 13", "5 564"],
      ["5 77"],
      ["4 0"],
      [],
    ]);
  });

  it("F-76: rows are conserved when the ranges cover all vnodes", () => {
    const thirds = [
      [0, 2],
      [2, 5],
      [5, 8],
    ] as const;
    const rows = sends(route("shuffle", thirds), ["0123456701234567"])[0]
      ?.map((sent) => sent.slice(2))
      .join("");
    expect([...(rows ?? "")].sort().join("")).toBe("0011223344556677");
  });

  it("F-74: a shuffle hands its columns, its vnodes and the ranges of its targets to the payload", () => {
    const asked: unknown[] = [];
    const ops: PayloadOps<string> = {
      rowCount: (batch) => batch.length,
      split: (batch, columns, vnodes, ranges) => {
        asked.push([columns, vnodes, ranges]);
        return [batch, null];
      },
    };
    expect(sends(route("shuffle", HALVES, ["a", "b"]), ["1"], ops)).toEqual([["4 1"]]);
    expect(sends(route("shuffle", HALVES, []), ["1"], ops)).toEqual([["4 1"]]);
    expect(asked).toEqual([
      [["a", "b"], 8, HALVES],
      [[], 8, HALVES],
    ]);
  });
});
