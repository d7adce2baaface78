import { WeirError } from "../base/errors.ts";
import { aggregate } from "./aggregate.ts";
import { compute } from "./compute/compute.ts";
import type { OperatorBuilder } from "./context.ts";
import { count } from "./count.ts";
import { dedupe } from "./dedupe.ts";
import { derive } from "./derive.ts";
import { filter } from "./filter.ts";
import { intervalJoin } from "./join/interval-join.ts";
import { drop, rename, select } from "./projection.ts";
import { rank } from "./rank/rank.ts";
import { throttle } from "./throttle.ts";
import { union } from "./union.ts";
import { window } from "./window/window.ts";

const BUILDERS = new Map<string, OperatorBuilder>([
  ["select", select],
  ["drop", drop],
  ["rename", rename],
  ["filter", filter],
  ["derive", derive],
  ["compute", compute],
  ["union", union],
  ["throttle", throttle],
  ["count", count],
  ["window", window],
  ["aggregate", aggregate],
  ["join.interval", intervalJoin],
  ["dedupe", dedupe],
  ["rank", rank],
]);

/**
 * The builder of a kind of operator.
 * @throws WeirError `unknown-kind`
 */
export async function operatorBuilder(kind: string): Promise<OperatorBuilder> {
  const builder = BUILDERS.get(kind);
  if (builder !== undefined) return builder;
  throw new WeirError({
    code: "unknown-kind",
    domain: "graph",
    message: `there is no operator ${JSON.stringify(kind)}`,
  });
}
