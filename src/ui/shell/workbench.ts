import { createContext, useContext } from "react";
import type { AnalysisStore } from "../document/analysis.ts";
import type { DocumentStore } from "../document/document-store.ts";
import type { FileColumns } from "../document/file-columns.ts";
import type { Previews } from "../document/previews.ts";
import type { SelectionStore } from "../document/selection.ts";
import type { DocumentSession } from "../document/session.ts";
import type { Editor } from "../editor/editor.ts";
import type { LayoutStore } from "./layout-store.ts";
import type { ViewStore } from "./view-store.ts";

/** What the rooms of the page share. Made once, before anything is drawn. */
export interface Workbench {
  /** The graph that is open, and its history. */
  readonly document: DocumentStore;
  /** Where it is kept: the library of documents in this browser, files, links, other tabs. */
  readonly session: DocumentSession;
  /** Columns that are read from files. */
  readonly columns: FileColumns;
  /** First rows at places of the graph. */
  readonly previews: Previews;
  /** What the engine says about the graph: problems, and columns at every port. */
  readonly analysis: AnalysisStore;
  readonly selection: SelectionStore;
  readonly editor: Editor;
  readonly layout: LayoutStore;
  /** Which dialogs are open. */
  readonly view: ViewStore;
}

const WorkbenchContext = createContext<Workbench | undefined>(undefined);

export const WorkbenchProvider = WorkbenchContext.Provider;

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === undefined) throw new Error("the workbench is missing: wrap the page in WorkbenchProvider");
  return workbench;
}
