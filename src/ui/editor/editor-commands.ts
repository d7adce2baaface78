import { fragmentText, readFragment } from "../document/clipboard.ts";
import { nodeOf } from "../document/graph.ts";
import { countOf, singleOf } from "../document/selection.ts";
import type { Command } from "../shell/commands.ts";
import { tell } from "../shell/notify.ts";
import type { Workbench } from "../shell/workbench.ts";
import { neighbour } from "./neighbour.ts";
import { tidy } from "./tidy.ts";

/** What the editor can be told to do. */
export function editorCommands(workbench: Workbench): Command[] {
  return [
    ...historyCommands(workbench),
    ...selectionCommands(workbench),
    ...canvasCommands(workbench),
    ...moveCommands(workbench),
  ];
}

function historyCommands({ document }: Workbench): Command[] {
  const can = (list: "past" | "future") => () =>
    !document.getState().readOnly && document.getState().history[list].length > 0;
  return [
    {
      id: "undo",
      title: "Undo",
      group: "Edit",
      keys: ["Mod+z"],
      whileTyping: true,
      enabled: can("past"),
      run: document.undo,
    },
    {
      id: "redo",
      title: "Redo",
      group: "Edit",
      keys: ["Mod+Shift+z", "Mod+y"],
      whileTyping: true,
      enabled: can("future"),
      run: document.redo,
    },
  ];
}

function selectionCommands({ document, editor, selection }: Workbench): Command[] {
  const some = () => countOf(selection.getState()) > 0;
  const editable = () => some() && !document.getState().readOnly;
  const oneNode = () => singleOf(selection.getState())?.kind === "node";
  const copy = async () => {
    const fragment = editor.copied();
    if (fragment !== undefined) await navigator.clipboard.writeText(fragmentText(fragment));
  };
  const paste = async () => {
    const fragment = readFragment(await navigator.clipboard.readText());
    if (fragment === undefined) tell("There is no part of a graph on the clipboard");
    else editor.paste(fragment);
  };
  const refused = () => tell("The browser does not give access to the clipboard; use the keys instead", "warning");
  return [
    { id: "copy", title: "Copy", group: "Edit", enabled: some, run: () => void copy().catch(refused) },
    {
      id: "cut",
      title: "Cut",
      group: "Edit",
      enabled: editable,
      run: () => void copy().then(() => editor.deleteSelected(), refused),
    },
    {
      id: "paste",
      title: "Paste",
      group: "Edit",
      enabled: () => !document.getState().readOnly,
      run: () => void paste().catch(refused),
    },
    // The clipboard's own keys arrive as events of the browser (ClipboardEvents); here they are only named.
    {
      id: "copy-keys",
      title: "Copy, cut, paste",
      group: "Edit",
      keys: ["Mod+c", "Mod+x", "Mod+v"],
      helpOnly: true,
      enabled: () => false,
      run: () => {},
    },
    {
      id: "duplicate",
      title: "Duplicate",
      group: "Edit",
      keys: ["Mod+d"],
      enabled: editable,
      run: () => editor.duplicate(),
    },
    {
      id: "delete",
      title: "Delete",
      group: "Edit",
      keys: ["Delete", "Backspace"],
      where: "canvas",
      enabled: editable,
      run: () => editor.deleteSelected(),
    },
    {
      id: "select-all",
      title: "Select everything",
      group: "Edit",
      keys: ["Mod+a"],
      where: "canvas",
      run: () => editor.selectAll(),
    },
    {
      id: "select-none",
      title: "Select nothing",
      group: "Edit",
      keys: ["Escape"],
      where: "canvas",
      enabled: some,
      run: () => selection.clear(),
    },
    {
      id: "rename",
      title: "Rename the node",
      group: "Edit",
      keys: ["F2"],
      enabled: () => oneNode() && editable(),
      run: () => editor.state.setState({ renaming: singleOf(selection.getState())?.id }),
    },
  ];
}

function canvasCommands(workbench: Workbench): Command[] {
  const { document, editor, selection, layout, view } = workbench;
  const editable = () => !document.getState().readOnly;
  const single = () => singleOf(selection.getState());
  return [
    {
      id: "add-node",
      title: "Add a node",
      group: "Canvas",
      keys: ["Tab"],
      where: "canvas",
      enabled: editable,
      run: () => editor.state.setState({ adding: { at: undefined, from: undefined } }),
    },
    {
      id: "connect",
      title: "Connect the selected node to …",
      group: "Canvas",
      keys: ["c"],
      where: "canvas",
      enabled: () => editable() && single()?.kind === "node",
      run: () => editor.state.setState({ connecting: single()?.id }),
    },
    {
      id: "edit",
      title: "Edit what is selected",
      group: "Canvas",
      keys: ["Enter"],
      where: "canvas",
      enabled: () => single() !== undefined,
      run: () => {
        const { kind, id } = single() ?? {};
        if (kind === "note") editor.state.setState({ editingNote: id });
        else if (kind === "edge") layout.showInspector("edge");
        else if (id !== undefined) {
          layout.showInspector("config");
          view.setState({ focus: { node: id, field: "config" } });
        }
        if (kind !== "note") setTimeout(() => focusInspector());
      },
    },
    {
      id: "add-note",
      title: "Add a note",
      group: "Canvas",
      keys: ["n"],
      where: "canvas",
      enabled: editable,
      run: () => editor.addNote(),
    },
    {
      id: "find",
      title: "Find a node",
      group: "Canvas",
      keys: ["Mod+f"],
      whileTyping: true,
      run: () => view.open("find"),
    },
    {
      id: "tidy",
      title: "Tidy: lay the graph out",
      group: "Canvas",
      keys: ["Shift+l"],
      where: "canvas",
      enabled: () => editable() && document.getState().graph.nodes.length > 0,
      run: () => void tidy(workbench),
    },
    { id: "fit", title: "Fit the graph", group: "Canvas", keys: ["f"], where: "canvas", run: () => editor.view?.fit() },
    {
      id: "zoom-in",
      title: "Zoom in",
      group: "Canvas",
      keys: ["+", "="],
      where: "canvas",
      run: () => editor.view?.zoom("in"),
    },
    {
      id: "zoom-out",
      title: "Zoom out",
      group: "Canvas",
      keys: ["-"],
      where: "canvas",
      run: () => editor.view?.zoom("out"),
    },
  ];
}

function focusInspector(): void {
  const panel = document.querySelector("#inspector-panel");
  if (panel?.contains(document.activeElement) === true) return;
  panel?.querySelector<HTMLElement>("input, textarea, button, [role=combobox]")?.focus();
}

const ARROWS = [
  { key: "ArrowLeft", dx: -1, dy: 0 },
  { key: "ArrowRight", dx: 1, dy: 0 },
  { key: "ArrowUp", dx: 0, dy: -1 },
  { key: "ArrowDown", dx: 0, dy: 1 },
] as const;

const STEP = 10;

/** The arrows move what is selected; with Alt they go from node to node. */
function moveCommands({ document, editor, selection }: Workbench): Command[] {
  const movable = () => {
    const { nodes, notes } = selection.getState();
    return nodes.size + notes.size > 0 && !document.getState().readOnly;
  };
  const go = (dx: number, dy: number) => {
    const { graph } = document.getState();
    const [id] = selection.getState().nodes;
    const next = neighbour(graph, id === undefined ? undefined : nodeOf(graph, id), dx, dy);
    if (next !== undefined) editor.goTo({ nodes: new Set([next]) });
  };
  return ARROWS.flatMap(({ key, dx, dy }): Command[] => [
    {
      id: `nudge-${key}`,
      title: `Move ${key.slice(5).toLowerCase()}`,
      group: "Canvas",
      keys: [key],
      where: "canvas",
      helpOnly: true,
      enabled: movable,
      run: () => editor.nudge(dx * STEP, dy * STEP),
    },
    {
      id: `go-${key}`,
      title: `Node to the ${{ ArrowLeft: "left", ArrowRight: "right", ArrowUp: "top", ArrowDown: "bottom" }[key]}`,
      group: "Canvas",
      keys: [`Alt+${key}`],
      where: "canvas",
      helpOnly: true,
      run: () => go(dx, dy),
    },
  ]);
}
