import { assertNever } from "../base/assert.ts";
import type { EdgeId } from "../base/ids.ts";

/** What the core must be able to do with a payload that it never opens. */
export interface PayloadOps<B> {
  rowCount(batch: B): number;
  /**
   * Rows by the vnode of their key: one entry a range, in order, null where no row belongs (F-74 to F-76). Every row is in exactly one entry
   * when the ranges cover `vnodes`.
   */
  split(
    batch: B,
    columns: readonly string[],
    vnodes: number,
    ranges: readonly (readonly [number, number])[],
  ): (B | null)[];
  /** All that was sent so far is through: nobody reads the parts that `split` lent. */
  settled?(): void;
}

/** One route out of a stage (F-5). `forward` has one target. */
export interface Route {
  /** Index of the stage whose output goes along it. */
  readonly stage: number;
  readonly port: string;
  readonly kind: "forward" | "shuffle" | "broadcast" | "rebalance";
  readonly columns: readonly string[];
  readonly targets: readonly { readonly edge: EdgeId; readonly vnodes: readonly [number, number] }[];
}

/** Takes what leaves along a route. An object, because a function kept for it would hide state from keyframes. */
export interface RouteTarget<B> {
  sendData(edge: EdgeId, batch: B): void;
}

/** Sends a batch along one route, targets in order. Pure, but for the turn of `rebalance`. */
export class Router<B> {
  readonly route: Route;
  private readonly ops: PayloadOps<B>;
  private readonly vnodes: number;
  private readonly ranges: readonly (readonly [number, number])[];
  private turn = 0;

  constructor(route: Route, vnodes: number, ops: PayloadOps<B>) {
    this.route = route;
    this.vnodes = vnodes;
    this.ops = ops;
    this.ranges = route.targets.map((target) => target.vnodes);
  }

  send(batch: B, to: RouteTarget<B>): void {
    const { kind, targets } = this.route;
    switch (kind) {
      case "forward":
      case "broadcast":
        for (const target of targets) to.sendData(target.edge, batch);
        return;
      case "rebalance": {
        const target = targets[this.turn % targets.length];
        this.turn = (this.turn + 1) % targets.length;
        if (target !== undefined) to.sendData(target.edge, batch);
        return;
      }
      case "shuffle": {
        const parts = this.ops.split(batch, this.route.columns, this.vnodes, this.ranges);
        for (let i = 0; i < targets.length; i++) {
          const part = parts[i];
          if (part !== null && part !== undefined) to.sendData((targets[i] as { edge: EdgeId }).edge, part);
        }
        return;
      }
      default:
        assertNever(kind);
    }
  }
}
