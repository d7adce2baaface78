import { appendFileSync, closeSync, openSync, writeFileSync } from "node:fs";
import { errorText, type MoveList, type TraceEvent, traceLine } from "../engine/index.ts";
import { type Arguments, Refusal, usageError, wholeNumber } from "./arguments.ts";
import { type LabRun, labRun } from "./drive-lab.ts";
import { execute } from "./execute.ts";
import type { ExitStatus } from "./exit-status.ts";
import { readJob, writablePath } from "./job.ts";
import { readText } from "./load-graph.ts";

/** `weir lab GRAPH --seed N`: the same seed makes the same moves, the same trace, the same rows. */
export async function lab(args: Arguments): Promise<ExitStatus> {
  const moves = await readMoves(args.options.get("moves"));
  const seed = wholeNumber(args, "seed") ?? moves?.seed;
  if (seed === undefined) {
    throw new Refusal([usageError("weir lab needs --seed", "write --seed N: the same number makes the same run")]);
  }
  const tracePath = await writablePath(args, "trace");
  const movesPath = await writablePath(args, "save-moves");
  const job = await readJob(args);
  let started: LabRun | undefined;
  const status = await execute(job, async (listener) => {
    started = await labRun(job, { seed, moves }, listener);
    return started;
  });
  if (started !== undefined && tracePath !== undefined) writeTrace(tracePath, started.lab.trace);
  if (started !== undefined && movesPath !== undefined) writeMoves(movesPath, started.lab.moves);
  return status;
}

const LINES_A_WRITE = 1024;

function writeTrace(path: string, events: readonly TraceEvent[]): void {
  const file = openSync(path, "w");
  try {
    for (let from = 0; from < events.length; from += LINES_A_WRITE) {
      const lines = events.slice(from, from + LINES_A_WRITE).map((event) => `${traceLine(event)}\n`);
      appendFileSync(file, lines.join(""));
    }
  } finally {
    closeSync(file);
  }
}

function writeMoves(path: string, { moves, ...list }: MoveList): void {
  const head = JSON.stringify(list).slice(0, -1);
  writeFileSync(path, `${head},"moves":[\n${moves.map((move) => JSON.stringify(move)).join(",\n")}\n]}\n`);
}

/** @throws Refusal when the file is no list of moves */
async function readMoves(path: string | undefined): Promise<MoveList | undefined> {
  if (path === undefined) return undefined;
  const text = await readText(path, "the move list");
  const refuse = (why: string): Refusal =>
    new Refusal([usageError(`${JSON.stringify(path)} is no move list: ${why}`, "give a file that --save-moves wrote")]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(errorText(error));
  }
  const { format, fingerprint, seed, moves } = (value ?? {}) as Partial<Record<keyof MoveList, unknown>>;
  if (format !== "weir.moves/v1") throw refuse(`its format is ${JSON.stringify(format)}, not "weir.moves/v1"`);
  if (typeof fingerprint !== "string") throw refuse("its fingerprint is missing");
  if (!Number.isSafeInteger(seed)) throw refuse("its seed is missing");
  if (!Array.isArray(moves) || !moves.every((move) => typeof move === "string"))
    throw refuse("its moves are no list of text");
  return { format, fingerprint, seed: seed as number, moves };
}
