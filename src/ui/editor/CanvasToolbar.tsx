import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconLayoutGrid,
  IconMinus,
  IconNote,
  IconPlus,
} from "@tabler/icons-react";
import { useStore as useFlowStore } from "@xyflow/react";
import { useStore } from "zustand";
import { shownKeys } from "../shell/commands.ts";
import { Slot } from "../shell/parts.tsx";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Canvas.module.css";
import { tidy } from "./tidy.ts";

const hint = (title: string, keys: string) => `${title} (${shownKeys(keys).join(" ")})`;

/** At the upper left of the canvas: what the parts bring, then what the editor has; where there is no top bar, its controls instead. */
export function CanvasToolbar() {
  const { view } = useWorkbench();
  const embed = useStore(view, (state) => state.embed);
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Canvas">
      {embed && <Slot name="TopBarControls" />}
      <Slot name="CanvasControls" />
      {!embed && <EditingControls />}
    </div>
  );
}

function EditingControls() {
  const workbench = useWorkbench();
  const { document, editor } = workbench;
  const readOnly = useStore(document, (state) => state.readOnly);
  const undo = useStore(document, (state) => state.history.past.at(-1)?.label);
  const redo = useStore(document, (state) => state.history.future[0]?.label);
  const empty = useStore(document, (state) => state.graph.nodes.length === 0);
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        data-testid="tidy"
        title="Lay the graph out"
        disabled={readOnly || empty}
        onClick={() => void tidy(workbench)}
      >
        <IconLayoutGrid size={14} /> Tidy
      </button>
      <button
        type="button"
        className={styles.chip}
        data-testid="add-note"
        title="Write a note on the canvas"
        disabled={readOnly}
        onClick={() => editor.addNote()}
      >
        <IconNote size={14} /> Note
      </button>
      <button
        type="button"
        className={styles.chip}
        data-testid="undo"
        aria-label={undo === undefined ? "Undo" : `Undo: ${undo}`}
        title={undo === undefined ? "Nothing to undo" : hint(`Undo: ${undo}`, "Mod+z")}
        disabled={readOnly || undo === undefined}
        onClick={document.undo}
      >
        <IconArrowBackUp size={15} />
      </button>
      <button
        type="button"
        className={styles.chip}
        data-testid="redo"
        aria-label={redo === undefined ? "Redo" : `Redo: ${redo}`}
        title={redo === undefined ? "Nothing to redo" : hint(`Redo: ${redo}`, "Mod+Shift+z")}
        disabled={readOnly || redo === undefined}
        onClick={document.redo}
      >
        <IconArrowForwardUp size={15} />
      </button>
    </>
  );
}

export function ZoomControls() {
  const { editor } = useWorkbench();
  const percent = useFlowStore((state) => Math.round(state.transform[2] * 100));
  return (
    <div className={styles.zoom} role="toolbar" aria-label="Zoom">
      <button
        type="button"
        className={styles.chip}
        aria-label="Zoom out"
        title={hint("Zoom out", "-")}
        onClick={() => editor.view?.zoom("out")}
      >
        <IconMinus size={14} />
      </button>
      <button
        type="button"
        className={`${styles.chip} ${styles.percent}`}
        data-testid="zoom-fit"
        aria-label={`Zoom ${percent} %: fit the graph`}
        title={hint("Fit the graph", "f")}
        onClick={() => editor.view?.fit()}
      >
        {percent} %
      </button>
      <button
        type="button"
        className={styles.chip}
        aria-label="Zoom in"
        title={hint("Zoom in", "+")}
        onClick={() => editor.view?.zoom("in")}
      >
        <IconPlus size={14} />
      </button>
    </div>
  );
}
