/** What a stream of server-sent events says. */
export type StreamItem =
  | { readonly kind: "event"; readonly data: string; readonly id: string | undefined }
  | { readonly kind: "retry"; readonly ms: number };

/** One event may have so many characters; without an end it would otherwise take all memory. */
const MOST_CHARACTERS = 16 << 20;

/**
 * Server-sent events out of text in pieces of any size, as the HTML standard reads them: lines end with CR, LF or both, an empty line ends an
 * event, data lines are joined by LF, and the last id stays until there is another one. An event that the end cuts off is none.
 */
export class EventStreamParser {
  private rest = "";
  private data: string[] = [];
  private size = 0;
  private id: string | undefined;
  private isStart = true;

  /** @throws Error when an event is too large */
  push(text: string): StreamItem[] {
    const items: StreamItem[] = [];
    let all = this.rest + text;
    if (this.isStart && all.length > 0) {
      if (all.startsWith("\ufeff")) all = all.slice(1);
      this.isStart = false;
    }
    let at = 0;
    let lf = all.indexOf("\n");
    let cr = all.indexOf("\r");
    while (lf >= 0 || cr >= 0) {
      const end = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf;
      // A CR at the very end may have its LF in the next piece.
      if (end === cr && end + 1 === all.length) break;
      this.line(all.slice(at, end), items);
      at = end + (end === cr && all[end + 1] === "\n" ? 2 : 1);
      // Each is looked for again only behind itself: most streams have but one of them, and it may be far to the other.
      if (lf >= 0 && lf < at) lf = all.indexOf("\n", at);
      if (cr >= 0 && cr < at) cr = all.indexOf("\r", at);
    }
    this.rest = all.slice(at);
    if (this.size + this.rest.length > MOST_CHARACTERS) throw new Error("an event has no end within 16 MiB");
    return items;
  }

  private line(line: string, items: StreamItem[]): void {
    if (line === "") {
      if (this.data.length > 0) items.push({ kind: "event", data: this.data.join("\n"), id: this.id });
      this.data = [];
      this.size = 0;
      return;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") {
      this.data.push(value);
      this.size += value.length + 1;
    } else if (name === "id" && !value.includes("\0")) this.id = value;
    else if (name === "retry" && /^\d+$/.test(value)) items.push({ kind: "retry", ms: Number(value) });
  }
}
