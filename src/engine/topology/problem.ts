import type { ErrorData } from "../base/errors.ts";
import type { PatchOperation } from "../operators/catalog.ts";

/** A repair as data: a title for a button and a JSON Patch of the document it was found in. */
export interface Fix {
  readonly title: string;
  readonly patch: readonly PatchOperation[];
}

/** Something wrong with a graph document. `node` and `edge` are the document's ids; `field` is a path inside them. */
export interface Problem extends ErrorData {
  readonly domain: "graph";
  readonly fix?: Fix | undefined;
}

/** JSON Pointer (RFC 6901). */
export function pointer(...parts: readonly PropertyKey[]): string {
  return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

const pointerParts = (path: string): string[] =>
  path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** A path as people write it: `config.rows[3]`. */
export function fieldPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    return path === "" ? String(part) : `${path}.${String(part)}`;
  }, "");
}

/**
 * The document with the fix applied; the one given stays as it is, and shares what did not change.
 *
 * @throws TypeError when the document has changed so that a path leads nowhere
 */
export function applyPatch<T>(document: T, patch: readonly PatchOperation[]): T {
  return patch.reduce<T>(
    (current, operation) => patched(current, pointerParts(operation.path), operation) as T,
    document,
  );
}

function patched(target: unknown, path: readonly string[], operation: PatchOperation): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return operation.op === "remove" ? undefined : operation.value;
  if (typeof target !== "object" || target === null) throw new TypeError(`the patch ${operation.path} leads nowhere`);
  return Array.isArray(target)
    ? patchedList(target, part, rest, operation)
    : patchedObject(target as Record<string, unknown>, part, rest, operation);
}

function patchedList(
  list: readonly unknown[],
  part: string,
  rest: readonly string[],
  operation: PatchOperation,
): unknown[] {
  const index = part === "-" ? list.length : Number(part);
  const adds = operation.op === "add" && rest.length === 0;
  if (!(index >= 0 && index < list.length + (adds ? 1 : 0))) {
    throw new TypeError(`the patch ${operation.path} leads nowhere`);
  }
  if (adds) return list.toSpliced(index, 0, operation.value);
  if (operation.op === "remove" && rest.length === 0) return list.toSpliced(index, 1);
  return list.with(index, patched(list[index], rest, operation));
}

function patchedObject(
  object: Readonly<Record<string, unknown>>,
  part: string,
  rest: readonly string[],
  operation: PatchOperation,
): Record<string, unknown> {
  const entries = new Map(Object.entries(object));
  if (rest.length === 0 && operation.op === "remove") entries.delete(part);
  else entries.set(part, patched(entries.get(part), rest, operation));
  return Object.fromEntries(entries);
}
