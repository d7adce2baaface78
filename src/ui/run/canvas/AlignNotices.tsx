import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { Editor } from "../../editor/editor.ts";
import type { Viewport } from "../../editor/editor-state.ts";
import { groupBy } from "../../shared/group-by.ts";
import { useWorkbench } from "../../shell/workbench.ts";
import { type Alignment, alignments } from "../alignment.ts";
import { stay } from "../quantities.ts";
import { useFrame, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import styles from "./AlignNotices.module.css";
import { type NoticeText, noticeText } from "./align-text.ts";
import { noticePlace } from "./notice-place.ts";
import type { Box } from "./places.ts";
import { cardBoxes } from "./scene.ts";

/** An alignment that is over sooner cannot be read about. */
const SHOWN_FROM_MS = 150;
const EVERY_MS = 120;
const MOST = 2;
const SIZE = { w: 236, h: 104 };
/** A notice is to be read however small the graph is drawn. */
const LEAST_ZOOM = 0.85;

interface Notice {
  readonly key: string;
  readonly alignment: Alignment;
  readonly task: string;
  readonly forMs: number;
  readonly text: NoticeText;
  readonly place: Box;
  /** Larger than the graph by so much. */
  readonly scale: number;
}

/** Beside a task that aligns: which input delivered its barrier, what is held behind it, which input is waited for. */
export function AlignNotices() {
  const shown = useShownRun();
  return shown === undefined ? null : <Notices key={shown.run.plan.fingerprint} shown={shown} />;
}

function Notices({ shown }: { shown: ShownRun }) {
  const { editor } = useWorkbench();
  const begun = useRef(new Map<string, number>());
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  useFrame(() => {
    const next = noticesNow(shown, editor, begun.current);
    setNotices((before) => (before.length === 0 && next.length === 0 ? before : next));
  }, EVERY_MS);
  return (
    <GraphLayer>
      {notices.map((notice) => (
        <NoticeBox key={notice.key} notice={notice} />
      ))}
    </GraphLayer>
  );
}

/** Moves and grows with the graph, above what is drawn on it. */
function GraphLayer({ children }: { children: ReactNode }) {
  const { editor } = useWorkbench();
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const follow = ({ x, y, zoom }: Viewport) => {
      if (layer.current !== null) layer.current.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    };
    follow(editor.viewport.getState());
    return editor.viewport.subscribe(follow);
  }, [editor]);
  return (
    <div ref={layer} className={styles.layer}>
      {children}
    </div>
  );
}

function NoticeBox({ notice: { alignment, task, forMs, text, place, scale } }: { notice: Notice }) {
  return (
    <div
      className={styles.notice}
      style={{ transform: `translate(${place.x}px, ${place.y}px) scale(${scale})` }}
      data-testid="aligning"
      data-task={alignment.task}
      data-epoch={alignment.epoch}
      data-held={alignment.held}
      data-missing={text.missing.join(", ")}
    >
      <strong>Aligning barrier {alignment.epoch}</strong> on {task}
      <p>
        <Names of={text.delivered} /> delivered it {stay(forMs)} ago; {text.held}. Waiting for{" "}
        <Names of={text.missing} />. {text.where}
      </p>
    </div>
  );
}

function Names({ of }: { of: readonly string[] }) {
  return of.map((name, index) => (
    <span key={name}>
      {index === 0 ? "" : index === of.length - 1 ? " and " : ", "}
      <b>{name}</b>
    </span>
  ));
}

/** The longest alignments. Since when a node aligns is noticed here: to a frame, which is as fine as can be shown. */
function noticesNow({ run, model }: ShownRun, editor: Editor, begun: Map<string, number>): Notice[] {
  const { frame } = run;
  const found = run.isOver ? [] : alignments(model, frame);
  const nodes = groupBy(found, ({ task, epoch }): string => `${model.plan.tasks[task]?.stages[0]?.node}:${epoch}`);
  const keys = new Set(nodes.map(([key]) => key));
  for (const key of begun.keys()) if (!keys.has(key)) begun.delete(key);
  const timed = nodes.map(([key, tasks]) => {
    const since = begun.get(key) ?? frame.nowMs;
    begun.set(key, since);
    return { key, tasks, forMs: frame.nowMs - since };
  });
  const boxes = cardBoxes(editor);
  const taken = takenPlaces(editor, boxes);
  const sight = editor.view?.sight();
  const { zoom } = editor.viewport.getState();
  if (sight !== undefined) taken.push(legendBox(sight, zoom));
  const scale = Math.max(1, LEAST_ZOOM / zoom);
  const size = { w: SIZE.w * scale, h: SIZE.h * scale };
  return timed
    .filter(({ forMs }) => forMs >= SHOWN_FROM_MS)
    .sort((a, b) => b.forMs - a.forMs)
    .slice(0, MOST)
    .flatMap(({ key, tasks, forMs }) => {
      const alignment = together(tasks);
      const card = boxes.get(model.plan.tasks[alignment.task]?.stages[0]?.node ?? "");
      if (card === undefined) return [];
      const place = noticePlace(card, size, taken, sight);
      taken.push(place);
      const task =
        tasks.length === 1
          ? model.taskName(alignment.task)
          : `${model.headName(alignment.task)}, ${tasks.length} tasks`;
      return [{ key, alignment, forMs, task, text: noticeText(model, frame, alignment), place, scale }];
    });
}

/** The tasks of one node as one. */
function together(tasks: readonly Alignment[]): Alignment {
  const [first] = tasks as readonly [Alignment];
  return {
    ...first,
    delivered: tasks.flatMap(({ delivered }) => delivered),
    missing: tasks.flatMap(({ missing }) => missing),
    held: tasks.reduce((sum, { held }) => sum + held, 0),
  };
}

/** The strip of an edge and its words, about where it lies. */
const STRIP = { w: 110, h: 56 };

/** The legend at the lower left of what is seen, about where it lies; in graph coordinates. */
const legendBox = (sight: Box, zoom: number): Box => ({
  x: sight.x - 8 / zoom,
  y: sight.y + sight.h - 24 / zoom,
  w: 334 / zoom,
  h: 32 / zoom,
});

/** What a notice should leave in sight. */
function takenPlaces(editor: Editor, boxes: ReadonlyMap<string, Box>): Box[] {
  const strips = [...editor.edgePlaces.values()].map(({ x, y }) => ({
    x: x - STRIP.w / 2,
    y: y - STRIP.h / 2,
    ...STRIP,
  }));
  return [...boxes.values(), ...strips];
}
