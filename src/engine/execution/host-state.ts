import { ControlWriter } from "../transport/control-ring.ts";
import { Doorbell } from "../transport/doorbell.ts";
import type { RunLayout } from "../transport/ring-layout.ts";
import type { HostHandle } from "./protocol.ts";

/** A worker, as the run sees it. */
export interface HostState {
  readonly handle: HostHandle;
  readonly control: ControlWriter;
  readonly bell: Doorbell;
  built: boolean;
  /** It said that all its tasks are over, or it is dead. */
  gone: boolean;
}

/** A worker that was just started. `region`: its part of the run's memory. */
export function hostState(
  handle: HostHandle,
  memory: SharedArrayBuffer,
  region: RunLayout["hosts"][number],
): HostState {
  const bell = new Doorbell(memory, region);
  return { handle, control: new ControlWriter(memory, region, bell), bell, built: false, gone: false };
}
