import { createAnalysisStore } from "../document/analysis.ts";
import { createDocumentStore } from "../document/document-store.ts";
import { FileColumns } from "../document/file-columns.ts";
import { emptyGraph } from "../document/graph.ts";
import { type Library, openLibrary } from "../document/library.ts";
import { createMemoryLibrary } from "../document/memory-library.ts";
import { Previews } from "../document/previews.ts";
import { createSelectionStore } from "../document/selection.ts";
import { DocumentSession, type SessionNotice } from "../document/session.ts";
import { textOfShareHash } from "../document/share-link.ts";
import { createWriterLocks, type WriterLocks } from "../document/writer-lock.ts";
import { Editor } from "../editor/editor.ts";
import type { Address } from "./address.ts";
import { openAddress, openText } from "./file-actions.ts";
import { createLayoutStore } from "./layout-store.ts";
import { tell } from "./notify.ts";
import { createViewStore } from "./view-store.ts";
import type { Workbench } from "./workbench.ts";

const AUTOSAVE_MS = 350;
const PATIENCE_MS = 4000;

export async function createWorkbench(address: Address): Promise<Workbench> {
  const document = createDocumentStore("", emptyGraph());
  const analysis = createAnalysisStore(document);
  const selection = createSelectionStore();
  // An embedded graph is somebody else's picture: it is not kept.
  const library = address.embed ? undefined : await openLibraryInTime();
  const session = new DocumentSession(document, {
    library: library ?? createMemoryLibrary(),
    keeps: library !== undefined,
    locks: library && writerLocks(),
    local: storage(() => localStorage, library),
    tab: storage(() => sessionStorage, library),
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
    later: (run) => {
      const timer = setTimeout(run, AUTOSAVE_MS);
      return () => clearTimeout(timer);
    },
    notify: tellNotice,
  });
  addEventListener("pagehide", () => session.leave());
  globalThis.document.addEventListener("visibilitychange", () => {
    if (globalThis.document.visibilityState === "hidden") session.leave();
  });
  const editor = new Editor({ document, analysis, selection, refuse: (reason) => tell(reason, "warning") });
  return {
    document,
    session,
    columns: new FileColumns(document, session, analysis),
    previews: new Previews(document, session),
    analysis,
    selection,
    editor,
    layout: createLayoutStore(),
    view: createViewStore(address.embed),
  };
}

/** The graph that the address asks for, else the one that was open last. */
export async function openFirst(workbench: Workbench, address: Address): Promise<void> {
  await workbench.session.start();
  if (address.share !== undefined) {
    // Once it is opened the graph lives here; a reload shall not open the link's graph again over it.
    history.replaceState(null, "", location.pathname + location.search);
    await openShared(workbench, address.share);
  } else if (address.graph !== undefined) await openAddress(workbench, address.graph);
}

async function openShared(workbench: Workbench, hash: string): Promise<void> {
  let text: string;
  try {
    text = textOfShareHash(hash);
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), "warning");
    return;
  }
  await openText(workbench, text, "The shared graph");
}

/** The page does not wait for ever for a storage that does not answer; it then works without. */
async function openLibraryInTime(): Promise<Library | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  return Promise.race([openLibrary(), late]).catch(() => undefined);
}

function writerLocks(): WriterLocks | undefined {
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") return undefined;
  return createWriterLocks(navigator.locks, new BroadcastChannel("weir:documents"));
}

function storage(of: () => Storage, library: Library | undefined): Storage | undefined {
  try {
    return library && of();
  } catch {
    return undefined;
  }
}

function tellNotice({ kind, name }: SessionNotice): void {
  const text: Record<SessionNotice["kind"], string> = {
    "kept-as-copy": `Another tab changed this graph meanwhile. What was done here goes on as “${name}”.`,
    unreadable: `“${name}” cannot be read by this version of Weir. It is kept as it is.`,
    rescued: `The last changes to “${name}” were brought back.`,
  };
  tell(text[kind], kind === "rescued" ? "info" : "warning");
}
