import { expect, test } from "vitest";
import { MemoryFiles } from "../formats/memory-files.ts";
import { guessColumns } from "./guess-columns.ts";

const source = (id: string, config: object) => ({ id, kind: "source.file", config: { format: "csv", ...config } });
const text = (...nodes: object[]) => JSON.stringify({ format: "weir.graph/v1", nodes });
const files = () => new MemoryFiles({ "orders.csv": new TextEncoder().encode("id,at\n007,2024-01-01\n") });

test("columns that a config leaves out are those of its file; columns that it gives are not touched (D-42)", async () => {
  const given = source("given", { path: "orders.csv", schema: [{ name: "id", type: "utf8" }] });
  const { columns, problems } = await guessColumns(text(source("orders", { path: "orders.csv" }), given), files);
  expect(problems).toEqual([]);
  expect([...columns.keys()]).toEqual(["orders"]);
  expect(columns.get("orders")?.map(({ name, type }) => `${name} ${type}`)).toEqual(["id utf8", "at date"]);
});

test("a file that is not there is a problem of its source", async () => {
  const { columns, problems } = await guessColumns(text(source("orders", { path: "lost.csv" })), files);
  expect(columns.size).toBe(0);
  expect(problems).toMatchObject([{ code: "file-not-found", node: "orders", field: "config.path" }]);
});

test("a text that is no document has no columns, and says why", async () => {
  const { columns, problems } = await guessColumns("{", files);
  expect(columns.size).toBe(0);
  expect(problems).not.toEqual([]);
});
