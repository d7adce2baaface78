import { cell, type ErrorData, errorLine, type Problem, serializeDocument } from "../../engine/index.ts";
import { emptyGraph, type GraphDocument } from "../document/graph.ts";
import { readGraph } from "../document/read-graph.ts";
import type { Run } from "../engine-client/run.ts";
import { cellText } from "../shared/cell-text.ts";
import { openAddress } from "../shell/file-actions.ts";
import type { Workbench } from "../shell/workbench.ts";
import { type Condition, conditionText, isMet } from "./automation-conditions.ts";
import { type ProbeSnapshot, probeSnapshot, type StatusSnapshot, statusSnapshot } from "./automation-snapshots.ts";
import type { Executor, RunController, RunView } from "./run-controller.ts";

const TIMEOUT_MS = 30_000;
const LOOK_EVERY_MS = 20;

export interface RunOptions {
  /** `threads` where the page is isolated, else `lab`, when left out. */
  readonly executor?: Executor;
  /** Of the lab's scheduler. */
  readonly seed?: number;
  /** Run the modules of the graph without asking the person. */
  readonly trustModules?: boolean;
}

export interface OutcomeSnapshot {
  readonly kind: "finished" | "stopped" | "failed" | "cancelled";
  readonly error?: ErrorData | undefined;
}

declare global {
  interface Window {
    /** For demos, tests and the console: docs/automation.md. */
    weir: Automation;
  }
}

/**
 * `window.weir`: drives the page from demos, tests and the console (docs/automation.md). Everything that goes in or out is plain data;
 * every promise settles, with an error after its time-out.
 */
export class Automation {
  private readonly workbench: Workbench;
  private readonly controller: RunController;

  constructor(workbench: Workbench, controller: RunController) {
    this.workbench = workbench;
    this.controller = controller;
  }

  /**
   * Opens a graph as a new document: an object, its JSON text, or an address of this page's origin.
   * @throws Error that lists what is wrong with it
   */
  async load(source: unknown): Promise<void> {
    const text = typeof source === "string" ? source : JSON.stringify(source);
    if (typeof source === "string" && !source.trimStart().startsWith("{")) {
      if (!(await openAddress(this.workbench, source))) throw new Error(`no graph was opened from ${source}`);
      return;
    }
    const read = readGraph(text);
    if (read.kind === "refused") throw new Error(listOf("the graph was refused", read.problems));
    await this.workbench.session.openGraph(read.graph);
  }

  async newDocument(name?: string): Promise<void> {
    await this.workbench.session.openGraph(emptyGraph(name));
  }

  /** The open graph, as it would be saved. */
  document(): GraphDocument {
    return JSON.parse(serializeDocument(this.workbench.document.getState().graph)) as GraphDocument;
  }

  /** What is wrong with the open graph. */
  problems(): readonly Problem[] {
    return this.workbench.analysis.getState().analysis.problems;
  }

  /** Keeps a data file beside the open document, under the path by which its sources name it. */
  async addFile(path: string, content: string | Uint8Array<ArrayBuffer> | Blob): Promise<void> {
    await this.workbench.session.putFile(path, content instanceof Blob ? content : new Blob([content]));
  }

  /**
   * Starts a run of the open graph; one that goes on is ended first.
   * @throws Error when the graph has problems, or the run cannot be started
   */
  async run({ executor, seed, trustModules }: RunOptions = {}): Promise<void> {
    const chosen = executor ?? (crossOriginIsolated ? "threads" : "lab");
    const answer = await this.controller.start({ executor: chosen, seed, trustModules });
    switch (answer.kind) {
      case "run":
        return;
      case "problems":
        throw new Error(listOf("the graph has problems", this.problems()));
      case "failed":
        throw new Error(errorLine(answer.error));
      case "offered":
        throw new Error("the page has no shared memory; run with the lab");
      case "asked": {
        const paths = answer.modules.map(({ path }) => path).join(", ");
        throw new Error(`nobody has agreed to run ${paths}; the page asks, or pass trustModules: true`);
      }
    }
  }

  pause(): void {
    this.controller.pause();
  }

  resume(): void {
    this.controller.resume();
  }

  /** Issues a barrier now. */
  barrier(): void {
    this.controller.barrier();
  }

  /** Ends the run with a final epoch. */
  stop(): void {
    this.controller.stop();
  }

  /** Ends the run at once. */
  cancel(): void {
    this.controller.cancel();
  }

  /** Takes the last run off the page. */
  clear(): void {
    this.controller.clear();
  }

  /** A pause after each message; 0 for none. */
  setSlowMotion(ms: number): void {
    this.controller.setSlowMotion(ms);
  }

  setView(view: RunView): void {
    this.controller.setView(view);
  }

  /** Ends a worker as a crash would. In the lab, which has none, the task of that number. */
  killHost(host: number): void {
    this.shown().run.killHost(host);
  }

  /** Worker that runs a task; in the lab its own number. */
  hostOf(task: number): number {
    return this.shown().run.hostOf?.[task] ?? task;
  }

  /** How far the run is. */
  status(): StatusSnapshot {
    return statusSnapshot(this.controller);
  }

  /** What every task and edge does, read now. */
  probes(): ProbeSnapshot {
    const { run, model } = this.shown();
    run.look();
    return probeSnapshot(run, model);
  }

  /** The kept rows of a sink as text cells, NULL as null, in the order in which they became visible; the newest `limit`. */
  rows(sink: string, limit = Number.POSITIVE_INFINITY): (string | null)[][] {
    const output = this.shown().run.outputs.get(sink);
    if (output === undefined) throw new Error(`no sink ${sink} of this run shows rows`);
    const from = Math.max(0, output.kept - limit);
    return Array.from({ length: output.kept - from }, (_, index) => {
      const place = output.locate(from + index);
      if (place === undefined) return [];
      return place.batch.columns.map((column) => {
        const value = cell(column, place.row);
        return value === null ? null : cellText(value, Number.POSITIVE_INFINITY);
      });
    });
  }

  /** Rows that a sink made visible so far, also those that are no longer kept. */
  rowCount(sink: string): number {
    return this.shown().run.outputs.get(sink)?.rowCount ?? 0;
  }

  /** Files that sinks made visible, by path. */
  files(): Record<string, Uint8Array> {
    return Object.fromEntries(this.shown().run.state.getState().files);
  }

  /** Settles when nothing of the run is left. */
  async outcome(): Promise<OutcomeSnapshot> {
    await this.controller.started;
    return this.shown().run.over;
  }

  /**
   * Settles when the condition holds. A run that is being started is waited for.
   * @throws Error when the run ends before, or after `timeoutMs`
   */
  async waitFor(condition: Condition, { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    await this.controller.started;
    for (;;) {
      const { run, model } = this.shown();
      run.look();
      if (isMet(condition, run, model)) return;
      if (run.isOver) throw new Error(`the run is over before ${conditionText(condition)}: ${endOf(run)}`);
      if (performance.now() > deadline) {
        throw new Error(
          `${conditionText(condition)} did not come within ${timeoutMs} ms: ${JSON.stringify(this.status())}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  private shown() {
    const { shown } = this.controller.state.getState();
    if (shown === undefined) throw new Error("nothing has run yet");
    return shown;
  }
}

function listOf(what: string, problems: readonly Problem[]): string {
  return `${what}:\n${problems.map((problem) => errorLine(problem)).join("\n")}`;
}

function endOf(run: Run): string {
  const { outcome } = run.state.getState().status;
  return outcome?.error === undefined ? (outcome?.kind ?? "") : `${outcome.kind}, ${errorLine(outcome.error)}`;
}
