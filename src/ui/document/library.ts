import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** What the library keeps of a document. The graph is its text, read again through the same door as a file. */
export interface StoredDocument {
  readonly id: string;
  /** Counts the saves; whoever saves says on which one he builds. */
  readonly revision: number;
  readonly name: string;
  readonly nodes: number;
  readonly modified: number;
  readonly text: string;
}

export type DocumentEntry = Omit<StoredDocument, "text">;

/** A data file of a document; it never leaves this machine. */
export interface StoredFile {
  readonly document: string;
  /** As the document's configuration names it. */
  readonly name: string;
  readonly blob: Blob;
}

export type SaveResult = { readonly kind: "saved"; readonly revision: number } | { readonly kind: "conflict" };

/** The documents of this browser. All methods reject with the browser's error when its storage fails. */
export interface Library {
  list(): Promise<DocumentEntry[]>;
  read(id: string): Promise<StoredDocument | undefined>;
  /** Saves on top of `base` (0: new); a document that somebody else saved meanwhile is left as it is. */
  save(document: Omit<StoredDocument, "revision">, base: number): Promise<SaveResult>;
  /** The document and its data files. */
  remove(id: string): Promise<void>;
  putFile(file: StoredFile): Promise<void>;
  file(document: string, name: string): Promise<Blob | undefined>;
  fileNames(document: string): Promise<string[]>;
  copyFiles(from: string, to: string): Promise<void>;
}

interface WeirDb extends DBSchema {
  documents: { key: string; value: StoredDocument };
  files: { key: [document: string, name: string]; value: StoredFile };
}

export async function openLibrary(name = "weir"): Promise<Library> {
  const db = await openDB<WeirDb>(name, 1, {
    upgrade: (fresh) => {
      fresh.createObjectStore("documents", { keyPath: "id" });
      fresh.createObjectStore("files", { keyPath: ["document", "name"] });
    },
    // A newer page wants to change the store: let it. This tab then reports that saving failed, and loses nothing.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  return libraryOf(db);
}

function libraryOf(db: IDBPDatabase<WeirDb>): Library {
  const filesOf = (document: string) => IDBKeyRange.bound([document], [document, []]);
  return {
    list: async () => {
      const all = await db.getAll("documents");
      return all
        .map(({ id, revision, name, nodes, modified }) => ({ id, revision, name, nodes, modified }))
        .sort((a, b) => b.modified - a.modified);
    },
    read: (id) => db.get("documents", id),
    save: async (document, base) => {
      const transaction = db.transaction("documents", "readwrite");
      const current = await transaction.store.get(document.id);
      const revision = current?.revision ?? 0;
      if (revision !== base) {
        await transaction.done;
        return { kind: "conflict" };
      }
      await Promise.all([transaction.store.put({ ...document, revision: revision + 1 }), transaction.done]);
      return { kind: "saved", revision: revision + 1 };
    },
    remove: async (id) => {
      const transaction = db.transaction(["documents", "files"], "readwrite");
      await Promise.all([
        transaction.objectStore("documents").delete(id),
        transaction.objectStore("files").delete(filesOf(id)),
        transaction.done,
      ]);
    },
    putFile: async (file) => {
      await db.put("files", file);
    },
    file: async (document, name) => (await db.get("files", [document, name]))?.blob,
    fileNames: async (document) => (await db.getAllKeys("files", filesOf(document))).map(([, name]) => name),
    copyFiles: async (from, to) => {
      const transaction = db.transaction("files", "readwrite");
      const files = await transaction.store.getAll(filesOf(from));
      await Promise.all([...files.map((file) => transaction.store.put({ ...file, document: to })), transaction.done]);
    },
  };
}
