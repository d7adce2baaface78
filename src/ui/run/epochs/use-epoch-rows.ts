import { useState } from "react";
import { useFrame, useRunState } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { type EpochRow, epochRows } from "./epoch-rows.ts";

const EVERY_MS = 200;

/** The epochs that the engine still tells about. While one is open its times grow. */
export function useEpochRows(shown: ShownRun): readonly EpochRow[] {
  const epochs = useRunState((state) => state?.status.epochs);
  const [nowMs, setNowMs] = useState(0);
  useFrame(() => setNowMs(shown.run.nowMs), EVERY_MS);
  return epochRows(shown, epochs ?? [], Math.max(nowMs, shown.run.nowMs));
}
