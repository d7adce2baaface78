import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "../data/text.ts";
import { ArrowEncoder } from "../formats/arrow-writer.ts";
import { MemoryFiles } from "../formats/memory-files.ts";
import { ParquetEncoder } from "../formats/parquet-writer.ts";
import { batchRows } from "./batch-values.ts";
import { runThroughCrashes } from "./crashes.ts";
import { modelRows } from "./graph-model.ts";
import { planned } from "./planned.ts";
import { randomGraph } from "./random-graph.ts";
import { rowText } from "./row-text.ts";
import { batch, schema } from "./stage-kit.ts";

const COUNT = 21;
const NAMES = Array.from({ length: COUNT }, (_, i) => (i % 4 === 0 ? `two\nlines, "${i}"` : `plain ${i}`));
const OF = schema("id int64 not null, name utf8");
const CELLS = NAMES.map((name, id) => [id, name]);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const joined = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

/** The same rows in every format; those of Arrow and Parquet in two groups that no batch ends with. */
const FILES: Readonly<Record<string, () => Uint8Array>> = {
  csv: () => encodeUtf8(`id,name\n${NAMES.map((name, id) => `${id},${quoted(name)}`).join("\r\n")}`),
  ndjson: () => encodeUtf8(NAMES.map((name, id) => JSON.stringify({ id, name })).join("\n")),
  arrow: () => {
    const encoder = new ArrowEncoder(OF, "file");
    const groups = [batch(OF, CELLS.slice(0, 13)), batch(OF, CELLS.slice(13))];
    return joined([encoder.start(), ...groups.map((each) => encoder.encode(each)), encoder.end()]);
  },
  parquet: () => {
    const encoder = new ParquetEncoder(OF, { compression: "none", rowGroupRows: 13 });
    return joined([encoder.start(), encoder.encode(batch(OF, CELLS)), encoder.end()]);
  },
};

describe("a source of files that dies in the middle of them", () => {
  it.each(Object.keys(FILES))(
    "P-18: sends each of its 21 rows once, whatever batches it reads and however many subtasks it has (%s)",
    async (format) => {
      for (let seed = 0; seed < 3; seed++) {
        const read = (run: number): object => ({
          id: "read",
          kind: "source.file",
          parallelism: 1 + (run % 2),
          config: {
            format,
            path: "in",
            schema: [
              { name: "id", type: "int64", nullable: false },
              { name: "name", type: "utf8" },
            ],
            batchRows: [4, 10, 1][seed % 3],
          },
        });
        const document = (run: number): object => ({
          format: "weir.graph/v1",
          settings: { barrierEveryMs: 0 },
          nodes: [read(run), { id: "table", kind: "sink.table", config: {} }],
          edges: [{ id: "e", from: "read", to: "table" }],
        });
        const files = new MemoryFiles({ in: (FILES[format] as () => Uint8Array)() });
        const rows = await runThroughCrashes(document, { seed, crashes: 3, files });
        expect(rows("table").flatMap(batchRows)).toEqual(CELLS.map(([id, name]) => [BigInt(id as number), name]));
      }
    },
  );
});

describe("random graphs", () => {
  it("write the rows of the model exactly once through three crashes (F-57, D-12, D-13, D-14)", async () => {
    for (let seed = 5000; seed < 5006; seed++) {
      const document = randomGraph(seed, { throttles: false, barriers: false });
      const rows = await runThroughCrashes(() => document, { seed, crashes: 3 });
      for (const [sink, expected] of modelRows(planned(document).document)) {
        expect({ seed, sink, rows: rowText(rows(sink)) }).toEqual({ seed, sink, rows: expected });
      }
    }
  });
});
