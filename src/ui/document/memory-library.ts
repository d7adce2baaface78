import type { Library, StoredDocument, StoredFile } from "./library.ts";

/** Stands in where the browser keeps nothing: everything works, and is gone with the page. */
export function createMemoryLibrary(): Library {
  const documents = new Map<string, StoredDocument>();
  const files = new Map<string, StoredFile>();
  const key = (document: string, name: string) => JSON.stringify([document, name]);
  const filesOf = (document: string) => [...files.values()].filter((file) => file.document === document);
  return {
    list: async () => [...documents.values()].sort((a, b) => b.modified - a.modified),
    read: async (id) => documents.get(id),
    save: async (document, base) => {
      const revision = documents.get(document.id)?.revision ?? 0;
      if (revision !== base) return { kind: "conflict" };
      documents.set(document.id, { ...document, revision: revision + 1 });
      return { kind: "saved", revision: revision + 1 };
    },
    remove: async (id) => {
      documents.delete(id);
      for (const file of filesOf(id)) files.delete(key(id, file.name));
    },
    putFile: async (file) => void files.set(key(file.document, file.name), file),
    file: async (document, name) => files.get(key(document, name))?.blob,
    fileNames: async (document) => filesOf(document).map((file) => file.name),
    copyFiles: async (from, to) => {
      for (const file of filesOf(from)) files.set(key(to, file.name), { ...file, document: to });
    },
  };
}
