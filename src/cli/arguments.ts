import { parseArgs } from "node:util";
import { closest, type ErrorData } from "../engine/index.ts";

/** An option of a command. */
export interface OptionSpec {
  /** Name of its value in the help, such as `FILE`; an option without one is a switch. */
  readonly value?: string;
  readonly summary: string;
}

/** What a command takes; the help is made of it. */
export interface CommandSpec {
  readonly name: string;
  /** Name of its operand, such as `GRAPH`; in brackets when it may be left out. */
  readonly operand?: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
}

/** The words of a command line that a command understood. */
export interface Arguments {
  readonly operand: string | undefined;
  /** Values as written; a switch that is there has an empty one. */
  readonly options: ReadonlyMap<string, string>;
}

/** The graph or the usage is wrong: exit status 2, with every problem on a line of its own. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly problems: readonly ErrorData[];

  constructor(problems: readonly ErrorData[]) {
    super(problems[0]?.message);
    this.problems = problems;
  }
}

export function usageError(message: string, hint?: string): ErrorData {
  return { code: "bad-usage", domain: "usage", message, hint };
}

const quoted = (text: string): string => JSON.stringify(text);

/**
 * Reads the words after a command's name.
 * @throws Refusal with every problem
 */
export function parseArguments(spec: CommandSpec, words: readonly string[]): Arguments {
  const problems: ErrorData[] = [];
  const options = new Map<string, string>();
  const operands: string[] = [];
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(spec.options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? "boolean" : "string" },
      ]),
    ),
    // The tokens are judged here, because parseArgs stops at the first fault and suggests nothing.
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const fault = optionFault(spec, token);
    if (fault !== undefined) problems.push(fault);
    else if (options.has(token.name)) problems.push(usageError(`--${token.name} is given twice`, "give it once"));
    else options.set(token.name, token.value ?? "");
  }
  problems.push(...operandFaults(spec, operands));
  if (problems.length > 0) throw new Refusal(problems);
  return { operand: operands[0], options };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function optionFault(spec: CommandSpec, { name, rawName, value, inlineValue }: OptionToken): ErrorData | undefined {
  const option = Object.hasOwn(spec.options, name) ? spec.options[name] : undefined;
  if (option === undefined || !rawName.startsWith("--")) return unknownOption(spec, rawName);
  if (option.value === undefined) {
    return value === undefined ? undefined : usageError(`${rawName} takes no value`, `write ${rawName} alone`);
  }
  const looksLikeOption = inlineValue === false && value !== undefined && /^-\D/.test(value);
  if (value !== undefined && value !== "" && !looksLikeOption) return undefined;
  return usageError(`${rawName} needs a value`, `write ${rawName} ${option.value}`);
}

function unknownOption(spec: CommandSpec, rawName: string): ErrorData {
  const names = Object.keys(spec.options).map((name) => `--${name}`);
  const near = closest(rawName, names);
  const listed = names.length === 0 ? `weir ${spec.name} takes no options` : `the options are ${names.join(", ")}`;
  return usageError(
    `weir ${spec.name} has no option ${quoted(rawName)}`,
    near === undefined ? listed : `did you mean ${near}?`,
  );
}

function operandFaults({ name, operand }: CommandSpec, operands: readonly string[]): ErrorData[] {
  const most = operand === undefined ? 0 : 1;
  const needed = operand !== undefined && !operand.startsWith("[");
  if (needed && operands.length === 0) {
    return [usageError(`weir ${name} needs ${operand}`, `write weir ${name} ${operand}`)];
  }
  return operands.slice(most).map((extra) => {
    const takes = operand === undefined ? "nothing but options" : `one ${operand.replace(/[[\]]/g, "")}`;
    return usageError(`${quoted(extra)} is too much: weir ${name} takes ${takes}`, "leave it out");
  });
}

/**
 * An option's value as a whole number.
 * @throws Refusal
 */
export function wholeNumber({ options }: Arguments, name: string, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new Refusal([usageError(`--${name} must be a whole number from 0 to ${most}, not ${quoted(text)}`)]);
}

/**
 * An option's value as a number of seconds, above 0.
 * @throws Refusal
 */
export function seconds({ options }: Arguments, name: string): number | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value > 0) return value;
  throw new Refusal([usageError(`--${name} must be a number of seconds above 0, not ${quoted(text)}`)]);
}

/**
 * An option's value, one of a few words.
 * @throws Refusal
 */
export function oneOf<W extends string>({ options }: Arguments, name: string, words: readonly W[]): W | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  const known = words.find((word) => word === text);
  if (known !== undefined) return known;
  const near = closest(text, words);
  const hint = near === undefined ? undefined : `did you mean ${near}?`;
  throw new Refusal([usageError(`--${name} must be ${words.join(" or ")}, not ${quoted(text)}`, hint)]);
}
