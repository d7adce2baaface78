import type { ControlMessage } from "../core/messages.ts";

/**
 * Words of the coordinator that a task has not taken yet, in the order issued (F-28).
 *
 * Barriers that piled up while a source was blocked are taken one a poll. All of them before the next poll, and a run whose
 * snapshots take longer than the ticker's beat would never send another row: as one epoch completes the next one is issued (D-8).
 */
export class ControlQueue {
  private readonly words: ControlMessage[] = [];
  /** A barrier was taken since the last poll. */
  private owesPoll = false;

  get isEmpty(): boolean {
    return this.words.length === 0;
  }

  push(word: ControlMessage): void {
    this.words.push(word);
  }

  /** Whether the next word goes before what else the task could do. `canPoll`: it is a source that has something to ask for now. */
  isDue(canPoll: boolean): boolean {
    if (!canPoll || !this.owesPoll || this.words[0]?.kind !== "barrier") return true;
    return this.words.some(({ kind }) => kind === "stop");
  }

  take(): ControlMessage | undefined {
    const word = this.words.shift();
    if (word?.kind === "barrier") this.owesPoll = true;
    return word;
  }

  polled(): void {
    this.owesPoll = false;
  }
}
