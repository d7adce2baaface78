import { afterAll, describe, expect, it } from "vitest";
import { MemoryFiles } from "../../engine/formats/memory-files.ts";
import { type Batch, Lab, type Plan, ThreadsExecutor } from "../../engine/index.ts";
import { planned } from "../../engine/testing/planned.ts";
import { rowLines } from "../../engine/testing/row-text.ts";
import { doing, identityModule, op } from "../../engine/testing/wasm-modules.ts";
import { interrupter } from "./interrupter.ts";
import { cores, spawnHost } from "./spawn-host.ts";

const alive = new Set<object>();
const executor = new ThreadsExecutor({
  cores: cores(),
  spawn: (host) => {
    const handle = spawnHost(host);
    alive.add(handle);
    handle.onDeath(() => alive.delete(handle));
    return { ...handle, end: () => handle.end().then(() => void alive.delete(handle)) };
  },
});

const attached = (module: Uint8Array) => ({
  "step.wasm": { encoding: "base64" as const, content: Buffer.from(module).toString("base64") },
});

function graph(source: Record<string, unknown>, config: Record<string, unknown>, parallelism = 1) {
  const schema = [
    { name: "key", type: "utf8" },
    { name: "n", type: "int64" },
  ];
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 20, chaining: false, hosts: "per-task" },
    nodes: [
      source,
      {
        id: "step",
        kind: "compute",
        parallelism,
        config: { module: "attached:step.wasm", columns: ["key", "n"], output: schema, ...config },
      },
      { id: "table", kind: "sink.table", config: {} },
    ],
    edges: [
      { id: "a", from: "numbers", to: "step", route: { kind: "rebalance" } },
      { id: "b", from: "step", to: "table" },
    ],
  };
}

const generator = (rows: number) => ({
  id: "numbers",
  kind: "source.generator",
  config: {
    fields: [
      { name: "n", kind: "sequence" },
      { name: "key", kind: "zipf", values: 50, prefix: "größe-", nullFraction: 0.1 },
    ],
    rows,
    batchRows: 37,
    seed: 3,
  },
});

async function threads(plan: Plan, module: Uint8Array) {
  const shown: Batch[] = [];
  const run = executor.start(plan, {
    files: { folder: ".", attached: attached(module) },
    onRows: (_, batch) => {
      shown.push(batch);
    },
  });
  return { outcome: await run.outcome, rows: rowLines(shown).sort() };
}

describe("compute on worker threads", () => {
  afterAll(() => expect(alive.size).toBe(0));

  it("gives the rows of the lab at parallelism 1 and 3 (D-32)", async () => {
    const module = identityModule();
    for (const parallelism of [1, 3]) {
      const { plan } = planned({ ...graph(generator(800), {}, parallelism), data: attached(module) });
      const files = new MemoryFiles({ "attached:step.wasm": module });
      const lab = await Lab.create(plan, { seed: 5, files });
      expect(await lab.run()).toEqual({ kind: "finished" });
      const { outcome, rows } = await threads(plan, module);
      expect(outcome).toEqual({ kind: "finished" });
      expect(rows).toHaveLength(800);
      expect(rows).toEqual(rowLines(lab.rows("table" as never)).sort());
    }
  });

  it("a call that does not return ends the run in bounded time, and names the node and its limit (D-16)", async () => {
    const module = doing([...op.forever, ...op.i32(0)]);
    const { plan } = planned({ ...graph(generator(0), { timeoutMs: 200 }), data: attached(module) });
    const startedAt = performance.now();
    const { outcome, rows } = await threads(plan, module);
    expect(outcome).toEqual({
      kind: "failed",
      error: {
        code: "call-overdue",
        domain: "task",
        node: "step",
        task: 1,
        message: 'compute node "step" did not return within 200 ms',
        hint: "its code does not end, or needs longer: raise timeoutMs, or lower the rows of a batch",
      },
    });
    expect(rows).toEqual([]);
    // The limit, one look of the watch, and the time that a worker takes to be gone: far from the stop's own 10 s.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
  });

  it("in the lab, which has no other worker, such a call is broken off in its place (D-16)", async () => {
    const module = doing([...op.forever, ...op.i32(0)]);
    const { plan } = planned({ ...graph(generator(100), { timeoutMs: 100 }), data: attached(module) });
    const files = new MemoryFiles({ "attached:step.wasm": module });
    const lab = await Lab.create(plan, { seed: 5, files, interrupter });
    const message = 'compute node "step" did not return within 100 ms';
    expect(await lab.run()).toMatchObject({ kind: "failed", error: { code: "call-overdue", node: "step", message } });
    expect(interrupter(() => 7, 1000)).toEqual({ kind: "returned", value: 7 });
    expect(() => interrupter(() => (0).toFixed(200), 1000)).toThrow(RangeError);
  });

  it("a trap ends the run with the node's name, and a module that is refused ends the start (F-10, F-64)", async () => {
    const trap = doing(op.unreachable);
    const { plan } = planned({ ...graph(generator(0), {}), data: attached(trap) });
    const { outcome } = await threads(plan, trap);
    const message = 'the module trapped in "process": unreachable';
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "module-trap", node: "step", message } });
    const other = await threads(plan, doing(op.argument, { abi: "weir_abi_v9" }));
    expect(other.outcome).toMatchObject({ kind: "failed", error: { code: "module-version", node: "step" } });
  });
});
