import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  type Checkpoint,
  CheckpointStore,
  type CompletedEpoch,
  checkpointOf,
  epoch,
  type Resumption,
  resume,
  toErrorData,
} from "../engine/index.ts";
import { openFiles } from "../workers/node/files.ts";
import { type Arguments, Refusal, usageError, wholeNumber } from "./arguments.ts";
import { claimFolder } from "./folder-claim.ts";
import type { LoadedGraph } from "./load-graph.ts";

const LATEST = "latest";

/** The folder in which a run keeps its checkpoints. */
export class RunCheckpoints {
  /** Where the run begins; `undefined`: at the beginning. */
  readonly from: Resumption | undefined;
  /** What the person should know before it begins. */
  readonly remarks: readonly string[];
  private readonly store: CheckpointStore;
  private readonly graph: LoadedGraph;
  private readonly lineage: string;
  private last: Checkpoint["epoch"] | undefined = undefined;

  constructor(store: CheckpointStore, graph: LoadedGraph, start: Start) {
    this.store = store;
    this.graph = graph;
    this.from = start.from;
    this.remarks = start.remarks;
    this.lineage = start.lineage;
  }

  /** The run begins: checkpoints that are newer than its start are of a course of events that will not come to be. @throws WeirError */
  begin(): void {
    if (this.from !== undefined) this.store.forgetAfter(this.from.epoch);
  }

  /** Makes a completed epoch durable (F-55). @throws WeirError */
  save(completed: CompletedEpoch): void {
    const { plan, document } = this.graph;
    this.store.save(checkpointOf(plan, completed, { lineage: this.lineage, graph: document.name ?? "" }));
    this.last = completed.epoch;
  }

  /** The run came to its end and its rows are where they go: a run that goes on from here has nothing to commit again. */
  async settle(): Promise<void> {
    if (this.last === undefined) return;
    this.store.save({ ...(await this.store.load(this.last)), settled: true });
  }
}

interface Start {
  readonly from: Resumption | undefined;
  readonly lineage: string;
  readonly remarks: readonly string[];
}

/**
 * What `--checkpoints` and `--restore` ask for; `undefined` without them. Nothing is written or forgotten yet.
 * @throws Refusal when the folder cannot be used, or is in use, or the graph cannot go on from what is in it
 */
export async function openCheckpoints(args: Arguments, graph: LoadedGraph): Promise<RunCheckpoints | undefined> {
  const folder = args.options.get("checkpoints");
  const wanted = args.options.get("restore");
  if (folder === undefined) {
    if (wanted === undefined) return undefined;
    throw new Refusal([usageError("--restore needs --checkpoints", "write --checkpoints DIR: the folder they are in")]);
  }
  await refuseUnusable(folder);
  const files = openFiles({ folder: process.cwd(), attached: {} });
  const store = new CheckpointStore(files, resolve(folder), graph.plan.settings.retainedCheckpoints);
  const remarks: string[] = [];
  const found = wanted === undefined ? undefined : await find(store, args, remarks);
  if (found === undefined) {
    if (wanted === undefined) refuseToMix(store, folder);
    return new RunCheckpoints(store, graph, { from: undefined, lineage: randomUUID(), remarks });
  }
  const from = resume(found, graph.plan);
  if ("problems" in from) throw new Refusal(from.problems);
  return new RunCheckpoints(store, graph, { from, lineage: found.lineage, remarks });
}

/** @throws Refusal when checkpoints cannot be kept there: looked at before the run, so that a slip of the pen does not cost it. */
async function refuseUnusable(folder: string): Promise<void> {
  const of = `--checkpoints ${JSON.stringify(folder)}`;
  const reason = await whyUnusable(resolve(folder));
  if (reason !== undefined) throw new Refusal([usageError(`${of} ${reason}`, "give a folder")]);
  if (!(await claimFolder(resolve(folder)))) {
    throw new Refusal([usageError(`${of} is in use by another run`, "wait until it is over, or give another folder")]);
  }
}

/** A folder that is not there yet is made when it is needed. */
async function whyUnusable(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return "is a file";
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return whyUnusable(dirname(path));
    if (code === "ENOTDIR") return "has a file in its path";
    return code === "EACCES" ? "may not be read and written to" : `cannot be used (${message.replace(/, .*/s, "")})`;
  }
}

/** @throws Refusal when there is none, or it cannot be read. The first start of all finds nothing, and is no error. */
async function find(store: CheckpointStore, args: Arguments, remarks: string[]): Promise<Checkpoint | undefined> {
  try {
    if (args.options.get("restore") === LATEST) {
      return await store.latest((of, why) => remarks.push(`the checkpoint of epoch ${of} is passed over: ${why}`));
    }
    const number = epochOf(args);
    const epochs = store.epochs();
    if (epochs.includes(epoch(number))) return await store.load(epoch(number));
    const there = epochs.length === 0 ? "there are none" : `there are those of ${epochs.join(", ")}`;
    throw new Refusal([usageError(`--restore: there is no checkpoint of epoch ${number}`, there)]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal([toErrorData(error, { code: "unreadable-checkpoint", domain: "checkpoint" })]);
  }
}

function epochOf(args: Arguments): number {
  try {
    return wholeNumber(args, "restore") ?? 0;
  } catch {
    const given = JSON.stringify(args.options.get("restore"));
    throw new Refusal([usageError(`--restore must be ${LATEST} or the number of an epoch, not ${given}`)]);
  }
}

/** Two runs that know nothing of each other must not share a folder: the second one's epochs would replace the first one's. */
function refuseToMix(store: CheckpointStore, folder: string): void {
  const newest = store.epochs().at(-1);
  if (newest === undefined) return;
  const message = `--checkpoints ${JSON.stringify(folder)} holds checkpoints up to epoch ${newest}`;
  throw new Refusal([usageError(message, "go on from them with --restore latest, or give an empty folder")]);
}
