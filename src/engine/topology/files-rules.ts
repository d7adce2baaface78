import { closest } from "../base/edit-distance.ts";
import type { GraphDocument } from "./graph-document.ts";
import type { Links, NodeInfo } from "./links.ts";
import { pointer } from "./problem.ts";
import { quoted, type Report } from "./report.ts";

const ATTACHED = "attached:";

/** Rules about files: attached ones exist and are not written to, no two sinks write the same one, and none replaces what a source reads. */
export function checkFiles(document: GraphDocument, { nodes }: Links, report: Report): void {
  /** Ids of sinks by their folders. */
  const writers = new Map<string, string>();
  const attached = Object.keys(document.data ?? {});
  for (const info of nodes.values()) {
    const found = pathOf(info);
    if (found === undefined) continue;
    const { path, key } = found;
    const { node, spec } = info;
    if (spec?.role === "sink") {
      const other = writers.get(normal(path));
      if (path.startsWith(ATTACHED)) {
        report.add({
          code: "bad-path",
          node: node.id,
          field: "config.path",
          message: "a sink cannot write to an attached file",
          hint: "give a path",
        });
      } else if (other !== undefined) {
        report.add({
          code: "path-taken",
          node: node.id,
          field: "config.path",
          message: `${quoted(other)} writes to ${quoted(path)} too`,
          hint: "give each its own path",
        });
      }
      writers.set(normal(path), node.id);
    } else if (path.startsWith(ATTACHED)) checkAttached(info, key, path.slice(ATTACHED.length), attached, report);
  }
  for (const info of nodes.values()) checkNotReplaced(info, writers, report);
}

/** A sink that wrote over what a source reads would take it away from the person. */
function checkNotReplaced(info: NodeInfo, writers: ReadonlyMap<string, string>, report: Report): void {
  const path = info.spec?.role === "source" ? pathOf(info)?.path : undefined;
  if (path === undefined) return;
  const [, folder = "", name = ""] = /^(.*?)\/?([^/]*)$/.exec(normal(path)) ?? [];
  const writer = writers.get(folder);
  if (writer === undefined || !PART.test(name)) return;
  report.add({
    code: "path-taken",
    node: writer,
    field: "config.path",
    message: `it would replace ${quoted(path)}, which ${quoted(info.node.id)} reads`,
    hint: "give it another folder",
  });
}

/** What a sink may name its files, and clears away when a run begins. */
const PART = /^\.?part-\d/;

/** One text for all that lead to the same place. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `${path.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}

/** Settings that name a file. */
const KEYS = ["path", "module"] as const;

interface FoundPath {
  readonly key: (typeof KEYS)[number];
  readonly path: string;
}

function pathOf({ config }: NodeInfo): FoundPath | undefined {
  const values = (config?.value ?? {}) as Readonly<Record<string, unknown>>;
  for (const key of KEYS) {
    const path = values[key];
    if (typeof path === "string") return { key, path };
  }
  return undefined;
}

function checkAttached(
  { node, index }: NodeInfo,
  key: FoundPath["key"],
  name: string,
  attached: readonly string[],
  report: Report,
): void {
  if (attached.includes(name)) return;
  const near = closest(name, attached);
  const files =
    attached.length === 0 ? "the document carries no files" : `the attached files are ${attached.join(", ")}`;
  report.add({
    code: "unknown-file",
    node: node.id,
    field: `config.${key}`,
    message: `no file ${quoted(name)} is attached`,
    hint: near === undefined ? files : `did you mean ${quoted(near)}?`,
    fix:
      near === undefined
        ? undefined
        : {
            title: `Use ${near}`,
            patch: [{ op: "replace", path: pointer("nodes", index, "config", key), value: ATTACHED + near }],
          },
  });
}
