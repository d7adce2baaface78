import { describe, expect, it } from "vitest";
import {
  checkExpression,
  EXPRESSION_FUNCTIONS,
  EXPRESSION_KEYWORDS,
  expressionParser,
  previewExpression,
  quotedName,
} from "../index.ts";
import { batch, schema } from "../testing/stage-kit.ts";

const ROWS = batch(schema("v utf8, at timestamp[ms]"), [
  ["12", "2024-06-01T12:00:00Z"],
  ["x", null],
  [null, null],
]);

describe("what the page shows while an expression is written", () => {
  it("values of sampled rows, with the rows that fail", () => {
    expect(previewExpression("cast(v AS int64) + 1", ROWS)).toEqual({
      kind: "values",
      type: { kind: "int", bits: 64, signed: true },
      values: [13n, null, null],
      failed: [1],
      firstError: { row: 1, message: '"x" is no int64' },
    });
    expect(previewExpression("at + INTERVAL '1' DAY", ROWS)).toMatchObject({
      values: ["2024-06-02T12:00:00.000Z", null, null],
      failed: [],
    });
  });

  it("faults where the text is wrong", () => {
    expect(previewExpression("v +", ROWS)).toMatchObject({ kind: "faults", faults: [{ from: 3, to: 3 }] });
    expect(previewExpression("v", ROWS, "condition")).toMatchObject({ kind: "faults", faults: [{ from: 0, to: 1 }] });
  });

  it("the door gives the type, the tree for highlighting, and words for completion", () => {
    expect(checkExpression("length(v)", ROWS.schema)).toMatchObject({ kind: "ok", type: { kind: "int", bits: 64 } });
    // The editor's parser goes on where the text is wrong.
    expect(expressionParser.parse("length(v) AND").toString()).toContain("Call(FunctionName(Word)");
    expect(EXPRESSION_KEYWORDS).toContain("BETWEEN");
    expect(EXPRESSION_FUNCTIONS.find(({ name }) => name === "lower")).toMatchObject({ signature: "lower(text)" });
    expect(["v", "order", "from", "two words", 'a"b'].map(quotedName)).toEqual([
      "v",
      "order",
      '"from"',
      '"two words"',
      '"a""b"',
    ]);
  });
});
