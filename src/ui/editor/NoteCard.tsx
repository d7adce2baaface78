import { type NodeProps, NodeResizer } from "@xyflow/react";
import { memo } from "react";
import { useStore } from "zustand";
import { changeNote } from "../document/graph-edits.ts";
import { focusOnMount } from "../shared/focus.ts";
import { useWorkbench } from "../shell/workbench.ts";
import type { NoteNode } from "./canvas-items.ts";
import styles from "./NodeCard.module.css";

/** A note on the canvas: plain text, of a size that the person chooses. */
export const NoteCard = memo(function NoteCard({ data: { note }, selected }: NodeProps<NoteNode>) {
  const { document, editor } = useWorkbench();
  const editing = useStore(editor.state, (state) => state.editingNote === note.id);
  const readOnly = useStore(document, (state) => state.readOnly);
  const resize = (place: { x: number; y: number; width: number; height: number }) =>
    document.edit("resize the note", (graph) =>
      changeNote(graph, note.id, { ui: { x: place.x, y: place.y, w: place.width, h: place.height } }),
    );

  return (
    <>
      <NodeResizer
        isVisible={selected && !readOnly}
        minWidth={80}
        minHeight={36}
        onResizeEnd={(_, place) => resize(place)}
        color="var(--accent)"
      />
      <article
        aria-label={`Note: ${note.text || "empty"}`}
        className={styles.note}
        data-testid={`note-${note.id}`}
        data-selected={selected}
        data-empty={note.text === ""}
        onDoubleClick={() => !readOnly && editor.state.setState({ editingNote: note.id })}
      >
        {editing ? <NoteField id={note.id} text={note.text} /> : note.text || "Double-click to write"}
      </article>
    </>
  );
});

function NoteField({ id, text }: { id: string; text: string }) {
  const { document, editor } = useWorkbench();
  const save = (next: string) => {
    editor.state.setState({ editingNote: undefined });
    document.edit("write the note", (graph) => changeNote(graph, id, { text: next }));
  };
  return (
    <textarea
      ref={focusOnMount}
      className={`${styles.noteField} nodrag nopan nowheel`}
      aria-label="Text of the note"
      defaultValue={text}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") event.currentTarget.blur();
      }}
      onBlur={(event) => {
        save(event.currentTarget.value);
        editor.view?.focus();
      }}
    />
  );
}
