import { createStore, type StoreApi } from "zustand/vanilla";
import { recall, remember } from "../shared/remembered.ts";

export type PanelName = "palette" | "inspector" | "drawer";

export interface PanelState {
  readonly open: boolean;
  /** Width of a side panel, height of the drawer, in CSS pixels. */
  readonly size: number;
}

export interface PanelLimits {
  readonly min: number;
  readonly max: number;
  readonly initial: number;
}

export const PANEL_LIMITS: Readonly<Record<PanelName, PanelLimits>> = {
  palette: { min: 160, max: 320, initial: 196 },
  inspector: { min: 260, max: 600, initial: 336 },
  drawer: { min: 120, max: 520, initial: 236 },
};

export interface LayoutState {
  readonly panels: Readonly<Record<PanelName, PanelState>>;
  readonly drawerTab: string;
  readonly inspectorTab: string;
}

export interface LayoutStore extends StoreApi<LayoutState> {
  toggle(panel: PanelName, open?: boolean): void;
  resize(panel: PanelName, size: number): void;
  /** Opens the drawer at the tab. */
  showDrawer(tab: string): void;
  /** Opens the inspector at the tab. */
  showInspector(tab: string): void;
}

const KEY = "layout";

/** Where the panels stand; remembered from visit to visit. */
export function createLayoutStore(): LayoutStore {
  const store = createStore<LayoutState>(() => recall(KEY, initialLayout(), isLayout));
  store.subscribe((state) => remember(KEY, state));

  const change = (panel: PanelName, next: Partial<PanelState>) =>
    store.setState((state) => ({ panels: { ...state.panels, [panel]: { ...state.panels[panel], ...next } } }));

  return Object.assign(store, {
    toggle: (panel: PanelName, open?: boolean) => change(panel, { open: open ?? !store.getState().panels[panel].open }),
    resize: (panel: PanelName, size: number) => change(panel, { size: clampSize(panel, size) }),
    showDrawer: (drawerTab: string) => {
      store.setState({ drawerTab });
      change("drawer", { open: true });
    },
    showInspector: (inspectorTab: string) => {
      store.setState({ inspectorTab });
      change("inspector", { open: true });
    },
  });
}

export function clampSize(panel: PanelName, size: number): number {
  const { min, max } = PANEL_LIMITS[panel];
  return Math.round(Math.min(max, Math.max(min, size)));
}

function initialLayout(): LayoutState {
  const panel = (name: PanelName, open: boolean): PanelState => ({ open, size: PANEL_LIMITS[name].initial });
  return {
    panels: { palette: panel("palette", true), inspector: panel("inspector", true), drawer: panel("drawer", false) },
    drawerTab: "problems",
    inspectorTab: "config",
  };
}

function isLayout(value: unknown): value is LayoutState {
  if (typeof value !== "object" || value === null) return false;
  const { panels, drawerTab, inspectorTab } = value as Record<string, unknown>;
  if (typeof drawerTab !== "string" || typeof inspectorTab !== "string") return false;
  if (typeof panels !== "object" || panels === null) return false;
  return Object.keys(PANEL_LIMITS).every((name) =>
    isPanel(name as PanelName, (panels as Record<string, unknown>)[name]),
  );
}

function isPanel(name: PanelName, value: unknown): value is PanelState {
  if (typeof value !== "object" || value === null) return false;
  const { open, size } = value as Record<string, unknown>;
  return typeof open === "boolean" && typeof size === "number" && clampSize(name, size) === size;
}
