import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Stage } from "../core/stage-chain.ts";
import type { Part } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { hashRows } from "../data/kernels/hash.ts";
import { decodeSnapshot } from "../state/snapshot-codec.ts";
import type { Share, StageStart } from "./resumption.ts";

/**
 * Position of a source; undefined where it starts at the beginning.
 * @throws WeirError `snapshot-damaged`, `snapshot-version`
 */
export function positionOf(start: StageStart | undefined): SnapshotValue | undefined {
  const [state] = start?.states ?? [];
  return state === undefined ? undefined : decodeSnapshot(state);
}

/**
 * Gives a stage back what it had, or its part of what others had (D-10). A source got its position when it was built.
 * @throws WeirError `snapshot-damaged`, `snapshot-version`
 */
export function restoreStage(stage: Stage<Batch>, { states, share, time }: StageStart): void {
  if (stage.role === "source") return;
  const part = share === undefined ? undefined : partOf(share, time.fired);
  for (const state of states) {
    const value = decodeSnapshot(state);
    if (stage.role === "operator") stage.operator.restore?.(value, part);
    else stage.sink.restore?.(value);
  }
}

function partOf({ vnodes, from, to, columns }: Share, fired: number | undefined): Part<Batch> {
  return {
    watermark: fired ?? Number.NEGATIVE_INFINITY,
    owns: (rows, port) => {
      const hashes = new Uint32Array(rows.rowCount);
      const names = columns[port] ?? [];
      hashRows(
        names.map((name) => rows.column(name)),
        rows.rowCount,
        hashes,
      );
      return Uint8Array.from(hashes, (hash) => {
        const vnode = hash % vnodes;
        return from <= vnode && vnode < to ? 1 : 0;
      });
    },
  };
}
