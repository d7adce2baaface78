import { ActionIcon, Button } from "@mantine/core";
import { IconLayoutSidebar, IconLayoutSidebarRight, IconShare2 } from "@tabler/icons-react";
import { useStore } from "zustand";
import { Logo } from "../shared/Logo.tsx";
import { shownKeys } from "./commands.ts";
import { DocumentMenu } from "./DocumentMenu.tsx";
import type { PanelName } from "./layout-store.ts";
import { Slot, useParts } from "./parts.tsx";
import { SaveStatus } from "./SaveStatus.tsx";
import { ThemeButton } from "./ThemeButton.tsx";
import styles from "./TopBar.module.css";
import { useWorkbench } from "./workbench.ts";

export function TopBar() {
  const { view } = useWorkbench();
  const parts = useParts();
  const hasControls = parts.some(({ TopBarControls }) => TopBarControls !== undefined);
  return (
    <header className={styles.bar} data-region="top" data-testid="top-bar">
      <span className={styles.brand}>
        <Logo />
        Weir
      </span>
      <div className={styles.document}>
        <DocumentMenu />
        <SaveStatus />
      </div>
      {hasControls && <span className={styles.rule} />}
      <Slot name="TopBarControls" />
      <div className={styles.end}>
        <Slot name="TopBarModes" />
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconShare2 size={15} />}
          data-testid="share"
          aria-label="Share"
          onClick={() => view.open("share")}
        >
          <span className={styles.word}>Share</span>
        </Button>
        <Button
          variant="subtle"
          color="gray"
          title="Commands"
          aria-label="Commands"
          data-testid="commands"
          onClick={() => view.open("commands")}
        >
          <span className={styles.commands}>Commands</span>{" "}
          <kbd className={styles.keys}>{shownKeys("Mod+k").join(" ")}</kbd>
        </Button>
        <PanelToggle panel="palette" label="palette" />
        <PanelToggle panel="inspector" label="inspector" />
        <ThemeButton />
      </div>
    </header>
  );
}

function PanelToggle({ panel, label }: { panel: PanelName; label: string }) {
  const { layout } = useWorkbench();
  const open = useStore(layout, (state) => state.panels[panel].open);
  const text = `${open ? "Hide" : "Show"} the ${label}`;
  const Icon = panel === "palette" ? IconLayoutSidebar : IconLayoutSidebarRight;
  return (
    <ActionIcon
      aria-label={text}
      title={text}
      aria-pressed={open}
      data-testid={`toggle-${panel}`}
      onClick={() => layout.toggle(panel)}
    >
      <Icon size={17} stroke={1.6} />
    </ActionIcon>
  );
}
