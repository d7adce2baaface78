import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXPRESSION_FUNCTIONS } from "../expressions/functions.ts";
import { KINDS } from "../operators/catalog.ts";
import { referenceText } from "./reference.ts";

const published = readFileSync(new URL("../../../docs/reference.md", import.meta.url), "utf8");

test("the reference is what the engine knows (npm run schema writes it)", () => {
  expect(published).toBe(referenceText());
});

test("the reference has every kind, every function, and fields inside of fields", () => {
  for (const { kind } of KINDS) expect(published).toContain(`### \`${kind}\``);
  for (const { signature } of EXPRESSION_FUNCTIONS) expect(published).toContain(`\`${signature}\``);
  const fields = ["time.watermark (bounded).delayMs", "aggregates[].fn", "window (session).gapMs", "epochTimeoutMs"];
  for (const field of fields) expect(published).toContain(`| \`${field}\` |`);
});
