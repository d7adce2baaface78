import type { KeyboardEvent, PointerEvent } from "react";
import { useStore } from "zustand";
import { type LayoutStore, PANEL_LIMITS, type PanelName } from "./layout-store.ts";
import styles from "./Shell.module.css";

const STEP = 16;

/** Which way the pointer moves when the panel grows: the palette lies left, the inspector right, the drawer below. */
const GROWS: Readonly<Record<PanelName, { axis: "x" | "y"; sign: 1 | -1; larger: string; smaller: string }>> = {
  palette: { axis: "x", sign: 1, larger: "ArrowRight", smaller: "ArrowLeft" },
  inspector: { axis: "x", sign: -1, larger: "ArrowLeft", smaller: "ArrowRight" },
  drawer: { axis: "y", sign: -1, larger: "ArrowUp", smaller: "ArrowDown" },
};

/** The line between a panel and the canvas: drag it, or move it with the arrow keys; a double click resets it. */
export function Splitter({ panel, layout, label }: { panel: PanelName; layout: LayoutStore; label: string }) {
  const size = useStore(layout, (state) => state.panels[panel].size);
  const { axis, sign, larger, smaller } = GROWS[panel];
  const { min, max, initial } = PANEL_LIMITS[panel];

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const handle = event.currentTarget;
    const start = axis === "x" ? event.clientX : event.clientY;
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => {
      layout.resize(panel, size + sign * ((axis === "x" ? moved.clientX : moved.clientY) - start));
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), {
      once: true,
    });
  };

  const press = (event: KeyboardEvent) => {
    const next = { [larger]: size + STEP, [smaller]: size - STEP, Home: min, End: max }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    layout.resize(panel, next);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is a widget (ARIA window splitter); <hr> cannot be one.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      data-testid={`splitter-${panel}`}
      data-panel={panel}
      className={styles.splitter}
      onPointerDown={drag}
      onKeyDown={press}
      onDoubleClick={() => layout.resize(panel, initial)}
    />
  );
}
