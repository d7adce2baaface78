import type { ComponentType } from "react";
import { createContext, useContext } from "react";
import type { Command } from "./commands.ts";
import type { Workbench } from "./workbench.ts";

/** What the inspector is about. */
export type InspectorSubject = "graph" | "node" | "edge" | "note" | "many";

export interface DrawerTab {
  readonly id: string;
  readonly title: string;
  /** Stands beside the title: a count, a mark. */
  readonly Badge?: ComponentType;
  /** At the right end of the row of tabs while this one is open. */
  readonly Actions?: ComponentType;
  readonly Content: ComponentType;
}

export interface InspectorTab {
  readonly id: string;
  readonly title: string;
  readonly subjects: readonly InspectorSubject[];
  /** Stands before the tabs of other parts, and is shown when the tab that was open does not fit. */
  readonly home?: boolean;
  readonly Content: ComponentType;
}

/**
 * What a room of the page adds to the shell. The shell draws what it is given, in order, and knows no room by name.
 */
export interface Part {
  readonly id: string;
  readonly drawerTabs?: readonly DrawerTab[];
  readonly inspectorTabs?: readonly InspectorTab[];
  /** Controls in the top bar, after the document's name. */
  readonly TopBarControls?: ComponentType;
  /** Controls in the top bar, at its right end. */
  readonly TopBarModes?: ComponentType;
  /** Controls at the upper left of the canvas, before those of the editor. */
  readonly CanvasControls?: ComponentType;
  /** Drawn over the canvas in its window coordinates: a legend, a notice. */
  readonly CanvasOverlay?: ComponentType;
  /** Below the canvas, which gets as much smaller, so that nothing of it is covered: what is wrong and what can be done about it. */
  readonly CanvasFooter?: ComponentType;
  /** Under the head of a node's card. */
  readonly NodeLane?: ComponentType<{ readonly nodeId: string }>;
  /** Mounted once: listeners, dialogs. */
  readonly Background?: ComponentType;
  /** Made once; what may change is asked for when a command runs or says whether it can. */
  readonly commands?: (workbench: Workbench) => readonly Command[];
}

export const PartsContext = createContext<readonly Part[]>([]);

export function useParts(): readonly Part[] {
  return useContext(PartsContext);
}

type SlotName = "TopBarControls" | "TopBarModes" | "CanvasControls" | "CanvasOverlay" | "CanvasFooter" | "Background";

/** What all parts bring to one place of the page, in their order. */
export function Slot({ name }: { name: SlotName }) {
  return useParts().map(({ id, [name]: Content }) => Content && <Content key={id} />);
}
