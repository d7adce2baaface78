import { useStore } from "zustand";
import { Dialog } from "../shared/Dialog.tsx";
import { groupBy } from "../shared/group-by.ts";
import { type Command, shownKeys } from "./commands.ts";
import styles from "./Help.module.css";
import { useCommands } from "./use-commands.ts";
import { useWorkbench } from "./workbench.ts";

/** Every key of the page, by group; made of the same list that the keys are read from. */
export function Help() {
  const { view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "help");
  const commands = useCommands().filter((command) => command.keys !== undefined);
  return (
    <Dialog opened={opened} onClose={view.close} title="Keyboard" size={760} testId="keyboard-help">
      <div className={styles.groups}>
        {groupBy(commands, (command) => command.group).map(([group, members]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {members.map((command) => (
                <KeyRow key={command.id} command={command} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function KeyRow({ command }: { command: Command }) {
  return (
    <div className={styles.row}>
      <dt>{command.title}</dt>
      <dd>
        {command.keys?.map((keys, index) => (
          <span key={keys}>
            {index > 0 && <span className={styles.or}>or</span>}
            {shownKeys(keys).map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  );
}
