import { parseSync } from "@swc/core";

/** A node of swc's syntax tree; its fields depend on its type. @typedef {Record<string, any>} Node */

/**
 * @param {string} text
 * @param {string} file its name tells TypeScript with JSX from TypeScript without
 * @returns {Node}
 */
export function parse(text, file) {
  return parseSync(text, { syntax: "typescript", tsx: file.endsWith("x"), target: "es2022" });
}

/**
 * Calls `visit` for a node and all below it, parents first; a node for which it returns false is not gone into.
 *
 * @param {Node} node
 * @param {(node: Node) => unknown} visit
 */
export function walk(node, visit) {
  if (typeof node["type"] === "string" && visit(node) === false) return;
  for (const child of Object.values(node)) if (child !== null && typeof child === "object") walk(child, visit);
}

/**
 * What a source text imports, as written: static and dynamic imports, re-exports and types.
 *
 * @param {string} text
 * @param {string} file
 * @returns {string[]}
 */
export function importsOf(text, file) {
  /** @type {Set<string>} */
  const names = new Set();
  walk(parse(text, file), (node) => {
    const dynamic = node["type"] === "CallExpression" && node["callee"].type === "Import";
    const source = dynamic ? node["arguments"][0].expression : (node["source"] ?? node["argument"]);
    const imports = dynamic || /^(Import|Export\w+|TsImportType)/.test(node["type"]);
    if (imports && source?.type === "StringLiteral") names.add(source.value);
  });
  return [...names];
}
