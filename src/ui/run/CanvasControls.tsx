import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import styles from "./CanvasControls.module.css";
import { useRunController, useRunPage } from "./run-context.ts";
import type { RunView } from "./run-controller.ts";

const VIEWS: readonly { readonly view: RunView; readonly title: string; readonly meaning: string }[] = [
  { view: "logical", title: "Logical", meaning: "the graph as it was drawn" },
  { view: "tasks", title: "Tasks", meaning: "every task and every ring between tasks" },
];

const PACES = [0, 20, 50, 100, 250, 500, 1000] as const;

const paceText = (ms: number): string => (ms === 0 ? "off" : `${ms} ms a message`);

/** At the upper left of the canvas: how a run is shown, and how slowly it goes. */
export function CanvasControls() {
  const controller = useRunController();
  const view = useRunPage((state) => state.view);
  return (
    <>
      <div className={styles.views} role="toolbar" aria-label="View of a run">
        {VIEWS.map((each) => (
          <button
            key={each.view}
            type="button"
            className={styles.chip}
            aria-pressed={each.view === view}
            title={each.meaning}
            data-testid={`view-${each.view}`}
            onClick={() => controller.setView(each.view)}
          >
            {each.title}
          </button>
        ))}
      </div>
      <SlowMotion />
    </>
  );
}

function SlowMotion() {
  const controller = useRunController();
  const ms = useRunPage((state) => state.slowMotionMs);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={`${styles.chip} ${styles.pace}`}
          data-on={ms > 0}
          data-testid="slow-motion"
          title="A pause after each message, so that the eye can follow. Rates and times are those of the slowed run."
        >
          slow motion {paceText(ms)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {PACES.map((pace) => (
          <Menu.Item
            key={pace}
            data-testid={`slow-motion-${pace}`}
            rightSection={pace === ms ? <IconCheck size={14} /> : undefined}
            onClick={() => controller.setSlowMotion(pace)}
          >
            {pace === 0 ? "Off: as fast as it goes" : `${paceText(pace)}`}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
