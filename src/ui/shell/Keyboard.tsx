import { useLayoutEffect } from "react";
import { isBlank } from "../document/graph.ts";
import { commandFor, takesText } from "./commands.ts";
import { useCommands } from "./use-commands.ts";
import { useWorkbench } from "./workbench.ts";

const CONTROLS = 'button, a[href], summary, [role="tab"], [role="separator"], input, select';

/** Listens for the keys of all commands. */
export function Keyboard() {
  const commands = useCommands();
  const { document: graph } = useWorkbench();
  // Before the page is painted: no key that somebody presses on what he sees is lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      const nowhere = target === null || target === document.body;
      const command = commandFor(commands, event, {
        typing: takesText(target),
        dialog: target?.closest('[role="dialog"], [role="menu"], [role="listbox"]') != null,
        canvas: nowhere || target.closest('[data-region="canvas"]') !== null,
        control: target?.closest(CONTROLS) != null,
        // The empty canvas says that Tab adds a node.
        nothing: nowhere && !isBlank(graph.getState().graph),
      });
      if (command === undefined) return;
      event.preventDefault();
      command.run();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [commands, graph]);
  return null;
}
