import { createSpotlight, Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect } from "react";
import { useStore } from "zustand";
import { groupBy } from "../shared/group-by.ts";
import { type Command, shownKeys } from "./commands.ts";
import { useCommands } from "./use-commands.ts";
import { useWorkbench } from "./workbench.ts";

const [store, spotlight] = createSpotlight();

const SEARCH = {
  leftSection: <IconSearch size={16} />,
  placeholder: "What should happen?",
  "aria-label": "Search commands",
  "data-testid": "command-search",
};

/** Every command by name (Ctrl/⌘ K). */
export function CommandList() {
  const { view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "commands");
  const commands = useCommands();
  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
  }, [opened]);

  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={opened ? actionsOf(commands) : []}
      nothingFound="No command has such a name"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={SEARCH}
      onSpotlightClose={view.close}
    />
  );
}

function actionsOf(commands: readonly Command[]): SpotlightActionGroupData[] {
  const offered = commands.filter((command) => command.helpOnly !== true && (command.enabled?.() ?? true));
  return groupBy(offered, (command) => command.group).map(([group, members]) => ({
    group,
    actions: members.map((command) => ({
      id: command.id,
      label: command.title,
      "data-testid": `command-${command.id}`,
      rightSection: command.keys?.[0] === undefined ? undefined : <kbd>{shownKeys(command.keys[0]).join(" ")}</kbd>,
      onClick: command.run,
    })),
  }));
}
