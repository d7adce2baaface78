import { Menu, TextInput } from "@mantine/core";
import {
  IconChevronDown,
  IconCopy,
  IconDeviceFloppy,
  IconFilePlus,
  IconFolderOpen,
  IconLayoutGrid,
  IconPencil,
  IconStack2,
} from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import { UNTITLED } from "../document/graph.ts";
import { rename } from "../document/graph-edits.ts";
import { shownKeys } from "./commands.ts";
import { chooseAndOpen, newGraph, saveToFile } from "./file-actions.ts";
import styles from "./TopBar.module.css";
import { useWorkbench } from "./workbench.ts";

const RECENT = 6;

/** The document's name; behind it everything about documents as a whole. */
export function DocumentMenu() {
  const workbench = useWorkbench();
  const { document, session, view } = workbench;
  const name = useStore(document, (state) => state.graph.name);
  const id = useStore(document, (state) => state.id);
  const readOnly = useStore(document, (state) => state.readOnly);
  const documents = useStore(session.store, (state) => state.documents);
  const [renaming, setRenaming] = useState(false);
  if (renaming) return <NameField name={name} onClose={() => setRenaming(false)} />;

  const recent = documents.filter((entry) => entry.id !== id).slice(0, RECENT);
  return (
    <Menu position="bottom-start" width={300} onOpen={() => void session.refresh()}>
      <Menu.Target>
        <button
          type="button"
          className={styles.title}
          data-testid="document-menu"
          onDoubleClick={() => readOnly || setRenaming(true)}
        >
          <span>{name || UNTITLED}</span>
          <IconChevronDown size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={15} />}
          disabled={readOnly}
          data-testid="document-rename"
          onClick={() => setRenaming(true)}
        >
          Rename
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCopy size={15} />}
          data-testid="document-duplicate"
          onClick={() => void session.duplicate()}
        >
          Make a copy
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconFilePlus size={15} />}
          data-testid="document-new"
          onClick={() => void newGraph(workbench)}
        >
          New graph
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLayoutGrid size={15} />}
          data-testid="document-examples"
          onClick={() => view.open("examples")}
        >
          Examples…
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFolderOpen size={15} />}
          rightSection={<kbd>{shownKeys("Mod+o").join(" ")}</kbd>}
          data-testid="document-open"
          onClick={() => chooseAndOpen(workbench)}
        >
          Open a file…
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDeviceFloppy size={15} />}
          rightSection={<kbd>{shownKeys("Mod+s").join(" ")}</kbd>}
          data-testid="document-save"
          onClick={() => saveToFile(workbench)}
        >
          Save as a file
        </Menu.Item>
        {recent.length > 0 && <Menu.Divider />}
        {recent.map((entry) => (
          <Menu.Item
            key={entry.id}
            data-testid={`document-recent-${entry.id}`}
            onClick={() => void session.openStored(entry.id)}
          >
            <span className={styles.recent}>
              {entry.name || UNTITLED}
              <small>
                {entry.nodes} {entry.nodes === 1 ? "node" : "nodes"} · {changedAt(entry.modified)}
              </small>
            </span>
          </Menu.Item>
        ))}
        {documents.length > 0 && (
          <Menu.Item
            leftSection={<IconStack2 size={15} />}
            data-testid="document-all"
            onClick={() => view.open("documents")}
          >
            All graphs…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The time where it was today, else the day. */
function changedAt(ms: number): string {
  const [then, now] = [new Date(ms), new Date()];
  return then.toDateString() === now.toDateString()
    ? then.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString();
}

function NameField({ name, onClose }: { name: string; onClose: () => void }) {
  const { document } = useWorkbench();
  return (
    <TextInput
      autoFocus
      className={styles.rename}
      aria-label="Name of the graph"
      data-testid="document-name"
      defaultValue={name}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.value = name;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
      onBlur={(event) => {
        const next = event.currentTarget.value.trim();
        document.edit("rename the graph", (graph) => rename(graph, next));
        onClose();
      }}
    />
  );
}
