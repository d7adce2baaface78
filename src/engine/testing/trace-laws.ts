import type { Plan } from "../topology/physical-plan.ts";
import { checkTrace } from "../trace/invariants.ts";
import type { TraceEvent } from "../trace/trace-event.ts";

/** What a trace breaks, as lines for a test's message. */
export function lawViolations(plan: Plan, trace: readonly TraceEvent[]): string[] {
  return checkTrace(plan, trace).map(({ law, atStep, message }) => `${law} at ${atStep}: ${message}`);
}
