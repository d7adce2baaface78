import { expect, it, vi } from "vitest";
import { PATIENCE_MS, weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

it("weir bench prints one benchmark as a table, or as JSON with machine, versions and spread", async () => {
  const table = await weir(["bench", "wakeup", "--quick"]);
  expect([table.status, table.stderr]).toEqual([0, ""]);
  expect(table.rows[0]).toMatch(/^wakeup · Node \d+\./);
  const json = await weir(["bench", "wakeup", "--quick", "--json"]);
  expect([json.status, json.stderr]).toEqual([0, ""]);
  const { weir: version, results } = JSON.parse(json.stdout);
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ benchmark: "wakeup", machine: { runtime: expect.stringContaining("Node") } });
  for (const { name, measurements } of results[0].cases) {
    for (const { spread } of measurements) expect(spread.median, name).toBeGreaterThan(0);
  }
});
