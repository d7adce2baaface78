import { expect, test } from "vitest";
import { errorLine } from "./errors.ts";

test("an error is one line of text, whatever the data holds", () => {
  const line = errorLine({
    code: "unknown-column",
    domain: "graph",
    node: "src",
    field: "config.time.column",
    message: 'there is no column "when"',
    hint: "the columns are a\u001b[2J, b\nc, Köln, 名前",
  });
  expect(line).toBe('src.config.time.column: there is no column "when"; the columns are a\\u001b[2J, b c, Köln, 名前');
});
