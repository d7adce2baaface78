import type { Arguments, CommandSpec, OptionSpec } from "./arguments.ts";
import type { ExitStatus } from "./exit-status.ts";

export interface Command extends CommandSpec {
  /** The code that does it, loaded when it is asked for. */
  readonly load: () => Promise<(args: Arguments) => Promise<ExitStatus>>;
}

const SINK: OptionSpec = { value: "ID", summary: "sink whose rows go to standard output; needed with several tables" };
const REPORT: OptionSpec = { value: "FILE", summary: "write what happened as JSON, also when the run fails" };
const TIMEOUT: OptionSpec = { value: "S", summary: "fail the run after so many seconds" };
const SEED: OptionSpec = { value: "N", summary: "seed of the lab's scheduler" };
const MOVES: OptionSpec = { value: "FILE", summary: "make these moves first (weir.moves/v1)" };
const SAVE_MOVES: OptionSpec = { value: "FILE", summary: "write the moves that were made, for --moves" };
const TRACE: OptionSpec = { value: "FILE", summary: "write every event, one JSON object a line" };

export const COMMANDS: readonly Command[] = [
  {
    name: "run",
    operand: "GRAPH",
    summary: "run a graph to the end of its sources, or until Ctrl-C stops it with a final epoch",
    options: {
      mode: { value: "MODE", summary: "threads (default): in worker threads; lab: in one thread, repeatable" },
      seed: { ...SEED, summary: `${SEED.summary}, by default 1` },
      sink: SINK,
      checkpoints: { value: "DIR", summary: "keep a checkpoint of every epoch in this folder, the newest few" },
      restore: { value: "EPOCH", summary: "go on from the checkpoint of this epoch, or from the latest" },
      report: REPORT,
      timeout: TIMEOUT,
    },
    load: async () => (await import("./run.ts")).run,
  },
  {
    name: "lab",
    operand: "GRAPH",
    summary: "run a graph in the lab: the same seed makes the same run, event by event",
    options: {
      seed: SEED,
      moves: MOVES,
      "save-moves": SAVE_MOVES,
      trace: TRACE,
      sink: SINK,
      report: REPORT,
      timeout: TIMEOUT,
    },
    load: async () => (await import("./lab.ts")).lab,
  },
  {
    name: "validate",
    operand: "GRAPH",
    summary: "list every problem of a graph, with node and field; run nothing",
    options: {},
    load: async () => (await import("./validate.ts")).validate,
  },
  {
    name: "serve",
    summary: "serve the built page with the headers that shared memory needs",
    options: { port: { value: "P", summary: "port to listen on; by default 4410 or the next free one, 0: any" } },
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "bench",
    operand: "[NAME]",
    summary: "measure the engine on this machine: all benchmarks, or one",
    options: {
      json: { summary: "one JSON document instead of tables" },
      quick: { summary: "one short turn each: to see that it works, not to compare" },
      bids: { value: "N", summary: "different bids that Nexmark queries go through, in memory; by default 1,000,000" },
    },
    load: async () => (await import("./bench.ts")).bench,
  },
];

/** The help of the whole command line. */
export function overview(): string {
  const lines = COMMANDS.map((command) => [synopsis(command), command.summary] as const);
  return [
    "weir runs stream-processing dataflows (weir.graph/v1 documents).",
    "",
    ...table(lines),
    "",
    "weir COMMAND --help tells the options of a command, weir --version the version.",
    "Exit status: 0 finished or stopped cleanly, 1 the run failed, 2 the graph or the usage is wrong.",
    "",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, option]) => [flag(name, option), option.summary] as const,
  );
  return [
    `weir ${synopsis(command)}${options.length > 0 ? " [OPTIONS]" : ""}`,
    "",
    command.summary,
    ...(options.length > 0 ? ["", ...table(options)] : []),
    "",
  ].join("\n");
}

const synopsis = ({ name, operand }: Command): string => (operand === undefined ? name : `${name} ${operand}`);

const flag = (name: string, { value }: OptionSpec): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

function table(lines: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
