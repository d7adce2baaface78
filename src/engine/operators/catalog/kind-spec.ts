import type { Schema } from "../../data/schema.ts";
import type { TimeUnit } from "../../data/types.ts";
import type { FileFormat } from "../../formats/file-format.ts";
import type { CsvReadConfig } from "./file-formats.ts";
import type { z } from "./zod.ts";

export type KindRole = "source" | "operator" | "sink";
export type KindGroup = "sources" | "steps" | "stateful" | "sinks";
export type Delivery = "exactly-once" | "at-least-once";

export interface InputPort {
  readonly name: string;
  /** Any number of edges of one schema; otherwise exactly one. */
  readonly many: boolean;
}

export interface OutputPort {
  readonly name: string;
  /** Half a sentence for the port's tooltip. */
  readonly summary: string;
}

/** One operation of a JSON Patch (RFC 6902); `path` is a JSON Pointer. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** What is wrong with a configuration, in the words of `ErrorData`. */
export interface ConfigProblem {
  readonly code: string;
  /** Path inside the config: `time.column`, `columns[2]`. */
  readonly field: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Row of inline data, from 1. */
  readonly row?: number | undefined;
  /** A repair; pointers are relative to the config. */
  readonly fix?: { readonly title: string; readonly patch: readonly PatchOperation[] } | undefined;
}

export type SchemaFlow =
  /** One schema for each port that `outputs` names. */
  | { readonly kind: "ok"; readonly outputs: Readonly<Record<string, Schema>> }
  | { readonly kind: "problems"; readonly problems: readonly ConfigProblem[] };

/** A file whose columns a config leaves out. */
export interface GuessRequest {
  readonly format: FileFormat;
  readonly path: string;
  readonly options: { readonly csv: CsvReadConfig; readonly timestampUnit: TimeUnit };
}

/**
 * Everything that a kind of node is, except the code that runs: enough for validation, the plan, the palette and the
 * forms of the page. `C` is the config as `config` parses it, defaults filled in; the functions are given nothing else.
 *
 * They are methods, not function properties, so that a spec of any config is a `KindSpec`.
 */
export interface KindSpec<C = unknown> {
  /** As in the document: `source.rows`. */
  readonly kind: string;
  readonly role: KindRole;
  readonly group: KindGroup;
  readonly title: string;
  /** One line for the palette. */
  readonly summary: string;
  /** A few sentences for the inspector. */
  readonly help: string;
  /** Strict: unknown fields are refused. Each field carries `meta({ title, description, … })`. */
  readonly config: z.ZodType<C>;
  /** Empty for sources. */
  readonly inputs: readonly InputPort[];
  /** Empty for sinks. The first is the one that a short `from` means. */
  outputs(config: C): readonly OutputPort[];
  /**
   * Columns out of `inputs` (a schema for every input port). What a config says about columns is checked here.
   */
  schemaFlow(config: C, inputs: Readonly<Record<string, Schema>>): SchemaFlow;
  /**
   * Faults that the zod schema cannot express and that need no input schema: rows that do not match, fields that exclude
   * each other. They must not keep `outputs` and `schemaFlow` from working.
   */
  check?(config: C): readonly ConfigProblem[];
  /** What the columns are to be guessed from; `undefined` when the config gives them as `schema`. */
  guess?(config: C): GuessRequest | undefined;
  /** Key columns by input port. A keyed operator above parallelism 1 is fed by shuffles on them or some of them. */
  keys?(config: C): Readonly<Record<string, readonly string[]>>;
  /** Sources: whether rows carry an event time and watermarks follow them (D-6). */
  hasEventTime?(config: C): boolean;
  /**
   * Whether the rows that leave at a port have an event time of this kind's making: all of them or none; `undefined`: as they
   * came in. Sources always tell.
   */
  givesTimes?(config: C, port: string): boolean | undefined;
  /** Takes rows by event time or, when they have none, by the clock: one of the two for all its input. */
  readonly oneSortOfTime?: true;
  /** Whether the result comes by event time, so that input without one would wait for ever (D-6). */
  needsEventTime?(config: C): boolean;
  /** Whether its output is a changelog: rows that take the place of earlier ones, with a column `op`. */
  sendsChangelog?(config: C): boolean;
  /**
   * What it does with a changelog: `takes` it for what it is, or `passes` it on as one. A kind that says nothing would count an
   * update as one more row, and is refused.
   */
  readonly changelog?: "takes" | "passes";
  /** Sources: subtask 0 reads everything, whatever the parallelism, and the others nothing. */
  readonly readsAlone?: true;
  /** Sources: never runs dry by itself (D-17). */
  endless?(config: C): boolean;
  /** Sinks; at-least-once when left out. */
  delivery?(config: C): Delivery;
  /** Runs foreign code that nothing inside a worker can interrupt: how long one call may take. */
  callLimitMs?(config: C): number;
}

/** Types a spec by its own zod schema. */
export function defineKind<C>(spec: KindSpec<C>): KindSpec<C> {
  return spec;
}

/** The functions of the page, the command line and the tests take a catalog, so that a test can bring kinds of its own. */
export type Catalog = ReadonlyMap<string, KindSpec>;

export const IN: readonly InputPort[] = [{ name: "in", many: true }];
export const OUT: OutputPort = { name: "out", summary: "the rows" };

/** The schema at `in`. */
export function inputOf(inputs: Readonly<Record<string, Schema>>): Schema {
  const schema = inputs["in"];
  if (schema === undefined) throw new Error("schemaFlow is called with a schema for every input port");
  return schema;
}

export const flowOut = (out: Schema): SchemaFlow => ({ kind: "ok", outputs: { out } });
export const flowNothing: SchemaFlow = { kind: "ok", outputs: {} };

/** `outputs` where nothing is wrong, else the problems. */
export function flow(problems: readonly ConfigProblem[], outputs: () => Readonly<Record<string, Schema>>): SchemaFlow {
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "ok", outputs: outputs() };
}
