import { describe, expect, it } from "vitest";
import { type TaskId, taskId } from "../../base/ids.ts";
import { Prng } from "../../base/prng.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { randomGraph } from "../../testing/random-graph.ts";
import { InvariantChecker } from "../../trace/invariants.ts";
import { Lab } from "./lab.ts";

const RUNS = 42;
const MOST_MOVES = 300_000;

const STRIKES = ["stop", "cancel", "kill", "barriers", "stop, then kill", "a hook that fails"] as const;
type Strike = (typeof STRIKES)[number];

/** How a run that was struck may end; it may also have been over before. */
const ENDS: Record<Strike, readonly string[]> = {
  stop: ["stopped", "finished"],
  cancel: ["cancelled", "finished"],
  kill: ["failed: host-died", "finished"],
  barriers: ["finished"],
  "stop, then kill": ["failed: host-died", "stopped", "finished"],
  "a hook that fails": ["failed: checkpoint-failed", "finished"],
};

/** Runs a random graph in a random order, strikes it somewhere, and holds every step to the laws. */
async function struck(seed: number, strike: Strike) {
  const { plan } = planned(randomGraph(seed, { throttles: true, barriers: true }));
  const prng = Prng.fromSeed(`strike ${seed}`);
  const at = prng.int(1, 400);
  const victim = taskId(prng.int(0, plan.tasks.length - 1));
  const failing = prng.int(1, 3);
  let hooks = 0;
  const onEpoch = () => {
    if (strike === "a hook that fails" && ++hooks === failing) throw new Error("disk full");
  };
  const lab = await Lab.create(plan, { seed, files: noFiles, maxMoves: MOST_MOVES, onEpoch });
  const lost: TaskId[] = [];
  const kill = () => {
    lost.push(victim);
    lab.apply({ by: "person", kind: "kill", task: victim });
  };
  const checker = new InvariantChecker(plan, { lost });
  let fed = 0;
  for (let step = 1; lab.outcome === undefined && lab.moveCount < MOST_MOVES; step++) {
    if (strike === "barriers" && prng.int(1, 6) === 1) lab.apply({ by: "person", kind: "barrier" });
    if (step === at && strike.startsWith("stop")) lab.apply({ by: "person", kind: "stop" });
    if (step === at && strike === "cancel") lab.apply({ by: "person", kind: "cancel" });
    if (step === at && strike === "kill") kill();
    if (step === at + 20 && strike === "stop, then kill" && lab.outcome === undefined) kill();
    if (lab.outcome === undefined && !lab.step()) break;
    for (; fed < lab.trace.length; fed++) checker.feed(lab.trace[fed] as (typeof lab.trace)[number]);
    if (checker.violations.length > 0) break;
  }
  if (checker.violations.length === 0) checker.finish();
  const { outcome } = lab;
  const end = outcome?.error === undefined ? outcome?.kind : `failed: ${outcome.error.code}`;
  return { end, violations: checker.violations, moves: lab.moveCount };
}

describe("a run that is struck", () => {
  it.each(STRIKES)(
    `by %s, at any step of any graph, ends in a bounded time with the right outcome and breaks no law on the way (D-8, D-16, F-56, F-59, F-68, F-80)`,
    async (strike) => {
      for (let seed = 1; seed <= RUNS / STRIKES.length; seed++) {
        const { end, violations, moves } = await struck(9000 + seed, strike);
        expect(violations, `seed ${9000 + seed}, ${moves} moves`).toEqual([]);
        expect(ENDS[strike], `seed ${9000 + seed}, ${moves} moves`).toContain(end);
      }
    },
  );
});
