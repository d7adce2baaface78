import type { MantineColorScheme } from "@mantine/core";
import { isShareHash } from "../document/share-link.ts";
import { isColorScheme } from "../shared/color-scheme.ts";

/** What the page's address asks for. */
export interface Address {
  /** `?theme=light|dark|auto` */
  readonly theme: MantineColorScheme | undefined;
  /** `?graph=examples/orders.json`: relative to the page, of its own origin. */
  readonly graph: string | undefined;
  /** `?embed` */
  readonly embed: boolean;
  /** `#graph=…`: a shared link. */
  readonly share: string | undefined;
}

export function addressOf({ search, hash }: { readonly search: string; readonly hash: string }): Address {
  const query = new URLSearchParams(search);
  const theme = query.get("theme");
  return {
    theme: isColorScheme(theme) ? theme : undefined,
    graph: query.get("graph") ?? undefined,
    embed: query.has("embed"),
    share: isShareHash(hash) ? hash : undefined,
  };
}
