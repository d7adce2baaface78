import { SoonAfter } from "../shared/SoonAfter.tsx";
import type { Part } from "../shell/parts.tsx";
import { ClipboardEvents } from "./ClipboardEvents.tsx";
import { EditorDialogs } from "./EditorDialogs.tsx";
import { editorCommands } from "./editor-commands.ts";

export const editorPart: Part = {
  id: "editor",
  commands: editorCommands,
  Background: () => (
    <>
      <ClipboardEvents />
      <SoonAfter>
        <EditorDialogs />
      </SoonAfter>
    </>
  ),
};
