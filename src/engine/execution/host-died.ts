import type { ErrorData } from "../base/errors.ts";
import type { TaskId } from "../base/ids.ts";
import type { Plan } from "../topology/physical-plan.ts";

/** The failure of a host, as the run tells it. */
export function hostDied(plan: Plan, tasks: readonly TaskId[], why: string): ErrorData {
  const named = tasks.map((id) => plan.tasks[id]).filter((task) => task !== undefined);
  const names = named.map(({ stages: [first], subtask }) => `${first?.name ?? first?.node} · ${subtask}`).join(", ");
  return {
    code: "host-died",
    domain: "host",
    node: named[0]?.stages[0]?.node,
    task: named[0]?.id,
    message: `the worker that ran ${names} died: ${why}`,
    hint: "run again; if it dies again, lower the batch size or the number of hosts",
  };
}
