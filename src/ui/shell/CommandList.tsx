import { useStore } from "zustand";
import { Picker, type PickerItem } from "../shared/Picker.tsx";
import { type Command, type CommandGroup, shownKeys } from "./commands.ts";
import { useCommands } from "./use-commands.ts";
import { useWorkbench } from "./workbench.ts";

/** Every command by name (Ctrl/⌘ K). */
export function CommandList() {
  const { view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "commands");
  const commands = useCommands();
  return (
    <Picker
      opened={opened}
      title="Commands"
      placeholder="What should happen?"
      items={opened ? itemsOf(commands) : []}
      nothing="No command has such a name"
      testId="command-list"
      onClose={view.close}
      onPick={(id) => commands.find((command) => command.id === id)?.run()}
    />
  );
}

const GROUPS: readonly CommandGroup[] = ["Run", "Graph", "Canvas", "Edit", "Panels", "Help"];

function itemsOf(commands: readonly Command[]): PickerItem[] {
  return [...commands]
    .sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group))
    .filter((command) => command.helpOnly !== true && (command.enabled?.() ?? true))
    .map(({ id, title, group, keys }) => ({
      id,
      label: title,
      group,
      aside: keys?.[0] === undefined ? undefined : <kbd>{shownKeys(keys[0]).join(" ")}</kbd>,
    }));
}
