import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { CATALOG, type PlanEdge, SAMPLE_ROWS } from "../../../engine/index.ts";
import { nodeOf } from "../../document/graph.ts";
import type { Run, Sample } from "../../engine-client/run.ts";
import { useWorkbench } from "../../shell/workbench.ts";
import { plural, took } from "../quantities.ts";
import { useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import styles from "./Inspect.module.css";
import { RowsTable } from "./RowsTable.tsx";

/** As often as a person can look at rows. */
const EVERY_MS = 800;

interface SampleProps {
  /** Shown where no run has rows to show. */
  readonly children: ReactNode;
}

/** Rows that go over an edge while the graph runs. */
export function EdgeSample({ edge, children }: SampleProps & { edge: string }) {
  const shown = useShownRun();
  const rings = shown?.model.ringsOf.get(edge);
  return shown === undefined || rings === undefined ? (
    children
  ) : (
    <Sampled shown={shown} rings={rings}>
      {children}
    </Sampled>
  );
}

/** Rows that leave a node while the graph runs, of a sink those that come: of the first edge that has a ring. */
export function NodeSample({ node, children }: SampleProps & { node: string }) {
  const { document } = useWorkbench();
  const graph = useStore(document, (state) => state.graph);
  const shown = useShownRun();
  const isSink = CATALOG.get(nodeOf(graph, node)?.kind ?? "")?.role === "sink";
  const edges = graph.edges.filter(({ from, to }) => (isSink ? to.node : from.node) === node);
  const rings = edges.map(({ id }) => shown?.model.ringsOf.get(id)).find((found) => found !== undefined);
  return shown === undefined || rings === undefined ? (
    children
  ) : (
    <Sampled shown={shown} rings={rings}>
      {children}
    </Sampled>
  );
}

function Sampled({
  shown: { run, model },
  rings,
  children,
}: SampleProps & { shown: ShownRun; rings: readonly PlanEdge[] }) {
  const life = useStore(run.state, (state) => state.status.life);
  const samples = useStore(run.state, (state) => state.samples);
  useSampling(run, rings, life === "running" || life === "stopping");
  const [newest] = rings
    .flatMap((ring) => {
      const sample = samples.get(ring.id);
      return sample === undefined ? [] : [{ ring, sample }];
    })
    .sort((a, b) => b.sample.atMs - a.sample.atMs);
  if (newest === undefined) {
    if (run.isOver) return children;
    return (
      <div className={styles.section} data-testid="sample-none">
        <p>No rows came since you look. Windows and the like send theirs when time has passed their end.</p>
      </div>
    );
  }
  const { from, to } = newest.ring;
  return (
    <Rows
      sample={newest.sample}
      way={`${model.taskName(from.task)} → ${model.taskName(to.task)}`}
      paused={life === "paused"}
    />
  );
}

/** Asks for rows of one ring after the other, as long as somebody looks and the run moves. */
function useSampling(run: Run, rings: readonly PlanEdge[], moves: boolean): void {
  useEffect(() => {
    if (!moves) return;
    let turn = 0;
    const ask = () => {
      const ring = rings[turn++ % rings.length];
      if (ring !== undefined) run.sample(ring.id);
    };
    ask();
    const timer = setInterval(ask, EVERY_MS);
    return () => clearInterval(timer);
  }, [run, rings, moves]);
}

function Rows({ sample, way, paused }: { sample: Sample; way: string; paused: boolean }) {
  return (
    <div data-testid="sample">
      <p className={styles.bar}>
        <span className={styles.way}>
          {way}
          <small>
            {plural(sample.batch.rowCount, "row")} of a batch at {took(sample.atMs)}
            {paused && ", paused"}
          </small>
        </span>
      </p>
      <RowsTable batches={[sample.batch]} most={SAMPLE_ROWS} />
    </div>
  );
}
