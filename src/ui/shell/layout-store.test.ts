import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLayoutStore, PANEL_LIMITS } from "./layout-store.ts";

let items: Map<string, string>;

beforeEach(() => {
  items = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("panels stand where they were left", () => {
  const before = createLayoutStore();
  before.toggle("palette");
  before.resize("drawer", 300);
  before.showInspector("schema");
  const after = createLayoutStore().getState();
  expect(after.panels.palette.open).toBe(false);
  expect(after.panels.drawer.size).toBe(300);
  expect(after.inspectorTab).toBe("schema");
});

test("a panel stays within its limits", () => {
  const layout = createLayoutStore();
  layout.resize("inspector", 9999);
  expect(layout.getState().panels.inspector.size).toBe(PANEL_LIMITS.inspector.max);
});

test.each(["{", "null", '{"panels":{}}', '{"panels":{"palette":{"open":1}},"drawerTab":"x","inspectorTab":"y"}'])(
  "remembered nonsense is forgotten: %s",
  (text) => {
    items.set("weir:layout", text);
    expect(createLayoutStore().getState().panels.palette).toEqual({ open: true, size: PANEL_LIMITS.palette.initial });
  },
);

test("without storage the page works and forgets", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("forbidden");
    },
    setItem: () => {
      throw new Error("full");
    },
  });
  const layout = createLayoutStore();
  layout.toggle("drawer");
  expect(layout.getState().panels.drawer.open).toBe(true);
});
