import { describe, expect, it } from "vitest";
import { planned } from "../testing/planned.ts";
import { placeTasks } from "./placement.ts";
import { tasksOf } from "./protocol.ts";

/** A graph of `tasks` sources, each with its sink, unchained: twice as many tasks. */
function plan(pairs: number, hosts: "auto" | "per-task" | number) {
  const config = { schema: [{ name: "n", type: "int32" }], rows: [[1]] };
  const ids = Array.from({ length: pairs }, (_, i) => i);
  return planned({
    format: "weir.graph/v1",
    settings: { hosts, chaining: false },
    nodes: ids.flatMap((i) => [
      { id: `source${i}`, kind: "source.rows", config },
      { id: `sink${i}`, kind: "sink.blackhole", config: {} },
    ]),
    edges: ids.map((i) => ({ id: `e${i}`, from: `source${i}`, to: `sink${i}` })),
  }).plan;
}

describe("placement", () => {
  it("F-78: every task has exactly one host, in blocks of nearly equal size, and no host is without a task", () => {
    for (const [pairs, wanted, cores] of [
      [1, "auto", 8],
      [3, "auto", 2],
      [5, 3, 2],
      [5, "per-task", 2],
      [2, 100, 2],
      [4, "auto", 0],
    ] as const) {
      const of = plan(pairs, wanted);
      const { hosts, hostOf } = placeTasks(of, cores);
      expect(hostOf).toHaveLength(of.tasks.length);
      const byHost = Array.from({ length: hosts }, (_, host) => tasksOf(hostOf, host));
      expect(byHost.flat()).toEqual(of.tasks.map((task) => task.id));
      const sizes = byHost.map((tasks) => tasks.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    }
  });

  it("F-78: auto is about one host a core, per-task one for each task, a number is that many, never more than tasks", () => {
    const hosts = (wanted: "auto" | "per-task" | number, cores: number) => placeTasks(plan(3, wanted), cores).hosts;
    expect([
      hosts("auto", 2),
      hosts("auto", 64),
      hosts("auto", 0),
      hosts("per-task", 2),
      hosts(4, 2),
      hosts(64, 2),
    ]).toEqual([2, 6, 1, 6, 4, 6]);
  });

  it("F-78: parallel lanes lie on hosts of their own, so that no host has all of one step", () => {
    const config = { schema: [{ name: "n", type: "int32" }], rows: [[1]] };
    const hostsOf = (parallelism: number, cores: number) =>
      placeTasks(
        planned({
          format: "weir.graph/v1",
          settings: { chaining: false },
          nodes: [
            { id: "source", kind: "source.rows", parallelism, config },
            { id: "count", kind: "count", parallelism, config: { groupBy: ["n"] } },
            { id: "sink", kind: "sink.blackhole", config: {} },
          ],
          edges: [
            { id: "a", from: "source", to: "count", route: { kind: "shuffle", columns: ["n"] } },
            { id: "b", from: "count", to: "sink" },
          ],
        }).plan,
        cores,
      ).hostOf;
    expect(hostsOf(2, 2)).toEqual([0, 1, 0, 1, 0]);
    expect(hostsOf(4, 2)).toEqual([0, 0, 1, 1, 0, 0, 1, 1, 0]);
    expect(hostsOf(2, 8)).toEqual([0, 3, 1, 4, 2]);
  });
});
