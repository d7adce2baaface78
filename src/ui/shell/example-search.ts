import { CATALOG } from "../../engine/index.ts";
import type { GraphDocument } from "../document/graph.ts";

/** Whether a graph has to do with all of the words: by its name, its notes, or the kinds that it is made of. */
export function isAbout(graph: GraphDocument, words: string): boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const told = [
    graph.name,
    ...(graph.annotations ?? []).map(({ text }) => text),
    ...graph.nodes.flatMap(({ kind, name, notes }) => [kind, CATALOG.get(kind)?.title, name, notes]),
  ];
  const text = told.join("\n").toLowerCase();
  return wanted.every((word) => text.includes(word));
}
