import type { FileStore } from "../base/files.ts";
import { checkpointOf } from "../execution/checkpointing.ts";
import { Lab } from "../execution/lab/lab.ts";
import { RoundRobinScheduler } from "../execution/lab/scheduler.ts";
import { resume } from "../execution/resume.ts";
import type { Checkpoint } from "../state/checkpoint.ts";
import type { Plan } from "../topology/physical-plan.ts";
import { noFiles } from "./no-files.ts";
import { planned } from "./planned.ts";

/** A run in the lab that keeps its checkpoints in a list. */
export interface CheckpointedLab {
  readonly lab: Lab;
  readonly checkpoints: Checkpoint[];
}

/** Opens a document in the lab: at its beginning, or at a checkpoint, which goes through its bytes. */
export async function openCheckpointed(
  document: object,
  from?: Checkpoint,
  files: FileStore = noFiles,
): Promise<CheckpointedLab> {
  const { plan } = planned(document);
  const checkpoints: Checkpoint[] = [];
  const lab = await Lab.create(plan, {
    seed: 1,
    files,
    scheduler: new RoundRobinScheduler(),
    from: from === undefined ? undefined : resumed(from, plan),
    onEpoch: (completed) => checkpoints.push(checkpointOf(plan, completed, { lineage: "test", graph: "test" })),
  });
  return { lab, checkpoints };
}

export function resumed(from: Checkpoint, plan: Plan) {
  const start = resume(from, plan);
  if ("problems" in start) throw new Error(JSON.stringify(start.problems));
  return start;
}
