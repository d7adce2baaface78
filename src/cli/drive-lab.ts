import {
  type Batch,
  Lab,
  type MoveList,
  type NodeId,
  type RunOutcome,
  reportOf,
  toErrorData,
} from "../engine/index.ts";
import { openFiles } from "../workers/node/files.ts";
import { interrupter } from "../workers/node/interrupter.ts";
import type { DrivenRun, RunListener } from "./execute.ts";
import type { Job } from "./job.ts";

/** The lab works for so long, then the process hears signals and timers. When that is changes nothing in the run. */
const SLICE_MS = 50;

export interface LabRun extends DrivenRun {
  readonly lab: Lab;
}

/**
 * Runs a graph in the lab: first the moves of a list, if there is one, then what the seed says.
 * @throws WeirError `other-plan`, `bad-move` when the list is none of this plan's
 */
export async function labRun(
  { graph: { plan, files }, checkpoints }: Pick<Job, "graph" | "checkpoints">,
  options: { readonly seed: number; readonly moves?: MoveList | undefined },
  listener: RunListener,
): Promise<LabRun> {
  const lab = await Lab.create(plan, {
    seed: options.seed,
    files: openFiles(files),
    interrupter,
    from: checkpoints?.from,
    onEpoch: (completed) => checkpoints?.save(completed),
  });
  if (lab.outcome === undefined) checkpoints?.begin();
  if (options.moves !== undefined) await lab.replay(options.moves);
  const person = (kind: "stop" | "cancel"): void => {
    if (lab.outcome === undefined) lab.apply({ by: "person", kind });
  };
  return {
    lab,
    outcome: workOff(lab, listener),
    stop: () => person("stop"),
    cancel: () => person("cancel"),
    fail: (error) => {
      if (lab.outcome === undefined) lab.fail(error);
    },
    report: (outcome, notes, wallMs) =>
      reportOf({
        plan,
        outcome,
        notes,
        wallMs,
        coordinator: lab.coordinator,
        probes: lab.probes,
        edge: (id) => lab.edge(id),
        lab: { virtualMs: lab.nowMs, seed: options.seed, moves: lab.moves.moves },
      }),
  };
}

async function workOff(lab: Lab, listener: RunListener): Promise<RunOutcome> {
  let told = 0;
  let noted = 0;
  for (;;) {
    const untilMs = performance.now() + SLICE_MS;
    const outcome = await lab.run(() => lab.deliveries.length > told || performance.now() >= untilMs);
    for (; noted < lab.notes.length; noted++) listener.onNote(lab.notes[noted] as (typeof lab.notes)[number]);
    for (; told < lab.deliveries.length; told++) {
      const { node, batch } = lab.deliveries[told] as (typeof lab.deliveries)[number];
      await tell(lab, listener, node, batch);
    }
    if (outcome !== undefined) return outcome;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Rows that cannot be written fail the run; those after them are lost too. */
async function tell(lab: Lab, listener: RunListener, node: NodeId, batch: Batch): Promise<void> {
  try {
    await listener.onRows(node, batch);
  } catch (thrown) {
    if (lab.outcome === undefined) lab.fail(toErrorData(thrown, { code: "output-failed", domain: "data", node }));
  }
}
