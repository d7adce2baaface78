import type { Editor } from "../editor/editor.ts";

/** The parts of the page in the order of F6. */
const REGIONS = ["top", "palette", "canvas", "inspector", "drawer"];

/** Moves the focus into the next part of the page that is there. */
export function goToRegion(step: 1 | -1, editor: Editor): void {
  const there = REGIONS.flatMap((name) => document.querySelector<HTMLElement>(`[data-region="${name}"]`) ?? []);
  const at = there.findIndex((region) => region.contains(document.activeElement));
  const next = there[(at + step + there.length) % there.length];
  if (next === undefined) return;
  if (next.dataset["region"] === "canvas") editor.view?.focus();
  else
    next.querySelector<HTMLElement>('button:not([disabled]), input, [tabindex="0"]:not([role="separator"])')?.focus();
}
