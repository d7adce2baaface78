import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { singleOf } from "../../document/selection.ts";
import { resizeCanvas } from "../../shared/canvas-pixels.ts";
import { useWorkbench } from "../../shell/workbench.ts";
import { onPaletteChange, palette } from "../canvas/palette.ts";
import { plural, wholeCount } from "../quantities.ts";
import { useFrame, useRunController, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import styles from "./EventTime.module.css";
import { paintEventTime } from "./event-time-painter.ts";

/** A picture of the whole run changes slowly. */
const EVERY_MS = 120;

/** Event time against the time that passes: how results follow the watermark, drawn from the run itself. */
export function EventTime() {
  const shown = useShownRun();
  if (shown === undefined) return <p className={styles.none}>Run the graph to see its event time pass.</p>;
  if (!shown.model.hasTime)
    return <p className={styles.none}>No source of this graph says times: choose a time column in a source.</p>;
  return <Chart key={shown.run.plan.fingerprint} shown={shown} />;
}

function Chart({ shown }: { shown: ShownRun }) {
  const { run, times } = shown;
  const { loop } = useRunController();
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useRef({ width: 0, height: 0 });
  const { name, chosen, others } = useTasks(shown);
  const paint = () => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    const { width, height } = size.current;
    if (element === null || !context || width === 0) return;
    resizeCanvas(element, width, height);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const picture = { width, height, chosen, others, nowMs: run.nowMs };
    paintEventTime(context, run.history, picture, { colours: palette(), times });
  };
  useFrame(paint, EVERY_MS);
  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      size.current = { width: entry.contentRect.width, height: entry.contentRect.height };
      loop.request();
    });
    if (canvas.current !== null) sizes.observe(canvas.current);
    const stop = onPaletteChange(() => loop.request());
    return () => {
      sizes.disconnect();
      stop();
    };
  }, [loop]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tasks are another picture.
  useEffect(() => loop.request(), [loop, name]);
  return (
    <div className={styles.tab} data-testid="event-time">
      <ul className={styles.legend}>
        <li data-mark="chosen">watermark of {name}</li>
        {others.length > 0 && <li data-mark="other">watermarks of the sources</li>}
        <li data-mark="result">results, when they became visible</li>
        <li data-mark="late">late rows, behind the watermark</li>
      </ul>
      <canvas
        ref={canvas}
        className={styles.picture}
        role="img"
        aria-label={`Event time of ${name} against the run's clock`}
      />
      <Summary shown={shown} />
    </div>
  );
}

/** Whose watermark is looked at: the selected node's, else that of the last step before the results. */
function useTasks({ model }: ShownRun): { name: string; chosen: readonly number[]; others: readonly number[] } {
  const { selection } = useWorkbench();
  const selected = useStore(selection, (items) => {
    const single = singleOf(items);
    return single?.kind === "node" && model.tasksOf.has(single.id) ? single.id : undefined;
  });
  const sources = model.order.filter((task) => (model.into[task] ?? []).length === 0);
  const last = model.order[model.order.length - 1] ?? 0;
  const chosen =
    selected === undefined ? [last] : (model.tasksOf.get(selected) ?? []).map(({ task }) => Number(task.id));
  return {
    name: selected === undefined ? model.taskName(last) : model.nodeName(selected),
    chosen,
    others: sources.filter((task) => !chosen.includes(task)),
  };
}

/** Nothing is left out silently. */
function Summary({ shown: { run } }: { shown: ShownRun }) {
  const text = useRef<HTMLParagraphElement>(null);
  useFrame(() => {
    if (text.current === null) return;
    const { results, late } = run.history;
    const part = results.every === 1 ? "" : ` (one of ${wholeCount(results.every)} is drawn)`;
    text.current.textContent = `${plural(results.points.length, "point")} of results${part} · late rows came ${timesText(late.points.length)}`;
  }, 500);
  return <p ref={text} className={styles.summary} />;
}

const timesText = (count: number): string =>
  count === 1 ? "once" : count === 0 ? "never" : `${wholeCount(count)} times`;
