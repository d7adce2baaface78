import { useEffect, useRef } from "react";
import { type FlowKind, FlowShape } from "../../shared/FlowShapes.tsx";
import { useWorkbench } from "../../shell/workbench.ts";
import { useRunController, useRunPage, useShownRun } from "../run-context.ts";
import styles from "./RunCanvas.module.css";
import { RunPainter } from "./run-painter.ts";

/** What a run shows over the graph. */
export function RunCanvas() {
  const shown = useShownRun();
  const view = useRunPage((state) => state.view);
  const there = shown !== undefined;
  useEffect(() => {
    if (!there) return;
    document.documentElement.dataset["run"] = view;
    return () => {
      delete document.documentElement.dataset["run"];
    };
  }, [there, view]);
  return (
    <>
      <PaintedCanvas />
      {there && <Legend />}
    </>
  );
}

function PaintedCanvas() {
  const controller = useRunController();
  const workbench = useWorkbench();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (canvas.current === null || !context) return;
    const painter = new RunPainter(canvas.current, context, controller, workbench);
    return () => painter.close();
  }, [controller, workbench]);
  return (
    <div className={styles.stage}>
      <canvas ref={canvas} className={styles.canvas} data-testid="run-canvas" />
    </div>
  );
}

const LEGEND: readonly (readonly [FlowKind, string])[] = [
  ["data", "data"],
  ["watermark", "watermark"],
  ["barrier", "barrier"],
  ["end", "end"],
  ["held", "held"],
];

function Legend() {
  return (
    <div className={styles.legend} data-testid="legend">
      {LEGEND.map(([kind, word]) => (
        <span key={kind}>
          <FlowShape kind={kind} />
          {word}
        </span>
      ))}
    </div>
  );
}
