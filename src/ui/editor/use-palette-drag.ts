import type { PointerEvent } from "react";
import { useWorkbench } from "../shell/workbench.ts";
import { CARD_WIDTH, HEAD_MIDDLE } from "./edge-geometry.ts";

/** A press becomes a drag after this many pixels; before that it is a click. */
const THRESHOLD = 5;

/** Carries a kind from the palette to the canvas; over an edge it will be put into it. Escape lets it go. */
export function usePaletteDrag(kind: string): (event: PointerEvent) => void {
  const { editor } = useWorkbench();
  return (start) => {
    if (start.button !== 0) return;
    const button = start.currentTarget;
    const controller = new AbortController();
    const { signal } = controller;
    const carrying = () => editor.state.getState().carrying !== undefined;
    const end = () => {
      controller.abort();
      editor.state.setState({ carrying: undefined, insertEdge: undefined });
    };
    const move = (event: globalThis.PointerEvent) => {
      const { clientX: x, clientY: y } = event;
      if (!carrying() && Math.hypot(x - start.clientX, y - start.clientY) < THRESHOLD) return;
      editor.state.setState({ carrying: { kind, x, y }, insertEdge: editor.view?.edgeAt({ x, y }) });
    };
    const drop = (event: globalThis.PointerEvent) => {
      const wasCarrying = carrying();
      const { insertEdge: onEdge } = editor.state.getState();
      end();
      if (!wasCarrying) return;
      swallowClick(button);
      const place = { x: event.clientX, y: event.clientY };
      if (editor.view?.covers(place) !== true) return;
      const at = editor.view.toGraph(place);
      editor.add(kind, { at: { x: at.x - CARD_WIDTH / 2, y: at.y - HEAD_MIDDLE }, onEdge });
      editor.view.focus();
    };
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", drop, { signal });
    window.addEventListener("pointercancel", end, { signal });
    window.addEventListener("keydown", (event) => event.key === "Escape" && end(), { signal });
  };
}

/** A drag that ends where it began is followed by a click, which would add a second node. */
function swallowClick(element: Element): void {
  const stop = (event: Event) => event.stopPropagation();
  element.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => element.removeEventListener("click", stop, { capture: true }));
}
