import { useRef } from "react";
import { useStore } from "zustand";
import type { PlanEdge } from "../../../engine/index.ts";
import { singleOf } from "../../document/selection.ts";
import { useWorkbench } from "../../shell/workbench.ts";
import { hatch, palette } from "../canvas/palette.ts";
import { drawRing } from "../canvas/ring-picture.ts";
import { wholeCount } from "../quantities.ts";
import { useFrame, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { useRedraw } from "../watermarks/Watermarks.tsx";
import styles from "./Inspect.module.css";

/** Of more rings of one edge only the first are listed. */
const MOST = 24;

/** The rings of the selected edge, as they are. */
export function EdgeRings() {
  const { selection } = useWorkbench();
  const id = useStore(selection, (items) => singleOf(items)?.id);
  const shown = useShownRun();
  if (shown === undefined || id === undefined) {
    return (
      <div className={styles.section}>
        <p>Run the graph to see what stands in this edge.</p>
      </div>
    );
  }
  const rings = shown.model.ringsOf.get(id);
  if (rings === undefined) {
    return (
      <div className={styles.section}>
        <p>Both nodes run as one task: there is no ring between them, and rows are handed on by a call.</p>
      </div>
    );
  }
  return <Rings shown={shown} rings={rings} />;
}

function Rings({ shown, rings }: { shown: ShownRun; rings: readonly PlanEdge[] }) {
  useRedraw();
  return (
    <div data-testid="edge-rings">
      {rings.slice(0, MOST).map((ring) => (
        <Ring key={ring.id} shown={shown} ring={ring} />
      ))}
      {rings.length > MOST && (
        <div className={styles.section}>
          <p>and {rings.length - MOST} more</p>
        </div>
      )}
    </div>
  );
}

function Ring({ shown, ring }: { shown: ShownRun; ring: PlanEdge }) {
  const { run, model, times } = shown;
  const reading = run.frame.edges[ring.id];
  if (reading === undefined) return null;
  const pairs: [string, string][] = [
    ["batches that wait", `${reading.dataQueued} of ${reading.capacity}`],
    ["messages that wait", wholeCount(reading.queued)],
    ["held behind", reading.held ? `barrier ${reading.delivered}` : "nothing"],
    ["rows sent", wholeCount(reading.rowsSent)],
    ["rows taken", wholeCount(reading.rows)],
    ["batches taken", wholeCount(reading.batches)],
    ...(model.hasTime ? [["watermark taken", times.mark(reading.mark)] as [string, string]] : []),
  ];
  return (
    <section className={styles.section} data-testid={`ring-${ring.id}`} data-held={reading.held ? reading.queued : 0}>
      <h3>
        {model.taskName(ring.from.task)} → {model.taskName(ring.to.task)}
      </h3>
      <RingPicture shown={shown} ring={ring.id} />
      <dl className={styles.pairs}>
        {pairs.map(([name, value]) => (
          <Pair key={name} name={name} value={value} />
        ))}
      </dl>
    </section>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function RingPicture({ shown, ring }: { shown: ShownRun; ring: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useFrame(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    const reading = shown.run.frame.edges[ring];
    if (element === null || !context || reading === undefined) return;
    const { clientWidth: w, clientHeight: h } = element;
    element.width = Math.round(w * devicePixelRatio);
    element.height = Math.round(h * devicePixelRatio);
    context.scale(devicePixelRatio, devicePixelRatio);
    const colours = palette();
    const ink = { context, colours, hatch: hatch(context, colours), scale: devicePixelRatio };
    drawRing(ink, { x: 0.5, y: 4, w: w - 1, h: h - 8 }, reading, reading.held ? colours.barrier : colours.lineStrong);
  }, 60);
  return <canvas ref={canvas} className={styles.ring} />;
}
