import { lazy, Suspense, useState } from "react";
import { useStore } from "zustand";
import { SoonAfter } from "../shared/SoonAfter.tsx";
import { CommandList } from "./CommandList.tsx";
import type { Command } from "./commands.ts";
import { DropTarget } from "./DropTarget.tsx";
import { ElsewhereNotice } from "./ElsewhereNotice.tsx";
import { chooseAndOpen, newGraph, saveToFile } from "./file-actions.ts";
import { Help } from "./Help.tsx";
import { Keyboard } from "./Keyboard.tsx";
import type { PanelName } from "./layout-store.ts";
import type { Part } from "./parts.tsx";
import { RefusedDialog } from "./RefusedDialog.tsx";
import { goToRegion } from "./regions.ts";
import { useWorkbench, type Workbench } from "./workbench.ts";

const Gallery = lazy(() => import("./Gallery.tsx").then((module) => ({ default: module.Gallery })));
const ShareDialog = lazy(() => import("./ShareDialog.tsx").then((module) => ({ default: module.ShareDialog })));
const DocumentsDialog = lazy(() =>
  import("./DocumentsDialog.tsx").then((module) => ({ default: module.DocumentsDialog })),
);

export const shellPart: Part = { id: "shell", commands: shellCommands, Background, CanvasOverlay: ElsewhereNotice };

function Background() {
  return (
    <>
      <Keyboard />
      <DropTarget />
      <SoonAfter>
        <CommandList />
        <Help />
        <RefusedDialog />
        <LazyDialogs />
      </SoonAfter>
    </>
  );
}

/** Dialogs whose code is loaded when they are first opened. */
function LazyDialogs() {
  const { view } = useWorkbench();
  const dialog = useStore(view, (state) => state.dialog);
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  if (dialog !== undefined && !asked.has(dialog)) setAsked(new Set([...asked, dialog]));
  return (
    <Suspense>
      {asked.has("examples") && <Gallery />}
      {asked.has("share") && <ShareDialog />}
      {asked.has("documents") && <DocumentsDialog />}
    </Suspense>
  );
}

function shellCommands(workbench: Workbench): Command[] {
  const { document, session, view, layout, editor } = workbench;
  const panel = (name: PanelName, title: string, keys: string): Command => ({
    id: `toggle-${name}`,
    title: `Show or hide ${title}`,
    group: "Panels",
    keys: [keys],
    run: () => layout.toggle(name),
  });
  return [
    {
      id: "commands",
      title: "Search commands",
      group: "Help",
      keys: ["Mod+k"],
      whileTyping: true,
      helpOnly: true,
      run: () => view.open("commands"),
    },
    { id: "help", title: "Show all keys", group: "Help", keys: ["?"], run: () => view.open("help") },
    { id: "new", title: "New graph", group: "Graph", run: () => void newGraph(workbench) },
    {
      id: "open",
      title: "Open a graph or data",
      group: "Graph",
      keys: ["Mod+o"],
      whileTyping: true,
      run: () => chooseAndOpen(workbench),
    },
    {
      id: "save",
      title: "Save as a file",
      group: "Graph",
      keys: ["Mod+s"],
      whileTyping: true,
      run: () => saveToFile(workbench),
    },
    { id: "share", title: "Share a link", group: "Graph", run: () => view.open("share") },
    { id: "copy-graph", title: "Make a copy of the graph", group: "Graph", run: () => void session.duplicate() },
    { id: "examples", title: "Examples", group: "Graph", run: () => view.open("examples") },
    { id: "documents", title: "All graphs in this browser", group: "Graph", run: () => view.open("documents") },
    {
      id: "settings",
      title: "Settings of the graph",
      group: "Graph",
      enabled: () => !document.getState().readOnly,
      run: () => showSettings(workbench),
    },
    panel("palette", "the palette", "Mod+b"),
    panel("drawer", "the drawer", "Mod+j"),
    panel("inspector", "the inspector", "Mod+i"),
    {
      id: "problems",
      title: "Show the problems",
      group: "Panels",
      keys: ["Mod+Shift+m"],
      run: () => layout.showDrawer("problems"),
    },
    {
      id: "next-region",
      title: "Go to the next part of the page",
      group: "Panels",
      keys: ["F6"],
      whileTyping: true,
      helpOnly: true,
      run: () => goToRegion(1, editor),
    },
    {
      id: "last-region",
      title: "Go to the part before",
      group: "Panels",
      keys: ["Shift+F6"],
      whileTyping: true,
      helpOnly: true,
      run: () => goToRegion(-1, editor),
    },
  ];
}

function showSettings({ selection, layout }: Workbench): void {
  selection.clear();
  layout.showInspector("settings");
}
