import { reportOf, ThreadsExecutor } from "../engine/index.ts";
import { cores, spawnHost } from "../workers/node/spawn-host.ts";
import type { StartRun } from "./execute.ts";
import type { Job } from "./job.ts";

/** Runs a graph in worker threads. */
export const threadsRun =
  ({ graph: { plan, files }, checkpoints }: Pick<Job, "graph" | "checkpoints">): StartRun =>
  async (listener) => {
    const executor = new ThreadsExecutor({ spawn: spawnHost, cores: cores() });
    const run = executor.start(plan, {
      files,
      from: checkpoints?.from,
      onStart: () => checkpoints?.begin(),
      onEpoch: (completed) => checkpoints?.save(completed),
      onRows: (node, batch) => listener.onRows(node, batch),
      onNote: (note) => listener.onNote(note),
    });
    return {
      outcome: run.outcome,
      stop: () => void run.stop(),
      cancel: () => run.cancel(),
      fail: (error) => run.fail(error),
      report: (outcome, notes, wallMs) =>
        reportOf({
          plan,
          outcome,
          notes,
          wallMs,
          coordinator: run.coordinator,
          probes: run.probes,
          edge: (id) => run.edge(id),
        }),
    };
  };
