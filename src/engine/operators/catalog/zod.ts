import { z } from "zod";

// The page's Content-Security-Policy forbids `new Function`, with which zod would otherwise compile its parsers.
z.config({ jitless: true });

/** How the page draws a field's control; a field without one is drawn from its zod type. */
export type Widget =
  | "column"
  | "columns"
  | "column-map"
  | "schema"
  | "rows"
  | "script"
  | "generator-fields"
  | "file"
  | "module"
  | "path"
  | "text-list"
  | "expression";

declare module "zod" {
  interface GlobalMeta {
    /** Unit of a number, as written behind its control: `ms`, `rows`, `rows/s`. */
    unit?: string;
    widget?: Widget;
    placeholder?: string;
    /** Shown only on request: a setting that a first use does not need. */
    advanced?: boolean;
  }
}

export { z };
