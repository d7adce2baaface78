import type { MantineColorScheme, MantineColorSchemeManager } from "@mantine/core";
import { recall, remember } from "./remembered.ts";

const KEY = "theme";

export function isColorScheme(value: unknown): value is MantineColorScheme {
  return value === "light" || value === "dark" || value === "auto";
}

/** Remembers the chosen theme; a theme given in the page's address holds for this visit and is not remembered. */
export function colorSchemeManager(fromAddress: MantineColorScheme | undefined): MantineColorSchemeManager {
  return {
    get: (fallback) => fromAddress ?? recall(KEY, fallback, isColorScheme),
    set: (value) => remember(KEY, value),
    subscribe: () => {},
    unsubscribe: () => {},
    clear: () => remember(KEY, null),
  };
}
