import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { analyse, type Schema } from "../../engine/index.ts";
import { emptyGraph } from "../document/graph.ts";
import { addNode, newNode } from "../document/graph-edits.ts";
import { completeExpression } from "./expression-completion.ts";
import { lintExpression } from "./expression-lint.ts";

const columns = [
  { name: "amount", type: "int64" },
  { name: "unit price", type: "float64" },
  { name: "order", type: "utf8" },
  { name: "case", type: "utf8" },
];

function schema(): Schema {
  const rows = newNode(emptyGraph(), "source.rows", { x: 0, y: 0 }, { schema: columns, rows: [] });
  const found = analyse(addNode(emptyGraph(), rows)).schemas.get("rows")?.outputs["out"];
  if (found === undefined) throw new Error("the source has no columns");
  return found;
}

function complete(text: string, explicit = false) {
  const context = new CompletionContext(EditorState.create({ doc: text }), text.length, explicit);
  return completeExpression(context, schema());
}

describe("completion", () => {
  test("offers columns first, then functions, then words", () => {
    const options = complete("1 + ", true)?.options ?? [];
    expect(options.slice(0, 4).map((option) => option.label)).toEqual(columns.map((column) => column.name));
    expect(options.find((option) => option.label === "substring")?.detail).toContain("(");
    expect(options.find((option) => option.label === "BETWEEN")?.type).toBe("keyword");
  });

  test("quotes a column that the language would read as something else", () => {
    const applied = (complete("a")?.options ?? []).slice(0, 4).map((option) => option.apply);
    expect(applied).toEqual(["amount", '"unit price"', "order", '"case"']);
  });

  test("replaces the word before the cursor, also one in quotes that is not closed", () => {
    expect(complete("amount > am")?.from).toBe(9);
    expect(complete('1 + "unit p')?.from).toBe(4);
  });

  test("does not press itself on somebody who has typed no letter", () => {
    expect(complete("amount > ")).toBeNull();
  });
});

describe("what is underlined", () => {
  test("is where the engine finds the fault, with its repair", () => {
    const [fault] = lintExpression("amout > 1", schema());
    expect([fault?.from, fault?.to]).toEqual([0, 5]);
    expect(fault?.actions?.[0]?.name).toBe("Use amount");
  });

  test("is something also where the fault is at the end", () => {
    const [fault] = lintExpression("amount >", schema());
    expect(fault !== undefined && fault.from < fault.to && fault.to <= 8).toBe(true);
  });

  test("is nothing while columns are unknown, and nothing in what is right", () => {
    expect(lintExpression("amout > 1", undefined)).toEqual([]);
    expect(lintExpression('amount > 1 AND "unit price" < 2.5', schema())).toEqual([]);
  });
});
