import { closest } from "../base/edit-distance.ts";
import type { GraphDocument } from "./graph-document.ts";
import type { Links, NodeInfo } from "./links.ts";
import { pointer } from "./problem.ts";
import { quoted, type Report } from "./report.ts";

const ATTACHED = "attached:";

/** Rules about files: attached ones exist and are not written to, and no two sinks write the same one. */
export function checkFiles(document: GraphDocument, { nodes }: Links, report: Report): void {
  const writers = new Map<string, string>();
  const attached = Object.keys(document.data ?? {});
  for (const info of nodes.values()) {
    const found = pathOf(info);
    if (found === undefined) continue;
    const { path, key } = found;
    const { node, spec } = info;
    if (spec?.role === "sink") {
      const other = writers.get(path);
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
      writers.set(path, node.id);
    } else if (path.startsWith(ATTACHED)) checkAttached(info, key, path.slice(ATTACHED.length), attached, report);
  }
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
