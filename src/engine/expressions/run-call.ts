import { type ErrorSink, Frame } from "./frame.ts";
import type { Kernel, MakeKernel } from "./kernel.ts";
import { eitherOf } from "./masks.ts";
import { Bytes, type Vec } from "./vec.ts";

/** A kernel at its place, with what surrounds every kernel: NULL arguments make NULL results, constants stay constants. */
export class CallRunner {
  private readonly kernel: Kernel;
  private readonly isStrict: boolean;
  private readonly frame = new Frame();
  private readonly nulls = new Bytes();

  constructor(make: MakeKernel, isStrict: boolean) {
    this.kernel = make();
    this.isStrict = isStrict;
  }

  run(args: readonly Vec[], rows: number, active: Uint8Array | null, errors: ErrorSink): Vec {
    this.frame.begin(rows, this.isStrict ? this.unionOfNulls(args, rows) : null, active, errors);
    const result = this.kernel(args, this.frame);
    result.nulls = this.frame.nulls;
    return result;
  }

  private unionOfNulls(args: readonly Vec[], rows: number): Uint8Array | null {
    let union: Uint8Array | null = null;
    let isOwn = false;
    for (const { nulls, step } of args) {
      if (nulls === null) continue;
      if (step === 0) {
        if (nulls[0] === 1) return this.nulls.take(rows).fill(1, 0, rows);
      } else if (union === null) union = nulls;
      else {
        const own: Uint8Array = isOwn ? union : this.nulls.take(rows);
        eitherOf(union, nulls, own, rows);
        union = own;
        isOwn = true;
      }
    }
    return union;
  }
}
