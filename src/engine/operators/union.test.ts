import { describe, expect, it } from "vitest";
import { batchRows } from "../testing/batch-values.ts";
import { batch, context, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { union } from "./union.ts";

const OUT = schema("k utf8, v int64");

describe("union", () => {
  it("F-6: passes batches on as they come, nothing copied", () => {
    const output = new RecordingOutput();
    const operator = union({}, context({ outputs: { out: OUT } }));
    const batches = [batch(OUT, [["a", 1]]), batch(OUT, []), batch(OUT, [["b", "9007199254740993"]])];
    for (const each of batches) operator.process(each, "in", output);
    expect(output.batches).toEqual(batches);
    expect(output.batches[2]).toBe(batches[2]);
  });

  it("inputs may differ in what may be NULL: all rows carry the output's schema", () => {
    const output = new RecordingOutput();
    const operator = union({}, context({ outputs: { out: OUT } }));
    operator.process(batch(schema("k utf8 not null, v int64 not null"), [["a", 1]], [5]), "in", output);
    const made = output.batches[0];
    expect(made?.schema).toBe(OUT);
    expect(made && batchRows(made)).toEqual([["a", 1n]]);
    expect(made?.eventTimes).toEqual(Float64Array.of(5));
  });
});
