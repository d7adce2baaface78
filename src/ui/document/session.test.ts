import { describe, expect, test } from "vitest";
import { serializeDocument } from "../../engine/index.ts";
import { createDocumentStore } from "./document-store.ts";
import { leaveRescue } from "./emergency.ts";
import { emptyGraph, type GraphDocument } from "./graph.ts";
import { addNode, newNode } from "./graph-edits.ts";
import type { Library } from "./library.ts";
import { createMemoryLibrary } from "./memory-library.ts";
import { DocumentSession, type SessionNotice } from "./session.ts";
import type { LockLoss, WriterLocks } from "./writer-lock.ts";

/** Locks of one browser, held by several tabs. */
function sharedLocks() {
  const holders = new Map<string, (loss: LockLoss) => Promise<void>>();
  const hold = (id: string, onLost: (loss: LockLoss) => Promise<void>) => {
    holders.set(id, onLost);
    return { release: () => void (holders.get(id) === onLost && holders.delete(id)) };
  };
  const locks: WriterLocks = {
    acquire: async (id, onLost) => (holders.has(id) ? undefined : hold(id, onLost)),
    takeOver: async (id, onLost) => {
      await holders.get(id)?.("asked");
      return hold(id, onLost);
    },
  };
  /** What happens to a tab that slept while another took its lock by force. */
  const steal = async (id: string, onLost: (loss: LockLoss) => Promise<void> = async () => {}) => {
    const before = holders.get(id);
    hold(id, onLost);
    await before?.("stolen");
  };
  return { locks, steal };
}

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}

interface Browser {
  readonly library: Library;
  readonly local: Storage;
  readonly locks: WriterLocks | undefined;
  ids: number;
}

const browser = (locks: WriterLocks | "no locks" = sharedLocks().locks): Browser => ({
  library: createMemoryLibrary(),
  local: memoryStorage(),
  locks: locks === "no locks" ? undefined : locks,
  ids: 0,
});

/** A tab; `tick` lets its timers run out and its saves finish. */
function openTab(of: Browser, tab: Storage = memoryStorage()) {
  const timers = new Set<() => void>();
  const notices: SessionNotice[] = [];
  const document = createDocumentStore("", emptyGraph());
  const session = new DocumentSession(document, {
    library: of.library,
    keeps: true,
    locks: of.locks,
    local: of.local,
    tab,
    newId: () => `d${++of.ids}`,
    now: () => of.ids,
    later: (run) => {
      timers.add(run);
      return () => void timers.delete(run);
    },
    notify: (notice) => void notices.push(notice),
  });
  const tick = async () => {
    for (const run of [...timers]) {
      timers.delete(run);
      run();
    }
    await session.flush();
  };
  const add = (id: string) =>
    document.edit(`add ${id}`, (graph) => addNode(graph, { ...newNode(graph, "union", { x: 0, y: 0 }), id }));
  const ids = () => document.getState().graph.nodes.map((node) => node.id);
  return { document, session, notices, tick, add, ids, tab };
}

const graphWith = (...ids: string[]): GraphDocument =>
  ids.reduce((graph, id) => addNode(graph, { ...newNode(graph, "union", { x: 0, y: 0 }), id }), emptyGraph("mine"));

describe("keeping work", () => {
  test("a document that was changed is there after a reload of its tab", async () => {
    const world = browser();
    const before = openTab(world);
    await before.session.start();
    before.add("a");
    await before.tick();
    before.document.load("", emptyGraph());
    const after = openTab({ ...world, locks: sharedLocks().locks }, before.tab);
    await after.session.start();
    expect(after.ids()).toEqual(["a"]);
    expect(after.document.getState().history.past).toEqual([]);
  });

  test("an empty graph that nobody touched is not kept", async () => {
    const world = browser();
    const tab = openTab(world);
    await tab.session.start();
    await tab.tick();
    expect(await world.library.list()).toEqual([]);
  });

  test("a new tab opens the last document, unless another tab has it", async () => {
    const world = browser();
    const first = openTab(world);
    await first.session.start();
    first.add("a");
    await first.tick();
    const second = openTab(world);
    await second.session.start();
    expect(second.ids()).toEqual([]);
    expect(second.session.store.getState().elsewhere).toBe(false);
  });

  test("what was not saved when the page went away is brought back", async () => {
    const world = browser("no locks");
    const before = openTab(world);
    await before.session.openGraph(graphWith("a"));
    await before.tick();
    const { id } = before.document.getState();
    leaveRescue(world.local, { id, follows: [1], text: serializeDocument(graphWith("a", "b")) });
    const after = openTab(world, before.tab);
    await after.session.start();
    expect(after.ids()).toEqual(["a", "b"]);
    expect(after.notices).toEqual([{ kind: "rescued", name: "mine" }]);
    await after.tick();
    const again = openTab(world, before.tab);
    await again.session.start();
    expect(again.ids()).toEqual(["a", "b"]);
  });

  test("what was left behind is dropped when the document has moved on meanwhile", async () => {
    const world = browser("no locks");
    const before = openTab(world);
    await before.session.openGraph(graphWith("a"));
    await before.tick();
    before.add("c");
    await before.tick();
    const { id } = before.document.getState();
    leaveRescue(world.local, { id, follows: [1], text: serializeDocument(graphWith("a", "b")) });
    const after = openTab(world, before.tab);
    await after.session.start();
    expect(after.ids()).toEqual(["a", "c"]);
  });

  test("a page that goes away leaves behind exactly what is not in the library", async () => {
    const world = browser("no locks");
    const tab = openTab(world);
    await tab.session.openGraph(graphWith("a"));
    await tab.tick();
    tab.session.leave();
    expect(world.local.getItem("weir:unsaved:d1")).toBeNull();
    tab.add("b");
    tab.session.leave();
    expect(JSON.parse(world.local.getItem("weir:unsaved:d1") ?? "{}")).toMatchObject({ id: "d1", follows: [1] });
  });

  test("a stored document that cannot be read is kept and not opened", async () => {
    const world = browser();
    await world.library.save({ id: "x", name: "from the future", nodes: 1, modified: 0, text: "{}" }, 0);
    const tab = openTab(world);
    expect(await tab.session.openStored("x")).toBe(false);
    expect(tab.notices).toEqual([{ kind: "unreadable", name: "from the future" }]);
    expect((await world.library.read("x"))?.text).toBe("{}");
  });

  test("a save that fails is told, and the next one tries again", async () => {
    const world = browser();
    const { library } = world;
    let broken = true;
    const tab = openTab({
      ...world,
      library: { ...library, save: (...args) => (broken ? Promise.reject(new Error("full")) : library.save(...args)) },
    });
    await tab.session.openGraph(graphWith("a"));
    await tab.tick();
    expect(tab.session.store.getState().save).toEqual({ kind: "failed", message: "full" });
    broken = false;
    tab.add("b");
    await tab.tick();
    expect(tab.session.store.getState().save).toEqual({ kind: "saved" });
  });
});

describe("two tabs on one document", () => {
  async function twoTabs() {
    const shared = sharedLocks();
    const world = browser(shared.locks);
    const first = openTab(world);
    await first.session.openGraph(graphWith("a"));
    await first.tick();
    const second = openTab(world);
    await second.session.openStored("d1");
    return { world, first, second, steal: shared.steal };
  }

  test("the second is read-only and told so", async () => {
    const { second } = await twoTabs();
    expect(second.session.store.getState().elsewhere).toBe(true);
    expect(second.add("b")).toBe(false);
    expect(second.ids()).toEqual(["a"]);
  });

  test("taking over saves what the first had not saved, and leaves it read-only", async () => {
    const { first, second } = await twoTabs();
    first.add("b");
    await second.session.takeOver();
    expect(second.ids()).toEqual(["a", "b"]);
    expect(second.add("c")).toBe(true);
    expect(first.add("d")).toBe(false);
    expect(first.session.store.getState().elsewhere).toBe(true);
  });

  test("working on a copy leaves the first alone", async () => {
    const { world, first, second } = await twoTabs();
    await second.session.duplicate();
    second.add("b");
    await second.tick();
    first.add("c");
    await first.tick();
    expect(second.document.getState().graph.name).toBe("mine (copy)");
    expect((await world.library.list()).map((entry) => entry.nodes)).toEqual([2, 2]);
    expect(first.ids()).toEqual(["a", "c"]);
  });

  test("a tab whose lock was taken by force keeps its unsaved work as a copy, with its history", async () => {
    const { world, first, steal } = await twoTabs();
    first.add("b");
    await steal("d1");
    expect(first.notices).toEqual([{ kind: "kept-as-copy", name: "mine (copy)" }]);
    expect(first.document.getState().id).not.toBe("d1");
    expect(first.document.getState().history.past).toHaveLength(1);
    await first.tick();
    const stored = await world.library.read(first.document.getState().id);
    expect(stored?.nodes).toBe(2);
    expect((await world.library.read("d1"))?.nodes).toBe(1);
  });

  test("without locks, a save over somebody else's becomes a copy", async () => {
    const world = browser("no locks");
    const first = openTab(world);
    await first.session.openGraph(graphWith("a"));
    await first.tick();
    const second = openTab(world);
    await second.session.openStored("d1");
    first.add("b");
    await first.tick();
    second.add("c");
    await second.tick();
    await second.tick();
    expect(second.notices).toEqual([{ kind: "kept-as-copy", name: "mine (copy)" }]);
    expect((await world.library.read("d1"))?.nodes).toBe(2);
    expect(second.ids()).toEqual(["a", "c"]);
  });

  test("data files go along with a copy", async () => {
    const { world, first, second } = await twoTabs();
    await first.session.putFile("large.csv", new Blob(["a"]));
    await second.session.duplicate();
    expect(await (await second.session.file("large.csv"))?.text()).toBe("a");
    await second.session.remove(second.document.getState().id);
    expect(await world.library.fileNames("d1")).toEqual(["large.csv"]);
  });

  test("whoever waits for the graph that is being opened finds it there, with its files", async () => {
    const tab = openTab(browser());
    let arrive: (files: ReadonlyMap<string, Blob>) => void = () => {};
    const files = new Promise<ReadonlyMap<string, Blob>>((resolve) => {
      arrive = resolve;
    });
    void tab.session.openGraph(graphWith("a"), files);
    const found = tab.session.opened().then(() => tab.ids());
    expect(tab.ids()).toEqual([]);
    arrive(new Map([["a.csv", new Blob(["x"])]]));
    expect(await found).toEqual(["a"]);
    expect(await (await tab.session.file("a.csv"))?.text()).toBe("x");
  });
});
