import { serializeDocument } from "../../engine/index.ts";
import {
  ATTACH_LIMIT,
  attachedFile,
  attachedPath,
  DATA_ENDINGS,
  type DataFormat,
  formatOf,
  freeFileName,
  outsidePaths,
} from "../document/data-files.ts";
import type { Recipe } from "../document/document-store.ts";
import { trustFile } from "../document/foreign-modules.ts";
import { emptyGraph, type GraphDocument, UNTITLED } from "../document/graph.ts";
import { changeNode, type Place, rename } from "../document/graph-edits.ts";
import { readGraph } from "../document/read-graph.ts";
import { setIn } from "../shared/deep.ts";
import { tell } from "./notify.ts";
import type { Workbench } from "./workbench.ts";

export async function newGraph({ session, editor }: Workbench): Promise<void> {
  await session.openGraph(emptyGraph());
  editor.view?.focus();
}

/** Opens a graph from its text, as a document of its own; what is wrong with it is shown, and nothing else happens. */
export async function openText(
  { session, view }: Workbench,
  text: string,
  name: string,
  files?: ReadonlyMap<string, Blob>,
): Promise<boolean> {
  const read = readGraph(text);
  if (read.kind === "refused") {
    view.setState({ refusal: { name, problems: read.problems, repaired: read.repaired } });
    return false;
  }
  await session.openGraph(read.graph, files);
  return true;
}

export function chooseAndOpen(workbench: Workbench): void {
  chooseFiles([".json", ...DATA_ENDINGS], (files) => void takeFiles(workbench, files));
}

/** Asks for files; nothing happens when none is chosen. */
export function chooseFiles(endings: readonly string[], take: (files: File[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = endings.join(",");
  // In the document, or nothing would hold it until the person has chosen.
  input.hidden = true;
  document.body.append(input);
  input.addEventListener("change", () => {
    input.remove();
    take([...(input.files ?? [])]);
  });
  input.addEventListener("cancel", () => input.remove());
  input.click();
}

export function saveToFile({ document: { getState } }: Workbench): void {
  const { graph } = getState();
  const name = `${(graph.name || "graph").replaceAll(/[^\p{L}\p{N} _.-]/gu, "-").trim()}.json`;
  download(new Blob([serializeDocument(graph)], { type: "application/json" }), name);
  const outside = outsidePaths(graph);
  if (outside.length > 0) tell(`Saved without its data: ${outside.join(", ")} must lie beside the file`);
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Files that were dropped or chosen: a graph is opened, data become sources (or feed the source they were dropped on). */
export async function takeFiles(
  workbench: Workbench,
  files: readonly File[],
  at?: Place,
  onto?: string,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    const format = formatOf(file.name);
    if (format !== undefined) await takeData(workbench, file, format, at && { x: at.x, y: at.y + index * 110 }, onto);
    else if (/\.json$/i.test(file.name)) await openText(workbench, await file.text(), file.name);
    else tell(`${file.name} is neither a graph (.json) nor data (${DATA_ENDINGS.join(", ")})`, "warning");
  }
}

async function takeData(
  workbench: Workbench,
  file: File,
  format: DataFormat,
  at: Place | undefined,
  onto: string | undefined,
): Promise<void> {
  const { document, editor } = workbench;
  if (document.getState().readOnly) return;
  const target = document.getState().graph.nodes.find((node) => node.id === onto && node.kind === "source.file");
  const kept = await keepFile(workbench, file, format);
  if (target !== undefined) {
    pointSourceAt(workbench, target.id, kept);
    return;
  }
  const name = stemOf(file.name);
  const also: Recipe = (graph) => kept.attach(isNew(graph) ? rename(graph, name) : graph);
  editor.add("source.file", { at, name, config: kept.config, also });
}

/** A graph that nobody has put anything into, nor named, is called after its first data. */
const isNew = ({ nodes, name }: GraphDocument): boolean => nodes.length === 0 && (name === "" || name === UNTITLED);

/** `orders.csv` is called orders. */
const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, "");

export interface KeptFile {
  /** What a source needs to say to read it: format, path, and the columns, where they could be read. */
  readonly config: Record<string, unknown>;
  /** Puts it into the document; does nothing when it is kept beside it. */
  readonly attach: Recipe;
}

/** Keeps a data file with the document: a small one inside it, once `attach` is applied; a large one beside it, now. */
export async function keepFile(workbench: Workbench, file: File, format: DataFormat): Promise<KeptFile> {
  const schema = await workbench.columns.of({ format }, file);
  const { path, attach } = await keep(workbench, file, format);
  return { config: { format, path, ...(schema && { schema }) }, attach };
}

async function keep(
  { document, session }: Workbench,
  file: File,
  format: DataFormat | "module",
): Promise<{ readonly path: string; readonly attach: Recipe }> {
  const { graph } = document.getState();
  const taken = new Set([...Object.keys(graph.data ?? {}), ...session.store.getState().files]);
  const name = freeFileName(file.name, taken);
  if (file.size > ATTACH_LIMIT) {
    await session.putFile(name, file);
    return { path: name, attach: (current) => current };
  }
  const attached = await attachedFile(file, format);
  const attach: Recipe = (current) => ({ ...current, data: { ...current.data, [name]: attached } });
  return { path: attachedPath(name), attach };
}

/** Makes a step run a module; the person, who chose it, is not asked for it again. */
export async function takeModule(workbench: Workbench, node: string, file: File): Promise<void> {
  await trustFile(file);
  const { path, attach } = await keep(workbench, file, "module");
  workbench.document.edit("use the module", (graph) => {
    const before = graph.nodes.find((each) => each.id === node)?.config ?? {};
    return changeNode(attach(graph), node, { config: { ...before, module: path } });
  });
}

/** Makes a source read the file. Its columns were those of the file before; where the new ones are not known, they are left out. */
export function pointSourceAt({ document }: Workbench, node: string, { config, attach }: KeptFile): void {
  document.edit("use the file", (graph) => {
    const before = graph.nodes.find((each) => each.id === node)?.config ?? {};
    return changeNode(attach(graph), node, { config: { ...setIn(before, ["schema"], undefined), ...config } });
  });
}

/** A graph by its address, which must be of this origin, with the data files that lie beside it. */
export async function openAddress(workbench: Workbench, address: string): Promise<boolean> {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) {
    tell("A graph can be opened only from this page's own address", "warning");
    return false;
  }
  const text = await fetchFile(url, (response) => response.text());
  if (text === undefined) {
    tell(`There is no graph at ${url.pathname}`, "warning");
    return false;
  }
  const read = readGraph(text);
  const files = new Map<string, Blob>();
  for (const path of read.kind === "graph" ? outsidePaths(read.graph) : []) {
    const beside = new URL(path, url);
    const blob = beside.origin === location.origin ? await fetchFile(beside, (response) => response.blob()) : undefined;
    if (blob !== undefined) files.set(path, blob);
  }
  return openText(workbench, text, url.pathname, files);
}

async function fetchFile<T>(url: URL, read: (response: Response) => Promise<T>): Promise<T | undefined> {
  try {
    const response = await fetch(url);
    return response.ok ? await read(response) : undefined;
  } catch {
    return undefined;
  }
}
