import { Prng } from "../base/prng.ts";
import type { Batch } from "../data/batch.ts";
import { checkpointOf } from "../execution/checkpointing.ts";
import { Lab } from "../execution/lab/lab.ts";
import { resume } from "../execution/resume.ts";
import type { Resumption } from "../execution/resumption.ts";
import { openArrowReader, readArrowSchema } from "../formats/arrow-file.ts";
import { MemoryFiles, readableBytes } from "../formats/memory-files.ts";
import { CheckpointStore } from "../state/checkpoint-store.ts";
import type { Plan } from "../topology/physical-plan.ts";
import { planned } from "./planned.ts";

export interface CrashOptions {
  readonly seed: number;
  /** How often the run dies, shortly behind one of its first checkpoints, before it is left to come to its end. */
  readonly crashes: number;
  readonly files?: MemoryFiles;
}

const IDENTITY = { lineage: "the test's", graph: "crashes" };
const FOLDER = "checkpoints";
const KEPT = 2;

/**
 * Runs a document in the lab through crashes: each time everything but the files is lost, and a new run goes on from the newest checkpoint,
 * of a document that may have other parallelism.
 * Its tables are written to files instead, exactly once. Answers the rows of each, as they lie there at the end.
 */
export async function runThroughCrashes(
  documentOf: (run: number) => object,
  options: CrashOptions,
): Promise<(sink: string) => Batch[]> {
  const { seed, crashes, files = new MemoryFiles() } = options;
  const prng = Prng.fromSeed(seed).fork("crashes");
  for (let run = 0; run <= crashes; run++) {
    const { plan } = planned(withFileSinks(documentOf(run)));
    const store = new CheckpointStore(files, FOLDER, KEPT);
    let epochsLeft = run === crashes ? Number.POSITIVE_INFINITY : prng.int(1, 4);
    const lab = await Lab.create(plan, {
      seed: seed + run,
      files,
      from: await newest(store, plan),
      onEpoch: (completed) => {
        store.save(checkpointOf(plan, completed, IDENTITY));
        epochsLeft--;
      },
    });
    let movesLeft = prng.int(0, 100);
    let barrierAt = prng.int(0, 30);
    const outcome = await lab.run(({ moveCount }) => {
      if (moveCount >= barrierAt) {
        barrierAt = moveCount + prng.int(1, 30);
        lab.apply({ by: "person", kind: "barrier" });
      }
      return epochsLeft <= 0 && movesLeft-- <= 0;
    });
    if (outcome === undefined) continue;
    if (outcome.kind !== "finished") throw new Error(JSON.stringify(outcome));
    if (run === crashes) break;
  }
  const rows = new Map<string, Batch[]>();
  for (const sink of tablesOf(documentOf(0))) rows.set(sink, await batchesOf(files, `out/${sink}/`));
  return (sink) => rows.get(sink) ?? [];
}

async function newest(store: CheckpointStore, plan: Plan): Promise<Resumption | undefined> {
  const checkpoint = await store.latest(() => undefined);
  if (checkpoint === undefined) return undefined;
  const from = resume(checkpoint, plan);
  if ("problems" in from) throw new Error(JSON.stringify(from.problems));
  return from;
}

interface DocumentLike {
  readonly nodes: readonly { readonly id: string; readonly kind: string }[];
}

const tablesOf = (document: object): string[] =>
  (document as DocumentLike).nodes.flatMap(({ id, kind }) => (kind === "sink.table" ? [id] : []));

function withFileSinks(document: object): object {
  const nodes = (document as DocumentLike).nodes.map((node) =>
    node.kind === "sink.table"
      ? { ...node, kind: "sink.file", config: { path: `out/${node.id}`, format: "arrow" } }
      : node,
  );
  return { ...document, nodes };
}

/** What was made visible, epoch by epoch. Hidden files are not. */
async function batchesOf(files: MemoryFiles, folder: string): Promise<Batch[]> {
  const parts = files
    .list(folder)
    .filter((name) => !name.startsWith("."))
    .map((name) => ({ name, epoch: Number(/-(\d+)\.arrow$/.exec(name)?.[1]) }))
    .sort((a, b) => a.epoch - b.epoch);
  const batches: Batch[] = [];
  for (const { name } of parts) {
    const bytes = files.bytes(folder + name) as Uint8Array;
    const schema = await readArrowSchema(readableBytes(name, bytes));
    const reader = await openArrowReader(readableBytes(name, bytes), {
      schema,
      extraFields: "refuse",
      batchRows: 1000,
    });
    for (let next = reader.next(); next.kind !== "end"; next = reader.next()) {
      if (next.kind === "wait") await next.ready;
      else batches.push(next.rows.batch);
    }
    reader.close();
  }
  return batches;
}
