import type { Operator } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import type { RankConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { RunningRank } from "./running-rank.ts";
import { SessionRank } from "./session-rank.ts";
import { WindowedRank } from "./windowed-rank.ts";

export function rank(config: RankConfig, context: StageContext): Operator<Batch> {
  const { window } = config;
  if (window === undefined) return new RunningRank(config, context);
  if (window.kind === "session") return new SessionRank(config, window.gapMs, context);
  return new WindowedRank(config, window, context);
}
