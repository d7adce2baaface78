import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { bytesOfText, type Decoded, type DecodeOptions, decodeNdjson, reasons } from "../testing/decode.ts";
import { schema } from "../testing/stage-kit.ts";

function decodeEveryWay(
  of: ReturnType<typeof schema>,
  text: string | Uint8Array,
  options: DecodeOptions = {},
): Decoded {
  const bytes = bytesOfText(text);
  const whole = decodeNdjson(of, bytes, options);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(decodeNdjson(of, bytes, { ...options, cuts: [cut] }), `cut at ${cut}`).toEqual(whole);
  }
  const cuts = Array.from({ length: bytes.length }, (_, i) => i);
  expect(decodeNdjson(of, bytes, { ...options, cuts }), "byte by byte").toEqual(whole);
  return whole;
}

/** The reason why a line is bad for a schema, or its row. */
const judge = (of: string, line: string) => {
  const decoded = decodeNdjson(schema(of), line);
  return decoded.bad[0]?.reason ?? decoded.rows[0];
};

describe("NDJSON records", () => {
  it("are lines, whatever their ends, blank ones passed over, the last one with or without an end", () => {
    const text = '{"a":1}\r\n\n  \t\r\n {"a" : 2 , "b":"x"} \n{}\n{"b":"ä€😀","a":3}';
    const decoded = decodeEveryWay(schema("a int64, b utf8"), text);
    expect(decoded.rows).toEqual([
      [1n, null],
      [2n, "x"],
      [null, null],
      [3n, "ä€😀"],
    ]);
    expect(decoded.bad).toEqual([]);
    expect(decodeEveryWay(schema("a int64, b utf8"), `${text}\n`).rows).toEqual(decoded.rows);
  });

  it("keep all 64 bits of integers and every digit of decimals (D-41, P-02)", () => {
    const of = schema("id int64, u uint64");
    const decoded = decodeEveryWay(
      of,
      '{"id":9007199254740993,"u":18446744073709551615}\n{"id":9007199254740992}\n{"id":-9223372036854775808,"u":"18446744073709551614"}\n',
    );
    expect(decoded.rows).toEqual([
      [9007199254740993n, 18446744073709551615n],
      [9007199254740992n, null],
      [-9223372036854775808n, 18446744073709551614n],
    ]);
  });

  it("a fault ends with its line", () => {
    const of = schema("a int64, b utf8");
    const decoded = decodeEveryWay(of, '{"a":1}\n{"a":\n{"a":2}\n{"b":"x\n{"a":3}\n[1]\n"x"\n{"a":4}x\n{"a":5}');
    expect(decoded.rows).toEqual([
      [1n, null],
      [2n, null],
      [3n, null],
      [5n, null],
    ]);
    expect(reasons(decoded)).toEqual([
      "2 : the line ends where a value is expected",
      "4 : a string is not closed",
      '6 : "[1]" stands where a JSON object is expected',
      '7 : "\\"x\\"" stands where a JSON object is expected',
      '8 : "x" stands where the end of the line is expected',
    ]);
    expect(decoded.bad.map(({ row, line, text }) => [row, line, text])).toEqual([
      [2, 2, '{"a":'],
      [4, 4, '{"b":"x'],
      [6, 6, "[1]"],
      [7, 7, '"x"'],
      [8, 8, '{"a":4}x'],
    ]);
  });

  it.each([
    ['{"a":01}', '"1}" stands where , or } is expected'],
    ['{"a":+1}', '"+1}" stands where a value is expected'],
    ['{"a":1.}', "a number needs a digit behind its point"],
    ['{"a":1e}', "a number needs a digit in its exponent"],
    ['{"a":NaN}', '"NaN}" stands where a value is expected'],
    ['{"a":tru}', '"tru}" stands where a value is expected'],
    ["{'a':1}", "\"'a':1}\" stands where a field name is expected"],
    ['{"a":1,}', '"}" stands where a field name is expected'],
    ['{"a" 1}', '"1}" stands where : is expected'],
    ['{"a":1 "b":2}', '"\\"b\\":2}" stands where , or } is expected'],
    ['{"a":"\t"}', "a control character in a string must be written as an escape"],
    ['{"a":"\\x41"}', "there is no such escape in JSON"],
    ['{"a":"\\u12g4"}', "\\u needs four hexadecimal digits"],
    ['{"a":[1 2]}', '"2]}" stands where , or ] is expected'],
    ['{"a":{"b":1,}}', '"}}" stands where a field name is expected'],
  ])("%s is no JSON", (line, reason) => {
    expect(judge("a utf8, b utf8", line)).toBe(reason);
    expect(() => JSON.parse(line)).toThrow();
  });

  it("JSON that no column could hold is refused: half characters, nesting without end", () => {
    expect(judge("a utf8", '{"a":"\\ud800"}')).toBe("half of a surrogate pair is no character");
    expect(judge("a utf8", '{"a":"\\udc00\\ud800"}')).toBe("half of a surrogate pair is no character");
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(judge("a utf8", deep)).toBe("arrays and objects stand more than 200 deep in each other");
  });
});

describe("NDJSON fields (D-41)", () => {
  it("missing is NULL where that may be, and a bad row where not", () => {
    const decoded = decodeEveryWay(
      schema("id int64 not null, note utf8"),
      '{"id":1}\n{"note":"x"}\n{"id":null}\n{"id":2,"note":null}\n',
    );
    expect(decoded.rows).toEqual([
      [1n, null],
      [2n, null],
    ]);
    expect(reasons(decoded)).toEqual([
      "2 id: the field is missing, and the column is not null",
      "3 id: NULL in a column that is not null",
    ]);
  });

  it("a misspelt name is a bad row that says the name, unless extra fields are ignored", () => {
    const line = '{"amuont":5,"x":{"y":[1,"}",{"z":null}]},"amount":7}\n';
    const refused = decodeEveryWay(schema("amount int64"), line);
    expect(refused.rows).toEqual([]);
    expect(refused.bad[0]).toMatchObject({ fields: ["amuont"], reason: 'there is no column "amuont"' });
    const ignored = decodeEveryWay(schema("amount int64"), line, { extraFields: "ignore" });
    expect(ignored.rows).toEqual([[7n]]);
  });

  it("a name that comes twice is a bad row", () => {
    expect(judge("a int64", '{"a":1,"a":2}')).toBe('the field "a" comes twice');
    expect(judge("a int64", '{"a":1,"\\u0061":2}')).toBe('the field "a" comes twice');
  });

  it.each([
    ["int64", '"abc"', '"abc" is no int64'],
    ["int64", "1.5", "1.5 is no int64"],
    ["int64", "1e3", "1e3 is no int64"],
    ["int64", "true", "true is no int64"],
    ["int32", '"5"', '"5" is no int32'],
    ["int8", "128", "128 is out of range for int8"],
    ["float64", '"1.5"', '"1.5" is no float64'],
    ["utf8", "5", "5 is no utf8"],
    ["utf8", '{"x":1}', "a nested value is no utf8"],
    ["utf8", "[]", "a nested value is no utf8"],
    ["boolean", '"true"', '"true" is no boolean'],
    ["boolean", "1", "1 is no boolean"],
    ["date", "5", "5 is no date"],
    ["timestamp[ms]", "1.5", "1.5 is no timestamp[ms]"],
    ["timestamp[ms]", '"5"', '"5" is no timestamp[ms]'],
  ])("a mistyped value is a bad row: %s from %s", (type, value, reason) => {
    expect(judge(`v ${type}`, `{"v":${value}}`)).toBe(reason);
  });

  it.each([
    ["float64", "1e3", 1000],
    ["float64", '"NaN"', NaN],
    ["float64", '"-Infinity"', -Infinity],
    ["float64", "-0", -0],
    ["boolean", "true", true],
    ["date", '"1969-12-31"', -1],
    ["timestamp[us]", '"1969-12-31T23:59:59.999999Z"', -1n],
    ["timestamp[us]", "1500", 1500000n],
    ["binary", '"AP8="', "00ff"],
    ["utf8", '"\\u0041\\n\\"\\\\\\/\\u00e9\\u20ac\\ud83d\\ude00é"', 'A\n"\\/é€😀é'],
    ["utf8", '"\\u0000"', "\0"],
  ])("%s from %s", (type, value, expected) => {
    expect(judge(`v ${type}`, `{"v":${value}}`)).toEqual([expected]);
  });

  it("names of the language's own objects are names like any other (P-02)", () => {
    const of = schema("__proto__ int64, constructor utf8, hasOwnProperty int64, toString utf8");
    const decoded = decodeEveryWay(
      of,
      '{"__proto__":1,"constructor":"a"}\n{"hasOwnProperty":2,"toString":"b"}\n{"valueOf":1}\n',
    );
    expect(decoded.rows).toEqual([
      [1n, "a", null, null],
      [null, null, 2n, "b"],
    ]);
    expect(decoded.bad[0]?.reason).toBe('there is no column "valueOf"');
  });

  it("fields in any order, and names with escapes or beyond ASCII", () => {
    const of = schema("größe int64, b utf8");
    const decoded = decodeEveryWay(
      of,
      '{"größe":1,"b":"x"}\n{"b":"y","gr\\u00f6\\u00dfe":2}\n{"größe":3}\n{"b":"z"}\n{"größ":1}\n',
    );
    expect(decoded.rows).toEqual([
      [1n, "x"],
      [2n, "y"],
      [3n, null],
      [null, "z"],
    ]);
    expect(decoded.bad[0]?.fields).toEqual(["größ"]);
  });

  it("a name that needs escapes is found only escaped", () => {
    const of = new Schema(['q"uote', "new\nline"].map((name) => ({ name, type: typeOf("int64"), nullable: true })));
    const good = `${JSON.stringify({ 'q"uote': 1, "new\nline": 2 })}\n`;
    const decoded = decodeEveryWay(of, `${good}{"q"uote":1}\n{"new\nline":2}\n${good}`);
    expect(decoded.rows).toEqual([
      [1n, 2n],
      [1n, 2n],
    ]);
    expect(decoded.bad.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it("rescued rows stand in their place with their text (E-10)", () => {
    const decoded = decodeEveryWay(schema("a int64 not null"), '{"a":1}\nnonsense "x"\n{"b":2}\n{"a":3}\n', {
      rescueColumn: "_rescued",
    });
    expect(decoded.rows).toEqual([
      [1n, null],
      [null, 'nonsense "x"'],
      [null, '{"b":2}'],
      [3n, null],
    ]);
  });

  it("text that is no UTF-8 is a bad row", () => {
    const bytes = Uint8Array.from([...bytesOfText('{"a":"'), 0xff, ...bytesOfText('"}\n{"a":"ok"}\n')]);
    const decoded = decodeEveryWay(schema("a utf8"), bytes);
    expect(decoded.rows).toEqual([["ok"]]);
    expect(decoded.bad[0]?.reason).toBe('"\ufffd" is not UTF-8');
  });
});

describe("NDJSON batches and places (P-18, P-27)", () => {
  it.each([
    [7, [3, 3, 1]],
    [6, [3, 3]],
    [0, []],
  ])("%i records in batches of 3 lose none", (records, sizes) => {
    const text = Array.from({ length: records }, (_, i) => `{"n":${i}}\n`).join("");
    const decoded = decodeEveryWay(schema("n int64"), text, { batchRows: 3 });
    expect(decoded.batches.map(({ rows }) => rows)).toEqual(sizes);
  });

  it("goes on at the place of any batch as if it had read everything before", () => {
    const text = Array.from({ length: 21 }, (_, i) => (i % 5 === 4 ? "bad\n" : `\n{"n":${i},"t":"ü"}\r\n`)).join("");
    const bytes = bytesOfText(text);
    const of = schema("n int64, t utf8");
    const whole = decodeNdjson(of, bytes, { batchRows: 4 });
    let rows = 0;
    for (const { rows: count, next } of whole.batches) {
      rows += count;
      const rest = decodeNdjson(of, bytes.slice(next.offset), { batchRows: 4, start: next });
      expect(rest.rows).toEqual(whole.rows.slice(rows));
      expect(rest.bad).toEqual(whole.bad.filter(({ row }) => row > next.records));
    }
  });
});

const key = fc.constantFrom("a", "b", "ß", "__proto__", 'q"uote', "new\nline");
const value = fc.oneof(
  fc.string({ unit: "binary", maxLength: 10 }),
  fc.constantFrom("", '"', "\\", "\u2028", "😀", "\u0000"),
);

describe("NDJSON against JSON.parse", () => {
  it("reads the text that JSON.stringify writes, escapes and all, however it is cut", () => {
    const record = fc.dictionary(
      key,
      value.map((text) => text.toWellFormed()),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.array(fc.nat(200)), fc.boolean(), (records, at, escaped) => {
        const names = ["a", "b", "ß", "__proto__", 'q"uote', "new\nline"];
        const ascii = (line: string) =>
          line.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
        const lines = records.map((each) => JSON.stringify(each)).map((line) => (escaped ? ascii(line) : line));
        const bytes = bytesOfText(lines.join("\n"));
        const cuts = at.map((cut) => Math.min(cut, bytes.length)).sort((x, y) => x - y);
        const named = new Schema(names.map((name) => ({ name, type: typeOf("utf8"), nullable: true })));
        const decoded = decodeNdjson(named, bytes, { cuts });
        const expected = lines.map((line) => {
          const entries = new Map(Object.entries(JSON.parse(line) as Record<string, string>));
          return names.map((name) => entries.get(name) ?? null);
        });
        expect(decoded.bad).toEqual([]);
        expect(decoded.rows).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("takes and refuses the same lines", () => {
    const piece = fc.constantFrom(...'{}[]:,"\\ 0123456789.eE+-trufalsn'.split(""), '"a"', '{"a":', "null", "1.5e3");
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const line = `{"a":${pieces.join("")}}`;
        const decoded = decodeNdjson(schema("a utf8"), line, { extraFields: "ignore" });
        const reason = decoded.bad[0]?.reason ?? "";
        fc.pre(!reason.endsWith("comes twice"));
        let isObject = true;
        try {
          JSON.parse(line);
        } catch {
          isObject = false;
        }
        // A number is JSON and still no utf8: what counts here is whether the line was taken as JSON.
        const taken = reason === "" || reason.endsWith("is no utf8");
        expect(taken, `${line} — ${reason}`).toBe(isObject);
      }),
      { numRuns: 3000 },
    );
  });
});
