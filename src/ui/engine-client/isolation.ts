/** Why the page may not share memory between workers; undefined when it may. */
export interface IsolationProblem {
  /** Response headers that are missing or have another value. */
  readonly headers: readonly string[];
  readonly message: string;
  readonly hint: string;
}

const WANTED: readonly { readonly name: string; readonly values: readonly string[] }[] = [
  { name: "Cross-Origin-Opener-Policy", values: ["same-origin"] },
  { name: "Cross-Origin-Embedder-Policy", values: ["require-corp", "credentialless"] },
];

/** An answer that takes longer is not waited for (P-57). */
const ASK_MS = 1500;

/** Asks the page's own server for what it sent with the page, since a page cannot see its own headers. */
export async function isolationProblem(): Promise<IsolationProblem | undefined> {
  if (crossOriginIsolated) return undefined;
  if (!isSecureContext) {
    return {
      headers: [],
      message: "The page is open over plain http, so the browser shares no memory between its workers.",
      hint: "Open it over https, or on this machine as http://localhost.",
    };
  }
  const missing = await missingHeaders();
  if (missing === undefined) {
    return {
      headers: [],
      message: "The browser shares no memory between this page's workers, and its server does not answer.",
      hint: `It has to send ${WANTED.map(headerText).join(" and ")}.`,
    };
  }
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name);
    return {
      headers: names,
      message: `The server does not send ${missing.map(headerText).join(" and ")}, so the browser shares no memory between workers.`,
      hint: "Let the server send it with every file; docs/hosting.md has the lines for common servers.",
    };
  }
  return {
    headers: [],
    message: "The page is not isolated although its server sends the headers: it stands in a frame of another page.",
    hint: 'Give the frame allow="cross-origin-isolated" and isolate the page around it, or open this page by itself.',
  };
}

const headerText = ({ name, values }: (typeof WANTED)[number]): string => `${name}: ${values[0]}`;

async function missingHeaders(): Promise<(typeof WANTED)[number][] | undefined> {
  try {
    const { headers } = await fetch(location.href, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(ASK_MS),
    });
    return WANTED.filter(({ name, values }) => !values.includes(headers.get(name)?.trim() ?? ""));
  } catch {
    return undefined;
  }
}
