import { createStore, type StoreApi } from "zustand/vanilla";
import type { Problem } from "../../engine/index.ts";
import type { GraphDocument } from "../document/graph.ts";

export type DialogName = "commands" | "help" | "examples" | "documents" | "find" | "share";

/** A graph that was not opened, and why. */
export interface Refusal {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** What it would be with its faults repaired, where that can be done. */
  readonly repaired: GraphDocument | undefined;
}

/** Where a problem is, for the inspector to open the field. */
export interface FieldFocus {
  readonly node: string;
  readonly field: string;
}

export interface ViewState {
  readonly dialog: DialogName | undefined;
  readonly refusal: Refusal | undefined;
  readonly focus: FieldFocus | undefined;
  /** `?embed`: the canvas without the chrome. */
  readonly embed: boolean;
}

export interface ViewStore extends StoreApi<ViewState> {
  open(dialog: DialogName): void;
  close(): void;
}

export function createViewStore(embed: boolean): ViewStore {
  const store = createStore<ViewState>(() => ({ dialog: undefined, refusal: undefined, focus: undefined, embed }));
  return Object.assign(store, {
    open: (dialog: DialogName) => store.setState({ dialog }),
    close: () => store.setState({ dialog: undefined }),
  });
}
