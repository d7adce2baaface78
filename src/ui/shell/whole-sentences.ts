/** As many whole sentences from the beginning as have room in so many characters; at least the first one. */
export function wholeSentences(text: string, most: number): string {
  let kept = "";
  for (const sentence of text.split(/(?<=[.!?])\s+/)) {
    const next = kept === "" ? sentence : `${kept} ${sentence}`;
    if (kept !== "" && next.length > most) break;
    kept = next;
  }
  return kept;
}
