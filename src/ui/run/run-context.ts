import { createContext, useContext, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { RunState } from "../engine-client/run.ts";
import type { OutputState, SinkOutput } from "../engine-client/sink-output.ts";
import type { RunController, RunPageState, ShownRun } from "./run-controller.ts";

const RunContext = createContext<RunController | undefined>(undefined);

export const RunProvider = RunContext.Provider;

export function useRunController(): RunController {
  const controller = useContext(RunContext);
  if (controller === undefined)
    throw new Error("the run controller is missing: components of the run are made by createRunPart");
  return controller;
}

export function useRunPage<T>(select: (state: RunPageState) => T): T {
  return useStore(useRunController().state, select);
}

export const useShownRun = (): ShownRun | undefined => useRunPage((state) => state.shown);

const NO_RUN = createStore<RunState | undefined>(() => undefined);

/** Follows what the run tells by messages; `select` hears undefined while no run is shown. */
export function useRunState<T>(select: (state: RunState | undefined) => T): T {
  const shown = useShownRun();
  return useStore(shown?.run.state ?? NO_RUN, select);
}

export const useIsLive = (): boolean =>
  useRunState((state) => state !== undefined && state.status.outcome === undefined);

export const useOutput = (output: SinkOutput): OutputState => useStore(output.state);

/** A picture that is due sooner than this is drawn with the frame that is there. */
const NEARLY_MS = 6;
/** Longer than a frame takes: what is not drawn with one by then was the last of its run. */
const FRAME_MS = 40;

/** Calls `draw` after every reading of the run, at most about every `everyMs` milliseconds. */
export function useFrame(draw: () => void, everyMs = 0): void {
  const { loop } = useRunController();
  const latest = useRef(draw);
  useEffect(() => {
    latest.current = draw;
  });
  useEffect(() => {
    let drawnAt = Number.NEGATIVE_INFINITY;
    let late: ReturnType<typeof setTimeout> | undefined;
    const now = () => {
      clearTimeout(late);
      late = undefined;
      drawnAt = performance.now();
      latest.current();
    };
    const stop = loop.listen(() => {
      const wait = drawnAt + everyMs - performance.now();
      if (wait <= NEARLY_MS) now();
      else late ??= setTimeout(now, wait + FRAME_MS);
    });
    return () => {
      clearTimeout(late);
      stop();
    };
  }, [loop, everyMs]);
}
