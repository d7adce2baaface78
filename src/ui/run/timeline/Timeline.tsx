import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { perfettoTrace, TASK_STATES } from "../../../engine/index.ts";
import { NOTHING } from "../../engine-client/task-track.ts";
import { download } from "../../shell/file-actions.ts";
import { onPaletteChange } from "../canvas/palette.ts";
import { EpochTable } from "../epochs/EpochTable.tsx";
import { useEpochRows } from "../epochs/use-epoch-rows.ts";
import { wholeCount } from "../quantities.ts";
import { useFrame, useRunController, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import styles from "./Timeline.module.css";
import { TimelineCanvas } from "./timeline-canvas.ts";
import { HEAD, LABELS, ROW, type TimelinePicture } from "./timeline-painter.ts";
import { useTimelineGestures } from "./use-timeline-gestures.ts";

/** What every task did over the last seconds, and how the barriers went through. */
export function Timeline() {
  const shown = useShownRun();
  if (shown === undefined) return <p className={styles.none}>Run the graph to see what its tasks do.</p>;
  return (
    <div className={styles.tab} data-testid="timeline">
      <Rows shown={shown} />
      <div className={styles.side}>
        <Recent shown={shown} />
      </div>
    </div>
  );
}

function Recent({ shown }: { shown: ShownRun }) {
  return <EpochTable rows={useEpochRows(shown, 24)} />;
}

/** 30 pictures a second are enough for something that moves evenly. */
const EVERY_MS = 30;

function Rows({ shown }: { shown: ShownRun }) {
  const controller = useRunController();
  const view = useStore(controller.timeline.state);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<TimelineCanvas | undefined>(undefined);
  const [pointer, setPointer] = useState<{ readonly x: number; readonly y: number } | undefined>(undefined);

  // Asking for the size while a frame is made would make the browser lay the page out in the middle of it.
  const size = useRef({ width: 0, height: 0, top: 0 });
  const pictureNow = (): TimelinePicture | undefined => {
    const { width } = size.current;
    if (width <= LABELS) return undefined;
    // Whole pixels of time: what was painted once moves by whole pixels.
    const msPerPixel = view.spanMs / (width - LABELS);
    const toMs = Math.floor((view.endMs ?? shown.run.nowMs) / msPerPixel) * msPerPixel;
    return { ...size.current, fromMs: toMs - view.spanMs, toMs };
  };
  const paint = () => {
    const picture = pictureNow();
    if (picture === undefined || canvas.current === null) return;
    painter.current ??= new TimelineCanvas(canvas.current);
    painter.current.paint(shown, picture);
  };
  useFrame(paint, EVERY_MS);
  const { loop } = controller;
  useEffect(() => {
    const again = () => loop.request();
    const sizes = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      size.current = { ...size.current, width: Math.floor(width), height: Math.ceil(height) };
      again();
    });
    if (frame.current !== null) sizes.observe(frame.current);
    const stop = onPaletteChange(() => {
      painter.current?.renew();
      again();
    });
    return () => {
      sizes.disconnect();
      stop();
    };
  }, [loop]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another window is another picture.
  useEffect(() => loop.request(), [loop, view]);

  const gestures = useTimelineGestures(shown, frame, pictureNow, setPointer);
  const height = HEAD + shown.model.order.length * ROW + 4;
  return (
    <section
      ref={frame}
      className={styles.rows}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scrub it.
      tabIndex={0}
      aria-label="Timeline of tasks: plus and minus zoom, left and right scrub, End goes back to now"
      data-testid="timeline-rows"
      onScroll={(event) => {
        size.current = { ...size.current, top: event.currentTarget.scrollTop };
        loop.request();
      }}
      {...gestures}
    >
      <div style={{ height }}>
        <canvas ref={canvas} className={styles.canvas} />
      </div>
      {pointer !== undefined && <Readout shown={shown} picture={pictureNow()} pointer={pointer} />}
    </section>
  );
}

interface ReadoutProps {
  readonly shown: ShownRun;
  readonly picture: TimelinePicture | undefined;
  readonly pointer: { readonly x: number; readonly y: number };
}

/** What the pointer is on. */
function Readout({ shown: { run, model }, picture, pointer }: ReadoutProps) {
  if (picture === undefined || pointer.x < LABELS) return null;
  const row = Math.floor((pointer.y - HEAD + picture.top) / ROW);
  const task = model.order[row];
  if (task === undefined) return null;
  const ms = picture.fromMs + ((pointer.x - LABELS) / (picture.width - LABELS)) * (picture.toMs - picture.fromMs);
  const state = run.timelines.tracks[task]?.at(ms) ?? NOTHING;
  const left = Math.min(pointer.x + 12, picture.width - 190);
  const top = picture.top + Math.min(pointer.y + 14, picture.height - 26);
  return (
    <div className={styles.readout} style={{ left, top }}>
      {model.taskName(task)}: {state === NOTHING ? "not recorded" : TASK_STATES[state]}{" "}
      <span>{(ms / 1000).toFixed(3)} s</span>
    </div>
  );
}

/** At the right of the row of tabs: which stretch is shown, and the export. */
export function TimelineActions() {
  const { timeline } = useRunController();
  const shown = useShownRun();
  const { spanMs, endMs } = useStore(timeline.state);
  if (shown === undefined) return null;
  const { run } = shown;
  const now = () => run.nowMs;
  const span = spanMs < 1000 ? `${Math.round(spanMs)} ms` : `${Number((spanMs / 1000).toFixed(1))} s`;
  return (
    <div className={styles.actions}>
      <Lost shown={shown} />
      <button
        type="button"
        aria-label="Show a shorter time"
        title="Show a shorter time (+)"
        onClick={() => timeline.zoom(-1, now())}
      >
        <IconPlus size={13} />
      </button>
      <span className={styles.span} data-testid="timeline-span">
        {endMs === undefined ? `last ${span}` : span}
      </span>
      <button
        type="button"
        aria-label="Show a longer time"
        title="Show a longer time (−)"
        onClick={() => timeline.zoom(1, now())}
      >
        <IconMinus size={13} />
      </button>
      {endMs === undefined ? (
        <button
          type="button"
          data-testid="timeline-hold"
          title="Let the timeline stand still; the run goes on (Space)"
          onClick={() => timeline.hold(now())}
        >
          Hold
        </button>
      ) : (
        <button
          type="button"
          className={styles.held}
          data-testid="timeline-follow"
          title="Back to now (End)"
          onClick={() => timeline.follow()}
        >
          Back to now
        </button>
      )}
      <button type="button" data-testid="export-trace" onClick={() => exportTrace(shown)}>
        Export to Perfetto
      </button>
    </div>
  );
}

function Lost({ shown }: { shown: ShownRun }) {
  const text = useRef<HTMLSpanElement>(null);
  useFrame(() => {
    const { lost } = shown.run.timelines;
    if (text.current !== null)
      text.current.textContent = lost === 0 ? "" : `${wholeCount(lost)} changes were too fast to record`;
  }, 500);
  return <span ref={text} />;
}

function exportTrace({ run, model }: ShownRun): void {
  const text = perfettoTrace({
    tasks: model.plan.tasks.map((task) => ({ name: model.taskName(task.id), group: model.headName(task.id) })),
    events: run.timelines.events,
    epochs: run.state.getState().status.epochs,
    nowMs: run.nowMs,
  });
  const name = (model.graph.name || "run").replaceAll(/[^\p{L}\p{N} _.-]/gu, "-");
  download(new Blob([text], { type: "application/json" }), `${name}.trace.json`);
}
