import { MODULE_ENDINGS, outsidePaths } from "../document/data-files.ts";
import { trustFile } from "../document/foreign-modules.ts";
import type { GraphDocument } from "../document/graph.ts";
import { readGraph } from "../document/read-graph.ts";

/** The graphs of `examples/`, found when the page is built. This module is loaded when examples are first shown. */
const TEXTS = import.meta.glob<string>(["../../../examples/*.json", "../../../examples/nexmark/*.json"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const DATA = import.meta.glob<string>("../../../examples/**/*.{csv,tsv,ndjson,jsonl,arrow,parquet,wasm}", {
  query: "?url",
  import: "default",
  eager: true,
});
const FOLDER = "../../../examples/";

export interface Example {
  /** Its file's name without the ending, behind that of its folder: `backpressure`, `nexmark/q5`. */
  readonly id: string;
  readonly graph: GraphDocument;
  /** From its first note. */
  readonly summary: string;
}

/** What a newcomer sees first; the others follow by name. */
const FIRST = ["orders-by-country", "two-speeds-one-barrier", "backpressure"];

const NEXMARK = /^nexmark\/q(\d+)$/;

export const EXAMPLE_COUNT = Object.keys(TEXTS).length;

/** Read when they are shown: to read a graph is to check all of it. */
export const firstExamples = once(() => FIRST.flatMap((id) => exampleOf(id) ?? []));

export const allExamples = once(() =>
  Object.keys(TEXTS)
    .flatMap((path) => exampleOf(path.slice(FOLDER.length, -".json".length)) ?? [])
    .sort((a, b) => rankOf(a) - rankOf(b)),
);

function exampleOf(id: string): Example | undefined {
  const text = TEXTS[`${FOLDER}${id}.json`];
  const read = text === undefined ? undefined : readGraph(text);
  if (read?.kind !== "graph") return undefined;
  const [summary = ""] = (read.graph.annotations?.[0]?.text ?? "").split("\n");
  return { id, graph: read.graph, summary };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The first ones, the others, then the queries of the benchmark by number. */
function rankOf({ id }: Example): number {
  const place = FIRST.indexOf(id);
  if (place >= 0) return place;
  return FIRST.length + Number(NEXMARK.exec(id)?.[1] ?? -1) + 1;
}

export const isNexmark = ({ id }: Example): boolean => NEXMARK.test(id);

/** The data files of an example by the path that its sources give them. */
export async function exampleFiles(graph: GraphDocument): Promise<Map<string, Blob>> {
  const files = new Map<string, Blob>();
  for (const path of outsidePaths(graph)) {
    const address = DATA[FOLDER + path.replace(/^\.\//, "")];
    if (address === undefined) continue;
    const file = await (await fetch(address)).blob();
    // What comes with the page is as good as the page.
    if (MODULE_ENDINGS.some((ending) => path.endsWith(ending))) await trustFile(file);
    files.set(path, file);
  }
  return files;
}
