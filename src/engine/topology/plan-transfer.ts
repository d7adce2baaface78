import { type Field, Schema } from "../data/schema.ts";
import type { Plan, PlanEdge, PlanStage, PlanTask } from "./physical-plan.ts";

/** A plan as plain data, for structured clone: the same with every schema as its list of fields. */
export interface PackedPlan {
  readonly tasks: readonly (Omit<PlanTask, "stages"> & { readonly stages: readonly PackedStage[] })[];
  readonly edges: readonly (Omit<PlanEdge, "schema"> & { readonly schema: readonly Field[] })[];
  readonly settings: Plan["settings"];
  readonly fingerprint: string;
}

type PackedStage = Omit<PlanStage, "inputs" | "outputs"> & {
  readonly inputs: Readonly<Record<string, readonly Field[]>>;
  readonly outputs: Readonly<Record<string, readonly Field[]>>;
};

export function packPlan(plan: Plan): PackedPlan {
  return {
    settings: plan.settings,
    fingerprint: plan.fingerprint,
    edges: plan.edges.map((edge) => ({ ...edge, schema: edge.schema.fields })),
    tasks: plan.tasks.map((task) => ({
      ...task,
      stages: task.stages.map((stage) => ({
        ...stage,
        inputs: mapValues(stage.inputs, (schema) => schema.fields),
        outputs: mapValues(stage.outputs, (schema) => schema.fields),
      })),
    })),
  };
}

export function unpackPlan(packed: PackedPlan): Plan {
  return {
    settings: packed.settings,
    fingerprint: packed.fingerprint,
    edges: packed.edges.map((edge) => ({ ...edge, schema: new Schema(edge.schema) })),
    tasks: packed.tasks.map((task) => ({
      ...task,
      stages: task.stages.map((stage) => ({
        ...stage,
        inputs: mapValues(stage.inputs, (fields) => new Schema(fields)),
        outputs: mapValues(stage.outputs, (fields) => new Schema(fields)),
      })),
    })),
  };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
