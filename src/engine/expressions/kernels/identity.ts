import type { MakeKernel } from "../kernel.ts";
import type { Vec } from "../vec.ts";

/** The values as they are, of another type that is held in the same way. */
export const identity: MakeKernel =
  () =>
  ([x]) => ({ ...(x as Vec), nulls: null });
