import { closest, type ErrorData, errorLine, errorText, WeirError } from "../engine/index.ts";
import { parseArguments, Refusal, usageError } from "./arguments.ts";
import { COMMANDS, commandHelp, overview } from "./commands.ts";
import type { ExitStatus } from "./exit-status.ts";
import { version } from "./version.ts";

async function main(words: readonly string[]): Promise<ExitStatus> {
  try {
    return await dispatch(words);
  } catch (error) {
    return complain(error);
  }
}

async function dispatch(words: readonly string[]): Promise<ExitStatus> {
  const [first, ...rest] = words;
  const asksHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";
  if (asksHelp(first)) return say(overview());
  if (first === "--version") return say(`${await version()}\n`);
  if (first === undefined) throw new Refusal([usageError("a command is missing", `write ${names(" or ")}`)]);
  const command = COMMANDS.find(({ name }) => name === first);
  if (command === undefined) throw new Refusal([unknownCommand(first)]);
  if (rest.some(asksHelp)) return say(commandHelp(command));
  const args = parseArguments(command, rest);
  const act = await command.load();
  return act(args);
}

function say(text: string): ExitStatus {
  process.stdout.write(text);
  return 0;
}

const names = (separator: string): string => COMMANDS.map(({ name }) => name).join(separator);

function unknownCommand(word: string): ErrorData {
  const near = closest(
    word,
    COMMANDS.map(({ name }) => name),
  );
  const message = `weir has no command ${JSON.stringify(word)}`;
  return usageError(message, near === undefined ? `the commands are ${names(", ")}` : `did you mean ${near}?`);
}

/** What was thrown, on standard error: wrong usage and wrong graphs are 2, anything else is a failure. */
function complain(error: unknown): ExitStatus {
  if (error instanceof Refusal) {
    for (const problem of error.problems) process.stderr.write(`${errorLine(problem)}\n`);
    return 2;
  }
  if (error instanceof WeirError) {
    process.stderr.write(`${errorLine(error.data)}\n`);
    return error.data.domain === "usage" || error.data.domain === "graph" ? 2 : 1;
  }
  process.stderr.write(`weir failed: ${errorText(error)}\n`);
  return 1;
}

/** The exit status is set, not forced, so that output on its way arrives. */
process.exitCode = await main(process.argv.slice(2));
