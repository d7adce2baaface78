import { expect, test } from "vitest";
import { errorLine, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import type { GraphDocument } from "./graph-document.ts";
import { documentOf } from "./parse-document.ts";
import { planOf } from "./plan.ts";
import { resolveSchemas, type SchemaGuesser } from "./resolve-schemas.ts";
import { validate } from "./validate.ts";

function graph(...configs: object[]): GraphDocument {
  const nodes = configs.flatMap((config, index) => [
    { id: `f${index}`, kind: "source.file", config },
    { id: `s${index}`, kind: "sink.table" },
  ]);
  const parsed = documentOf({
    format: "weir.graph/v1",
    nodes,
    edges: configs.map((_, index) => ({ id: `e${index}`, from: `f${index}`, to: `s${index}` })),
    data: { "x.csv": { encoding: "text", content: "id\n" } },
  });
  if (parsed.kind === "problems") throw new Error(JSON.stringify(parsed.problems));
  return parsed.document;
}

/** Files that are all there but `gone.csv`; counts those open. */
function disk() {
  const open = new Set<string>();
  const store = {
    async open(path: string): Promise<ReadableFile> {
      if (path.endsWith("gone.csv")) {
        throw new WeirError({
          code: "file-not-found",
          domain: "usage",
          file: path,
          message: "no such file",
          hint: "check the path",
        });
      }
      open.add(path);
      return { name: path, size: 3, read: async () => new Uint8Array(0), close: async () => void open.delete(path) };
    },
  };
  return { store, open };
}

const decimal = new Schema([{ name: "amount", type: typeOf("decimal(10,2)"), nullable: false }]);

test("columns that a config leaves out are guessed, stored, and make the document plan", async () => {
  const { store, open } = disk();
  const asked: unknown[] = [];
  const guess: SchemaGuesser = async (format, file, options) => {
    asked.push([format, file.name, options.csv.delimiter, options.timestampUnit]);
    return decimal;
  };
  const document = graph(
    { format: "csv", path: "attached:x.csv", csv: { delimiter: ";" }, timestampUnit: "s" },
    { format: "ndjson", path: "b", schema: [{ name: "id", type: "int64" }] },
  );
  const resolved = await resolveSchemas(document, store, guess);
  expect(resolved.problems).toEqual([]);
  expect(asked).toEqual([["csv", "attached:x.csv", ";", "s"]]);
  expect(open.size).toBe(0);
  expect(resolved.document.nodes[0]?.config["schema"]).toEqual([
    { name: "amount", type: "decimal(10,2)", nullable: false },
  ]);
  expect(resolved.document.nodes.slice(1)).toEqual(document.nodes.slice(1));
  expect(document.nodes[0]?.config).not.toHaveProperty("schema");
  expect(String(planOf(resolved.document).tasks[0]?.stages[0]?.outputs["out"])).toBe("amount decimal(10,2) not null");
});

test("files that cannot be read or guessed are told once, at the node, and closed; the others are resolved", async () => {
  const { store, open } = disk();
  const guess: SchemaGuesser = async (_, file) => {
    if (file.name === "odd.csv") throw new TypeError("not text");
    return decimal;
  };
  const document = graph(
    { format: "csv", path: "gone.csv" },
    { format: "csv", path: "odd.csv" },
    { format: "csv", path: "good.csv" },
    { format: "csv" },
    { format: "csv", path: "attached:gone.csv" },
  );
  const { document: resolved, problems } = await resolveSchemas(document, store, guess);
  expect(validate(resolved, { known: problems }).map(errorLine)).toEqual([
    "f0.config.path: no such file (gone.csv); check the path",
    "f1.config.path: not text",
    'f3.config.path: "File" must be given; give the path of a file, relative to the document',
    'f4.config.path: no file "gone.csv" is attached; the attached files are x.csv',
  ]);
  expect(open.size).toBe(0);
});
