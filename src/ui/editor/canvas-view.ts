import type { ReactFlowInstance } from "@xyflow/react";
import type { CanvasView } from "./editor-state.ts";

const CARD = { width: 200, height: 68 };
const CALM = { duration: 220 };

/** Leaves room for what lies over the canvas at its upper and lower edge, and for the words beside an edge. */
const FIT = {
  padding: { top: "58px", right: "64px", bottom: "58px", left: "32px" },
  maxZoom: 1,
} as const;

/** Below this zoom nobody can read; cards then have no text and no shadows. */
export const FAR = 0.4;
/** Below this zoom a port is too small to be hit; it then is a place that edges come from, and nothing more. */
export const SPECK = 0.3;

const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const motion = () => (stillness() ? {} : CALM);

/** The canvas' own account of its size and viewport. */
interface CanvasStore {
  getState(): {
    readonly width: number;
    readonly height: number;
    readonly transform: readonly [number, number, number];
  };
}

export function createCanvasView(
  flow: ReactFlowInstance,
  store: CanvasStore,
  frame: () => HTMLElement | null,
): CanvasView {
  const box = () => frame()?.getBoundingClientRect() ?? new DOMRect();
  // From what the canvas knows of itself: asking the page would lay it out, in the middle of a frame.
  const sight = () => {
    const { width, height, transform } = store.getState();
    const [x, y, zoom] = transform;
    return { x: (20 - x) / zoom, y: (50 - y) / zoom, w: (width - 40) / zoom, h: (height - 100) / zoom };
  };
  let fitted = false;
  const shows = (ids: readonly string[]) => {
    const { x, y, width, height } = flow.getNodesBounds([...ids]);
    const seen = sight();
    return x >= seen.x && y >= seen.y && x + width <= seen.x + seen.w && y + height <= seen.y + seen.h;
  };
  return {
    center: () => {
      const { left, top, width, height } = box();
      return flow.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 });
    },
    toGraph: (place) => flow.screenToFlowPosition(place),
    edgeAt: ({ x, y }) =>
      document
        .elementsFromPoint(x, y)
        .map((element) => element.closest<SVGElement>(".react-flow__edge")?.dataset["id"])
        .find((id) => id !== undefined),
    covers: ({ x, y }) => {
      const top = document.elementFromPoint(x, y);
      return top !== null && frame()?.contains(top) === true;
    },
    sizeOf: (node) => {
      const measured = flow.getNode(node)?.measured;
      return { width: measured?.width ?? CARD.width, height: measured?.height ?? CARD.height };
    },
    get isFitted() {
      return fitted;
    },
    fit: (how = "calmly") => {
      fitted = true;
      void flow.fitView({ ...FIT, ...(how === "calmly" && motion()) });
    },
    loosen: () => {
      fitted = false;
    },
    zoom: (by) => {
      fitted = false;
      void (by === "in" ? flow.zoomIn(motion()) : flow.zoomOut(motion()));
    },
    sight,
    shows,
    reveal: (ids) => {
      if (shows(ids)) return;
      fitted = false;
      const bounds = flow.getNodesBounds([...ids]);
      const zoom = Math.min(Math.max(flow.getZoom(), 0.6), 1);
      void flow.setCenter(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2, { zoom, ...motion() });
    },
    revealPlace: (at) => {
      const seen = sight();
      const by = {
        x: shift(at.x, CARD.width, seen.x, seen.w),
        y: shift(at.y, CARD.height, seen.y, seen.h),
      };
      if (by.x === 0 && by.y === 0) return;
      fitted = false;
      const { x, y, zoom } = flow.getViewport();
      void flow.setViewport({ x: x - by.x * zoom, y: y - by.y * zoom, zoom }, motion());
    },
    focus: () => frame()?.focus(),
  };
}

/** How far a stretch lies outside of what is seen: positive beyond its end. What has no room is seen from its beginning. */
function shift(from: number, length: number, seen: number, room: number): number {
  if (from < seen || length > room) return from - seen;
  return Math.max(0, from + length - seen - room);
}
