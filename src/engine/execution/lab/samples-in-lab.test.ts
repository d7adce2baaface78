import { expect, test } from "vitest";
import { edgeId } from "../../base/ids.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { Lab } from "./lab.ts";

test("a sample shows the batch that is taken next from an edge, and changes no move and no row (D-50)", async () => {
  const { plan } = planned({
    format: "weir.graph/v1",
    settings: { chaining: false },
    nodes: [
      {
        id: "rows",
        kind: "source.rows",
        config: { schema: [{ name: "n", type: "int64" }], rows: [[1], [2], [3]], batchRows: 1 },
      },
      { id: "table", kind: "sink.table", config: { delivery: "at-least-once" } },
    ],
    edges: [{ id: "e", from: "rows", to: "table" }],
  });
  const [plain, watched] = await Promise.all([0, 1].map(() => Lab.create(plan, { seed: 5, files: noFiles })));
  if (plain === undefined || watched === undefined) throw new Error("there are two labs");
  await plain.run();
  watched.sample(edgeId(0));
  expect(watched.samples.size).toBe(0);
  await watched.run((lab) => lab.samples.size > 0);
  expect(watched.samples.get(edgeId(0))?.rowCount).toBe(1);
  const seen = watched.samples.get(edgeId(0));
  await watched.run();
  // Only the one that was asked for.
  expect(watched.samples.get(edgeId(0))).toBe(seen);
  expect(watched.moves.moves).toEqual(plain.moves.moves);
});
