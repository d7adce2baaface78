import { useEffect } from "react";
import { fragmentText, readFragment } from "../document/clipboard.ts";
import { takesText } from "../shell/commands.ts";
import { useWorkbench } from "../shell/workbench.ts";

/** Copy, cut and paste as the browser reports them, whatever keys or menus they come from. Text fields keep theirs. */
export function ClipboardEvents() {
  const { document: graphDocument, editor } = useWorkbench();
  useEffect(() => {
    const mine = (event: ClipboardEvent) =>
      !takesText(event.target) &&
      !(event.target instanceof Element && event.target.closest('[role="dialog"]') !== null);
    const copy = (event: ClipboardEvent) => {
      if (!mine(event) || window.getSelection()?.isCollapsed === false) return false;
      const fragment = editor.copied();
      if (fragment === undefined) return false;
      event.clipboardData?.setData("text/plain", fragmentText(fragment));
      event.preventDefault();
      return true;
    };
    const cut = (event: ClipboardEvent) => {
      if (!graphDocument.getState().readOnly && copy(event)) editor.deleteSelected();
    };
    const paste = (event: ClipboardEvent) => {
      if (!mine(event) || graphDocument.getState().readOnly) return;
      const fragment = readFragment(event.clipboardData?.getData("text/plain") ?? "");
      if (fragment === undefined) return;
      event.preventDefault();
      editor.paste(fragment);
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", cut);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", cut);
      document.removeEventListener("paste", paste);
    };
  }, [graphDocument, editor]);
  return null;
}
