import { Button, Textarea } from "@mantine/core";
import { useStore } from "zustand";
import { changeNote } from "../document/graph-edits.ts";
import { singleOf } from "../document/selection.ts";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Form.module.css";

/** A note of the canvas. */
export function NotePanel() {
  const { document, selection } = useWorkbench();
  const id = useStore(selection, (items) => singleOf(items)?.id);
  const note = useStore(document, (state) => state.graph.annotations?.find((each) => each.id === id));
  const readOnly = useStore(document, (state) => state.readOnly);
  if (note === undefined) return null;
  return (
    <div className={styles.form}>
      <Textarea
        label="Note"
        autosize
        minRows={5}
        value={note.text}
        readOnly={readOnly}
        onChange={({ currentTarget: { value } }) =>
          document.edit("write the note", (graph) => changeNote(graph, note.id, { text: value }), `note:${note.id}`)
        }
        onBlur={document.seal}
      />
    </div>
  );
}

/** Several things are selected: what can be done with all of them. */
export function ManyPanel() {
  const { document, editor } = useWorkbench();
  const readOnly = useStore(document, (state) => state.readOnly);
  return (
    <div className={styles.form}>
      <Button.Group orientation="vertical">
        <Button disabled={readOnly} onClick={() => editor.duplicate()}>
          Duplicate
        </Button>
        <Button disabled={readOnly} onClick={() => editor.deleteSelected()}>
          Delete
        </Button>
      </Button.Group>
    </div>
  );
}
