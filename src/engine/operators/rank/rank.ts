import type { Operator } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import type { RankConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { RunningRank } from "./running-rank.ts";
import { WindowedRank } from "./windowed-rank.ts";

export function rank(config: RankConfig, context: StageContext): Operator<Batch> {
  return config.window === undefined
    ? new RunningRank(config, context)
    : new WindowedRank(config, config.window, context);
}
