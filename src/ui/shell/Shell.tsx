import { useStore } from "zustand";
import { Canvas } from "../editor/Canvas.tsx";
import { Palette } from "../editor/Palette.tsx";
import { Drawer } from "./Drawer.tsx";
import { Inspector } from "./Inspector.tsx";
import type { PanelState } from "./layout-store.ts";
import { Slot } from "./parts.tsx";
import styles from "./Shell.module.css";
import { Splitter } from "./Splitter.tsx";
import { TopBar } from "./TopBar.tsx";
import { useWorkbench } from "./workbench.ts";

/** The page's frame: top bar, palette, canvas, inspector, drawer. */
export function Shell() {
  const { layout, view } = useWorkbench();
  const { palette, inspector, drawer } = useStore(layout, (state) => state.panels);
  const embed = useStore(view, (state) => state.embed);
  if (embed) {
    return (
      <main className={styles.embed} aria-label="Graph" data-region="canvas">
        <Stage />
      </main>
    );
  }

  // In a small window, or on a page that is much enlarged, panels leave the canvas its part.
  const width = ({ open, size }: PanelState, most: string) => (open ? `min(${size}px, ${most})` : "0px");
  const columns = `${width(palette, "22vw")} minmax(0, 1fr) ${width(inspector, "40vw")}`;
  const drawerHeight = drawer.open ? `min(${drawer.size}px, 60vh)` : "calc(var(--tab-height) + 1px)";
  return (
    <div
      className={styles.shell}
      style={{ gridTemplateColumns: columns, gridTemplateRows: `var(--bar-height) minmax(0, 1fr) ${drawerHeight}` }}
    >
      <TopBar />
      {palette.open && (
        <nav className={styles.palette} aria-label="Palette" data-region="palette" data-testid="palette">
          <Palette />
          <Splitter panel="palette" layout={layout} label="Width of the palette" />
        </nav>
      )}
      <main className={styles.canvas} aria-label="Canvas">
        <Stage />
      </main>
      {inspector.open && (
        <aside className={styles.inspector} aria-label="Inspector" data-region="inspector" data-testid="inspector">
          <Splitter panel="inspector" layout={layout} label="Width of the inspector" />
          <Inspector />
        </aside>
      )}
      <section className={styles.drawer} aria-label="Drawer" data-region="drawer" data-testid="drawer">
        {drawer.open && <Splitter panel="drawer" layout={layout} label="Height of the drawer" />}
        <Drawer />
      </section>
    </div>
  );
}

/** The canvas, and under it what the parts have to tell. */
function Stage() {
  return (
    <>
      <div className={styles.stage}>
        <Canvas />
      </div>
      <Slot name="CanvasFooter" />
    </>
  );
}
