/** How a call ended that somebody watched. */
export type Watched<T> = { readonly kind: "returned"; readonly value: T } | { readonly kind: "overdue" };

/**
 * Runs code that may never return, on this very thread, and breaks it off when its time is up. What it throws goes through. A port: Node can do it,
 * a browser cannot.
 */
export type Interrupter = <T>(run: () => T, limitMs: number) => Watched<T>;
