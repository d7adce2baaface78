import { useLayoutEffect } from "react";
import { commandFor, takesText } from "./commands.ts";
import { useCommands } from "./use-commands.ts";

/** Listens for the keys of all commands. */
export function Keyboard() {
  const commands = useCommands();
  // Before the page is painted: no key that somebody presses on what he sees is lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      const command = commandFor(commands, event, {
        typing: takesText(target),
        dialog: target?.closest('[role="dialog"], [role="menu"], [role="listbox"]') != null,
        canvas: target === null || target === document.body || target.closest('[data-region="canvas"]') !== null,
      });
      if (command === undefined) return;
      event.preventDefault();
      command.run();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [commands]);
  return null;
}
