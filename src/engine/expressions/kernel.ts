import type { Frame } from "./frame.ts";
import type { Vec } from "./vec.ts";

/**
 * Computes `frame.rows` rows of its arguments, each a row or one for all (`step`). The result's `nulls` are left `null`: the caller
 * sets them to those of the frame, where the kernel puts NULLs and errors of its own. A kernel that is not strict
 * looks at the arguments' NULLs itself, and its frame begins with none.
 */
export type Kernel = (args: readonly Vec[], frame: Frame) => Vec;

/** Makes the kernel of one place in an expression, with room of its own for results. */
export type MakeKernel = () => Kernel;
