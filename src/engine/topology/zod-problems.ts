import { closest } from "../base/edit-distance.ts";
import type { Widget, z } from "../operators/catalog/zod.ts";
import { type Fix, fieldPath, type Problem, pointer } from "./problem.ts";
import { allowedKeys, metaAt, valueAt } from "./schema-walk.ts";

/** Where a value that zod judged stands in the document. */
export interface SchemaPlace {
  readonly node?: string | undefined;
  readonly edge?: string | undefined;
  /** Path from the document to the value, for patches: `["nodes", 2, "config"]`. */
  readonly at: readonly PropertyKey[];
  /** Path from the node, the edge or the document to the value, for `field`: `["config"]`. */
  readonly field: readonly PropertyKey[];
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What zod found, in words, with the nearest allowed name and a repair where there is one. */
export function problemsOf(issues: readonly Issue[], schema: z.ZodType, value: unknown, place: SchemaPlace): Problem[] {
  const told = issues.filter((issue) => !isWider(issue, issues));
  return told.flatMap((issue) => new IssueReader(schema, value, place).read(issue, []));
}

/** zod bounds every integer by what a number can hold; where the schema has a bound of its own, that one says all. */
function isWider(issue: Issue, issues: readonly Issue[]): boolean {
  if (issue.code !== "too_big" && issue.code !== "too_small") return false;
  const bound = issue.code === "too_big" ? issue.maximum : issue.minimum;
  if (Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER) return false;
  const path = fieldPath(issue.path);
  return issues.some((other) => other !== issue && other.code === issue.code && fieldPath(other.path) === path);
}

interface Words {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly fix?: Fix | undefined;
}

class IssueReader {
  private readonly schema: z.ZodType;
  private readonly value: unknown;
  private readonly place: SchemaPlace;

  constructor(schema: z.ZodType, value: unknown, place: SchemaPlace) {
    this.schema = schema;
    this.value = value;
    this.place = place;
  }

  /** `above`: path to the union that the issue is a branch of. */
  read(issue: Issue, above: Path): Problem[] {
    const path = [...above, ...issue.path];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => this.problem([...path, key], this.unknownField(path, key)));
    if (issue.code === "invalid_union") {
      const branch = this.meantBranch(issue.errors, path);
      if (branch !== undefined) return branch.flatMap((each) => this.read(each, path));
    }
    return [this.problem(path, this.words(issue, path))];
  }

  /**
   * The branch of a union that the person meant: the only one whose faults all lie deeper, in fields that are there.
   * `undefined` when no branch or several could be meant; then the union's own message says what it takes.
   */
  private meantBranch(branches: readonly (readonly Issue[])[], path: Path): readonly Issue[] | undefined {
    const deeper = (issue: Issue): boolean =>
      issue.path.length > 0 && valueAt(this.value, [...path, issue.path[0] as PropertyKey]) !== undefined;
    const meant = branches.filter((issues) => issues.length > 0 && issues.every(deeper));
    return meant.length === 1 ? meant[0] : undefined;
  }

  private problem(path: Path, words: Words): Problem {
    const { node, edge, field } = this.place;
    return { ...words, domain: "graph", node, edge, field: fieldPath([...field, ...path]) };
  }

  private unknownField(path: Path, key: string): Words {
    const allowed = [...allowedKeys(this.schema, this.value, path)];
    const group = allowed.find((name) => allowedKeys(this.schema, this.value, [...path, name]).has(key));
    if (group !== undefined) return this.fieldOfGroup(path, key, group);
    const near = closest(key, allowed);
    const holder = valueAt(this.value, path);
    const free = near !== undefined && !Object.hasOwn(holder as object, near);
    return {
      code: "unknown-field",
      message: `there is no field ${JSON.stringify(key)}`,
      hint: near === undefined ? fieldsAre(allowed) : `did you mean ${near}?`,
      fix: free
        ? {
            title: `Rename to ${near}`,
            patch: [this.remove([...path, key]), this.add([...path, near], valueAt(holder, [key]))],
          }
        : { title: `Remove ${key}`, patch: [this.remove([...path, key])] },
    };
  }

  /** The field is one of a group of settings: `csv.delimiter`. */
  private fieldOfGroup(path: Path, key: string, group: string): Words {
    const value = valueAt(this.value, [...path, key]);
    const there = valueAt(this.value, [...path, group]) !== undefined;
    return {
      code: "unknown-field",
      message: `there is no field ${JSON.stringify(key)}`,
      hint: `did you mean ${group}.${key}?`,
      fix: {
        title: `Move it to ${group}.${key}`,
        patch: [
          this.remove([...path, key]),
          there ? this.add([...path, group, key], value) : this.add([...path, group], { [key]: value }),
        ],
      },
    };
  }

  private words(issue: Issue, path: Path): Words {
    const value = valueAt(this.value, path);
    const name = lastName([...this.place.field, ...path]);
    // What a form can be made to say is told by the field's title; what only a text can say, by its name there.
    const { title, widget } = metaAt(this.schema, this.value, path);
    const subject = title === undefined ? name : JSON.stringify(title);
    if (!DEFAULT_MESSAGE.test(issue.message) && (value !== undefined || issue.code === "custom")) {
      const [message = "", hint] = issue.message.split("; ");
      return { code: "bad-value", message: sentence(subject, message), hint };
    }
    if (value === undefined)
      return { code: "missing-field", message: `${subject} must be given`, hint: wanted(issue, widget) };
    switch (issue.code) {
      case "invalid_type":
        return { code: "wrong-type", message: `${name} must be ${typed(issue.expected, value)}, not ${shown(value)}` };
      case "invalid_value":
        return this.unknownValue(subject, path, value, issue.values.map(String));
      case "invalid_union":
        return this.unknownValue(subject, path, value, optionsOf(issue));
      case "too_small":
        return { code: "out-of-range", message: `${subject} ${atLeast(issue, value)}`, hint: toAdd(issue, widget) };
      case "too_big":
        return { code: "out-of-range", message: `${subject} must be at most ${issue.maximum}, not ${shown(value)}` };
      default:
        return { code: "bad-value", message: `${subject}: ${issue.message}` };
    }
  }

  private unknownValue(subject: string, path: Path, value: unknown, options: readonly string[]): Words {
    const near = typeof value === "string" ? closest(value, options) : undefined;
    return {
      code: "unknown-value",
      message: `${subject} must be ${oneOf(options)}, not ${shown(value)}`,
      hint: near === undefined ? undefined : `did you mean ${near}?`,
      fix:
        near === undefined
          ? undefined
          : { title: `Use ${near}`, patch: [{ op: "replace", path: pointer(...this.place.at, ...path), value: near }] },
    };
  }

  private remove(path: Path): { op: "remove"; path: string } {
    return { op: "remove", path: pointer(...this.place.at, ...path) };
  }

  private add(path: Path, value: unknown): { op: "add"; path: string; value: unknown } {
    return { op: "add", path: pointer(...this.place.at, ...path), value };
  }
}

/** zod's own words; any others are the schema's. */
const DEFAULT_MESSAGE = /^(Invalid|Too |Unrecognized)/;

/** Our messages that lack a subject begin with a verb. */
const sentence = (subject: string, message: string): string =>
  /^(must|is) /.test(message) ? `${subject} ${message}` : message;

/** Name of the innermost field, with its place where it is in a list: `columns[2]`. */
function lastName(path: Path): string {
  const from = path.findLastIndex((part) => typeof part === "string");
  return fieldPath(path.slice(Math.max(from, 0))) || "the document";
}

const fieldsAre = (names: readonly string[]): string =>
  names.length === 0 ? "there are none here" : `the fields are ${names.join(", ")}`;

/** What to do about a field that is missing. */
function wanted(issue: Issue, widget: Widget | undefined): string | undefined {
  if (issue.message.startsWith("must be ")) return issue.message.replace("must be", "give");
  if (widget !== undefined) return WIDGET_HINTS[widget];
  if (issue.code === "invalid_value") return `choose ${oneOf(issue.values.map(String))}`;
  if (issue.code === "invalid_union") return `choose ${oneOf(optionsOf(issue))}`;
  // That a text is to be given need not be said twice.
  return issue.code === "invalid_type" && issue.expected !== "string" ? `give ${noun(issue.expected)}` : undefined;
}

/** What to do about a field that is empty. */
const toAdd = ({ origin }: z.core.$ZodIssueTooSmall, widget: Widget | undefined): string | undefined =>
  (origin === "string" || origin === "array") && widget !== undefined ? WIDGET_HINTS[widget] : undefined;

const WIDGET_HINTS: Readonly<Record<Widget, string>> = {
  column: "choose a column",
  columns: "choose at least one column",
  "column-map": "give old names and new ones",
  schema: "give each column a name and a type",
  rows: "give a list of rows",
  script: "give at least one step",
  "generator-fields": "give each column a name and say how it is made",
  file: "give the path of a file, relative to the document",
  module: "give the path of a .wasm file, relative to the document",
  path: "give a path relative to the document",
  "text-list": "give a list of texts",
  expression: "write an expression",
};

/** `a, b or c`. */
const oneOf = (options: readonly string[]): string =>
  options.length < 2 ? options.join() : `${options.slice(0, -1).join(", ")} or ${options.at(-1)}`;

/** What a union takes: the values of its discriminator, or its words, and an object where it has one. */
function optionsOf(issue: z.core.$ZodIssueInvalidUnion): string[] {
  if ("options" in issue && issue.options !== undefined) return issue.options.map(String);
  const branches = issue.errors.map(([first]) => first);
  return branches.flatMap((first) => {
    if (first?.code === "invalid_value") return first.values.map(String);
    return first?.code === "invalid_type" ? [noun(first.expected)] : [];
  });
}

const NOUNS = new Map([
  ["int", "a whole number"],
  ["number", "a number"],
  ["string", "text"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
]);

/** A whole number that a number cannot hold is read as another type. */
function typed(expected: string, value: unknown): string {
  if (typeof value !== "bigint") return noun(expected);
  return value > 0n ? `at most ${Number.MAX_SAFE_INTEGER}` : `at least ${Number.MIN_SAFE_INTEGER}`;
}

const noun = (expected: string): string => NOUNS.get(expected) ?? expected;

const SHOWN = 40;

export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function atLeast({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall, value: unknown): string {
  if (origin === "string" || (origin === "array" && minimum === 1)) return "must not be empty";
  if (origin === "array") return `must have at least ${minimum} entries`;
  return `must be ${inclusive === false ? "more than" : "at least"} ${minimum}, not ${shown(value)}`;
}
