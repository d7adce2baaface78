import type { EdgeId } from "../base/ids.ts";
import type { TaskMachine } from "../core/task-machine.ts";
import type { RunnerInput } from "./runner-home.ts";

/** The inputs of one task: which of them have something that it may take, and which are lost. */
export class TaskInputs<B> {
  private readonly machine: TaskMachine<B>;
  private readonly inputs: readonly RunnerInput<B>[];
  /** Where to look first. */
  private turn = 0;

  constructor(machine: TaskMachine<B>, inputs: readonly RunnerInput<B>[]) {
    this.machine = machine;
    this.inputs = inputs;
  }

  at(index: number): RunnerInput<B> {
    return this.inputs[index] as RunnerInput<B>;
  }

  indexOf(edge: EdgeId): number {
    return this.inputs.findIndex((input) => input.edge === edge);
  }

  /** The next readable input that is not held, round-robin (D-2); -1 when there is none. */
  next(): number {
    const count = this.inputs.length;
    for (let k = 0; k < count; k++) {
      const i = (this.turn + k) % count;
      if (!this.isReadable(i)) continue;
      this.turn = (i + 1) % count;
      return i;
    }
    return -1;
  }

  get anyReadable(): boolean {
    for (let i = 0; i < this.inputs.length; i++) if (this.isReadable(i)) return true;
    return false;
  }

  /** Every edge that a message may be taken from. */
  readable(): EdgeId[] {
    return this.inputs.filter((_, i) => this.isReadable(i)).map((input) => input.edge);
  }

  /** Whether an input closed without Eos; a held one is lost at once, too (D-16). */
  get hasLost(): boolean {
    for (let i = 0; i < this.inputs.length; i++) if (this.isLost(i)) return true;
    return false;
  }

  lost(): number[] {
    return this.inputs.flatMap((_, i) => (this.isLost(i) ? [i] : []));
  }

  /** Before the host sleeps: writers that wait for more room than they need may go on. */
  nudge(): void {
    for (const { reader } of this.inputs) reader.nudge();
  }

  close(): void {
    for (const { reader } of this.inputs) reader.close();
  }

  private isReadable(index: number): boolean {
    return this.machine.accepts(index) && this.at(index).reader.peekKind() !== null;
  }

  private isLost(index: number): boolean {
    return !this.machine.hasEnded(index) && this.at(index).reader.exhausted;
  }
}
