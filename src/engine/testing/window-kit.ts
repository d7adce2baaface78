import type { Operator } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { WindowConfig } from "../operators/catalog.ts";
import { CATALOG } from "../operators/catalog.ts";
import type { StageContext } from "../operators/context.ts";
import { window } from "../operators/window/window.ts";
import { context, type RecordingContext } from "./stage-kit.ts";

/** A window node as the plan would build it: defaults filled in, schemas by its own flow. */
export function windowOver(input: Schema, config: object): { operator: Operator<Batch>; heard: RecordingContext } {
  const spec = CATALOG.get("window");
  const parsed = spec?.config.parse(config) as WindowConfig;
  const problems = spec?.check?.(parsed) ?? [];
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const flow = spec?.schemaFlow(parsed, { in: input });
  if (flow?.kind !== "ok") throw new Error(JSON.stringify(flow));
  const heard = context({ inputs: { in: input }, outputs: flow.outputs });
  return { operator: window(parsed, heard as StageContext), heard };
}
