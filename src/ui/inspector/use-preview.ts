import { useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { GraphPlace } from "../../engine/index.ts";
import type { GraphDocument } from "../document/graph.ts";
import { type Preview, sameRows } from "../document/previews.ts";
import { useWorkbench } from "../shell/workbench.ts";

/** Somebody who types does not want every letter read. */
const PAUSE_MS = 250;

export interface PreviewState {
  /** The last answer; undefined until the first one has come. */
  readonly answer: Preview | undefined;
  /** Another one is being made. */
  readonly waiting: boolean;
  readonly again: () => void;
}

/** The first rows at a place of the graph, made anew when something before it changes; of no place, and of feeds, none. */
export function usePreview(place: GraphPlace | undefined, rows: number, options: { feeds: boolean }): PreviewState {
  const { previews } = useWorkbench();
  const before = useBefore(place);
  const [answer, setAnswer] = useState<Preview>();
  const [waiting, setWaiting] = useState(true);
  const [asks, setAsks] = useState(0);
  const asked = useRef(place);
  asked.current = place;
  const feeds = before?.nodes.some(({ kind }) => kind === "source.socket") === true;
  const reads = before !== undefined && (options.feeds || !feeds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when what lies before the place changed, or somebody wants it.
  useEffect(() => {
    if (!reads) {
      setAnswer(undefined);
      setWaiting(false);
      return;
    }
    let stale = false;
    setWaiting(true);
    const timer = setTimeout(async () => {
      if (asked.current === undefined) return;
      const next = await previews.of(asked.current, rows);
      if (stale) return;
      setAnswer(next);
      setWaiting(false);
    }, PAUSE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [previews, before, reads, rows, asks]);
  return { answer, waiting, again: () => setAsks(asks + 1) };
}

/** The same object as long as the same rows come of it. */
function useBefore(place: GraphPlace | undefined): GraphDocument | undefined {
  const { document, previews } = useWorkbench();
  const graph = useStore(document, (state) => state.graph);
  const { node, side, port } = place ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph is what `before` reads.
  const before = useMemo(
    () => (node === undefined || side === undefined ? undefined : previews.before({ node, side, port })),
    [previews, graph, node, side, port],
  );
  const steady = useRef<GraphDocument | undefined>(undefined);
  const known = steady.current;
  const same = before !== undefined && known !== undefined && sameRows(known, before);
  if (!same) steady.current = before;
  return steady.current;
}
