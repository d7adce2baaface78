import type { ReactFlowInstance } from "@xyflow/react";
import type { CanvasView } from "./editor-state.ts";

const CARD = { width: 200, height: 68 };
const CALM = { duration: 220 };

/** Leaves room for what lies over the canvas at its upper and lower edge, and for the words beside an edge. */
export const FIT = {
  padding: { top: "58px", right: "64px", bottom: "58px", left: "32px" },
  maxZoom: 1,
} as const;

const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const motion = () => (stillness() ? {} : CALM);

export function createCanvasView(flow: ReactFlowInstance, frame: () => HTMLElement | null): CanvasView {
  const box = () => frame()?.getBoundingClientRect() ?? new DOMRect();
  const sight = () => {
    const { left, top, width, height } = box();
    const { x, y } = flow.screenToFlowPosition({ x: left + 20, y: top + 50 });
    const lower = flow.screenToFlowPosition({ x: left + width - 20, y: top + height - 20 });
    return { x, y, w: lower.x - x, h: lower.y - y };
  };
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
    fit: () => void flow.fitView({ ...FIT, ...motion() }),
    zoom: (by) => void (by === "in" ? flow.zoomIn(motion()) : flow.zoomOut(motion())),
    sight,
    shows,
    reveal: (ids) => {
      if (shows(ids)) return;
      const bounds = flow.getNodesBounds([...ids]);
      const zoom = Math.min(Math.max(flow.getZoom(), 0.6), 1);
      void flow.setCenter(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2, { zoom, ...motion() });
    },
    focus: () => frame()?.focus(),
  };
}
