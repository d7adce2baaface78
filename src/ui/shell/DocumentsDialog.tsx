import { ActionIcon, Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { UNTITLED } from "../document/graph.ts";
import { Dialog } from "../shared/Dialog.tsx";
import styles from "./Dialogs.module.css";
import { useWorkbench } from "./workbench.ts";

/** Every graph that this browser keeps. */
export function DocumentsDialog() {
  const { view, session, document } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "documents");
  const documents = useStore(session.store, (state) => state.documents);
  const current = useStore(document, (state) => state.id);
  useEffect(() => {
    if (opened) void session.refresh();
  }, [opened, session]);
  const open = async (id: string) => {
    view.close();
    await session.openStored(id);
  };
  return (
    <Dialog opened={opened} onClose={view.close} title="Graphs in this browser" size={620} testId="documents">
      <table className={styles.documents}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Nodes</th>
            <th scope="col">Changed</th>
            <th aria-label="Delete" />
          </tr>
        </thead>
        <tbody>
          {documents.map((entry) => (
            <tr key={entry.id}>
              <td>
                <button type="button" className={styles.open} onClick={() => void open(entry.id)}>
                  {entry.name || UNTITLED}
                  {entry.id === current && " (open)"}
                </button>
              </td>
              <td>{entry.nodes}</td>
              <td>{new Date(entry.modified).toLocaleString()}</td>
              <td>
                <DeleteButton name={entry.name || UNTITLED} onDelete={() => void session.remove(entry.id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

/** Asks once more: a deleted graph does not come back. */
function DeleteButton({ name, onDelete }: { name: string; onDelete: () => void }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <ActionIcon aria-label={`Delete ${name}`} size={24} onClick={() => setAsked(true)}>
        <IconTrash size={15} />
      </ActionIcon>
    );
  }
  return (
    <Button
      autoFocus
      size="compact-xs"
      color="red"
      variant="light"
      aria-label={`Delete ${name} for good`}
      onClick={onDelete}
      onBlur={() => setAsked(false)}
    >
      Delete
    </Button>
  );
}
