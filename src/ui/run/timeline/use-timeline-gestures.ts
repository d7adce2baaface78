import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { useRunController } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { LABELS, type TimelinePicture } from "./timeline-painter.ts";
import type { TimelineWindow } from "./timeline-window.ts";

/** An arrow key moves by this part of what is shown. */
const SCRUB_PART = 0.1;

/** Keys, wheel and dragging on the timeline. `point` hears where the pointer is. */
export function useTimelineGestures(
  { run }: ShownRun,
  frame: RefObject<HTMLElement | null>,
  pictureNow: () => TimelinePicture | undefined,
  point: (at: { readonly x: number; readonly y: number } | undefined) => void,
) {
  const { timeline } = useRunController();
  const dragged = useRef<number | undefined>(undefined);
  const perPixel = () => {
    const picture = pictureNow();
    return picture === undefined ? 0 : (picture.toMs - picture.fromMs) / (picture.width - LABELS);
  };
  useWheel(frame, (event, box) => {
    const { left, width } = box.getBoundingClientRect();
    const about = (event.clientX - left - LABELS) / (width - LABELS);
    if (event.ctrlKey) timeline.zoom(Math.sign(event.deltaY), run.nowMs, about);
    else timeline.move((event.deltaX || event.deltaY) * perPixel(), run.nowMs);
  });
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !press(timeline, event.key, run.nowMs)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      dragged.current = event.clientX;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { left, top } = event.currentTarget.getBoundingClientRect();
      point({ x: event.clientX - left, y: event.clientY - top });
      if (dragged.current === undefined || event.clientX === dragged.current) return;
      timeline.move((dragged.current - event.clientX) * perPixel(), run.nowMs);
      dragged.current = event.clientX;
    },
    onPointerUp: () => {
      dragged.current = undefined;
    },
    onPointerLeave: () => point(undefined),
  };
}

/** False when the key means nothing here. */
function press(timeline: TimelineWindow, key: string, nowMs: number): boolean {
  const { spanMs, endMs } = timeline.state.getState();
  switch (key) {
    case "+":
    case "=":
      timeline.zoom(-1, nowMs);
      return true;
    case "-":
      timeline.zoom(1, nowMs);
      return true;
    case "ArrowLeft":
      timeline.move(-spanMs * SCRUB_PART, nowMs);
      return true;
    case "ArrowRight":
      timeline.move(spanMs * SCRUB_PART, nowMs);
      return true;
    case "End":
      timeline.follow();
      return true;
    case " ":
      if (endMs === undefined) timeline.hold(nowMs);
      else timeline.follow();
      return true;
    default:
      return false;
  }
}

/** With Ctrl, or sideways: else the wheel scrolls the rows. The browser would zoom the page, or go back in its history. */
function useWheel(frame: RefObject<HTMLElement | null>, turn: (event: WheelEvent, box: HTMLElement) => void): void {
  const latest = useRef(turn);
  useEffect(() => {
    latest.current = turn;
  });
  useEffect(() => {
    const box = frame.current;
    if (box === null) return;
    const listen = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.shiftKey && event.deltaX === 0) return;
      event.preventDefault();
      latest.current(event, box);
    };
    box.addEventListener("wheel", listen, { passive: false });
    return () => box.removeEventListener("wheel", listen);
  }, [frame]);
}
