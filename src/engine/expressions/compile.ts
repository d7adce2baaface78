import { assertNever, InvariantError } from "../base/assert.ts";
import { evaluateCase, evaluateCoalesce } from "./choice.ts";
import type { ExprType } from "./expr-type.ts";
import { constantOf } from "./fold.ts";
import { evaluateLogic, evaluateNullTest } from "./logic.ts";
import type { Evaluate, Run } from "./run.ts";
import { CallRunner } from "./run-call.ts";
import type { CallNode, Typed } from "./typed.ts";
import { nullVec, type TextVec, type Vec, vecKind } from "./vec.ts";
import { WordRunner } from "./word-runner.ts";

/** A checked expression as closures over typed arrays: one call of a closure for a whole batch. */
export function compile(node: Typed): Evaluate {
  switch (node.kind) {
    case "column":
      return (run) => run.column(node.index);
    case "constant":
      return () => node.vec;
    case "call":
      return compileCall(node);
    case "and":
    case "or": {
      const operands = node.operands.map((operand) => ({ evaluate: compile(operand), mayFail: operand.mayFail }));
      return evaluateLogic(node.kind, operands);
    }
    case "case": {
      const result = (of: Typed) => ({ evaluate: compile(of), constant: of.kind === "constant" ? of.vec : null });
      const branches = node.branches.map(({ when, value }) => ({ when: compile(when), value: result(value) }));
      return evaluateCase(vecKind(node.type), branches, result(node.otherwise));
    }
    case "coalesce":
      return evaluateCoalesce(vecKind(node.type), node.args.map(compile));
    case "null-test":
      return evaluateNullTest(compile(node.operand), node.negated);
    case "months":
      throw new InvariantError("an interval of months has no values");
    default:
      return assertNever(node);
  }
}

function compileCall(node: CallNode): Evaluate {
  const args = node.args.map(compile);
  const runner = new CallRunner(node.make, node.isStrict);
  const words = node.isStrict ? new WordRunner(node.make, node.type) : undefined;
  return (run) => {
    const vecs = args.map((arg) => arg(run));
    if (vecs.every((vec) => vec.step === 0)) return ofConstants(runner, vecs, run, node.type);
    const dictionary = words === undefined ? undefined : onlyDictionary(vecs, run.rows);
    if (words !== undefined && dictionary !== undefined) return words.run(vecs, dictionary, run);
    return runner.run(vecs, run.rows, run.active, run.errors);
  };
}

/** A call of values that are the same for all rows, which did not fold because it fails: it fails for all rows that get to it. */
function ofConstants(runner: CallRunner, vecs: readonly Vec[], run: Run, type: ExprType): Vec {
  let failure: string | undefined;
  const errors = {
    add: (_row: number, message: () => string) => {
      failure ??= message();
    },
  };
  const vec = runner.run(vecs, 1, null, errors);
  if (failure === undefined) return constantOf(vec, type);
  const message = failure;
  run.failAll(() => message);
  return nullVec(vecKind(type));
}

/** The place of the one argument that varies, where it is dictionary-encoded and has fewer words than rows. */
function onlyDictionary(vecs: readonly Vec[], rows: number): number | undefined {
  let place: number | undefined;
  for (let i = 0; i < vecs.length; i++) {
    const vec = vecs[i] as Vec;
    if (vec.step === 0) {
      if (vec.nulls !== null) return undefined;
    } else if (place !== undefined || vec.kind !== "text" || !isWorthIt(vec, rows)) return undefined;
    else place = i;
  }
  return place;
}

const isWorthIt = ({ codes, words }: TextVec, rows: number): boolean =>
  codes !== null && words !== null && words.length <= rows;
