import { useRef, useState } from "react";
import { useFrame, useRunState } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { type EpochRow, type EpochRowCache, epochRows } from "./epoch-rows.ts";

const EVERY_MS = 200;

/** The newest epochs, at most so many, that the engine still tells about. While one is open its times grow. */
export function useEpochRows(shown: ShownRun, most = Number.POSITIVE_INFINITY): readonly EpochRow[] {
  const epochs = useRunState((state) => state?.status.epochs) ?? [];
  const cache = useRef<EpochRowCache>(new WeakMap());
  const [nowMs, setNowMs] = useState(0);
  const rows = epochRows(
    shown,
    most < epochs.length ? epochs.slice(-most) : epochs,
    Math.max(nowMs, shown.run.nowMs),
    cache.current,
  );
  useFrame(() => {
    if (rows.some(({ open }) => open)) setNowMs(shown.run.nowMs);
  }, EVERY_MS);
  return rows;
}
