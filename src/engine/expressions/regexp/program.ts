import { assertNever } from "../../base/assert.ts";
import type { Assertion, CharacterSet, Pattern } from "./syntax.ts";
import { PatternError } from "./syntax.ts";

/** A pattern as steps of a machine that may be at several at a time. */
export type Step =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly what: Assertion }
  /** First the one, then the other. */
  | { readonly kind: "fork"; first: number; second: number }
  | { readonly kind: "jump"; to: number }
  /** Remembers the place: of group n, 2n begins it and 2n + 1 ends it. */
  | { readonly kind: "save"; readonly slot: number }
  | { readonly kind: "match" };

const MAX_STEPS = 20_000;

/** @throws PatternError for one that is too large */
export function programOf(pattern: Pattern): Step[] {
  const steps: Step[] = [];
  emit(pattern, steps);
  steps.push({ kind: "match" });
  return steps;
}

function emit(pattern: Pattern, steps: Step[]): void {
  if (steps.length > MAX_STEPS) throw new PatternError("its repetitions make it too large");
  switch (pattern.kind) {
    case "empty":
      return;
    case "set":
      steps.push({ kind: "set", set: pattern.set });
      return;
    case "assertion":
      steps.push({ kind: "assertion", what: pattern.what });
      return;
    case "sequence":
      for (const part of pattern.parts) emit(part, steps);
      return;
    case "choice":
      emitChoice(pattern.parts, steps);
      return;
    case "group":
      steps.push({ kind: "save", slot: 2 * pattern.number });
      emit(pattern.part, steps);
      steps.push({ kind: "save", slot: 2 * pattern.number + 1 });
      return;
    case "repeat":
      emitRepeat(pattern, steps);
      return;
    default:
      assertNever(pattern);
  }
}

function emitChoice(parts: readonly Pattern[], steps: Step[]): void {
  const jumps: { kind: "jump"; to: number }[] = [];
  parts.forEach((part, i) => {
    if (i === parts.length - 1) return emit(part, steps);
    const fork = { kind: "fork" as const, first: steps.length + 1, second: 0 };
    steps.push(fork);
    emit(part, steps);
    const jump = { kind: "jump" as const, to: 0 };
    jumps.push(jump);
    steps.push(jump);
    fork.second = steps.length;
  });
  for (const jump of jumps) jump.to = steps.length;
}

function emitRepeat({ part, least, most, isLazy }: Pattern & { kind: "repeat" }, steps: Step[]): void {
  for (let i = 0; i < least; i++) emit(part, steps);
  const fork = (): { inside: (to: number) => void; behind: (to: number) => void } => {
    const step = { kind: "fork" as const, first: 0, second: 0 };
    steps.push(step);
    const [inside, behind] = isLazy ? (["second", "first"] as const) : (["first", "second"] as const);
    return { inside: (to) => (step[inside] = to), behind: (to) => (step[behind] = to) };
  };
  if (most === Number.POSITIVE_INFINITY) {
    const start = steps.length;
    const { inside, behind } = fork();
    inside(steps.length);
    emit(part, steps);
    steps.push({ kind: "jump", to: start });
    behind(steps.length);
    return;
  }
  const exits: ((to: number) => void)[] = [];
  for (let i = least; i < most; i++) {
    const { inside, behind } = fork();
    inside(steps.length);
    emit(part, steps);
    exits.push(behind);
  }
  for (const exit of exits) exit(steps.length);
}
