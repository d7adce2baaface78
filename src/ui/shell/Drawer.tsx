import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useStore } from "zustand";
import styles from "./Drawer.module.css";
import { useParts } from "./parts.tsx";
import { Tabs } from "./Tabs.tsx";
import { useWorkbench } from "./workbench.ts";

/** The lower panel. Closed, it is the row of its tabs; choosing one opens it. */
export function Drawer() {
  const { layout } = useWorkbench();
  const open = useStore(layout, (state) => state.panels.drawer.open);
  const chosen = useStore(layout, (state) => state.drawerTab);
  const tabs = useParts().flatMap((part) => part.drawerTabs ?? []);
  const tab = tabs.find((each) => each.id === chosen) ?? tabs[0];
  const toggleLabel = open ? "Close the drawer" : "Open the drawer";

  return (
    <>
      <Tabs
        label="Drawer"
        name="drawer"
        items={tabs}
        selected={open ? tab?.id : undefined}
        onSelect={layout.showDrawer}
      >
        {open && tab?.Actions && <tab.Actions />}
        <ActionIcon
          aria-label={toggleLabel}
          title={toggleLabel}
          aria-expanded={open}
          data-testid="toggle-drawer"
          size={24}
          onClick={() => layout.toggle("drawer")}
        >
          {open ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </ActionIcon>
      </Tabs>
      {open && tab && (
        <div role="tabpanel" id="drawer-panel" aria-labelledby={`drawer-tab-${tab.id}`} className={styles.content}>
          <tab.Content />
        </div>
      )}
    </>
  );
}
