import { createStore, type StoreApi } from "zustand/vanilla";
import { type ErrorData, type StartRequest, serializeDocument } from "../../engine/index.ts";
import { outsidePaths } from "../document/data-files.ts";
import { type ForeignModule, trustModules, unknownModules } from "../document/foreign-modules.ts";
import type { GraphDocument } from "../document/graph.ts";
import { EngineClient } from "../engine-client/engine-client.ts";
import { FrameLoop } from "../engine-client/frame-loop.ts";
import { type IsolationProblem, isolationProblem } from "../engine-client/isolation.ts";
import type { Run } from "../engine-client/run.ts";
import { recall, remember } from "../shared/remembered.ts";
import type { Workbench } from "../shell/workbench.ts";
import { TimeText } from "./event-time.ts";
import { RunModel } from "./run-model.ts";
import { TimelineWindow } from "./timeline/timeline-window.ts";

export type RunView = "logical" | "tasks";
export type Executor = StartRequest["executor"];

/** A run together with what the page knows about the graph that it runs. */
export interface ShownRun {
  readonly run: Run;
  readonly model: RunModel;
  readonly times: TimeText;
  /** Document that was run. */
  readonly document: string;
  /** As it was when it was run. */
  readonly graph: GraphDocument;
}

export interface RunPageState {
  /** A run was asked for and is being planned and built. */
  readonly starting: boolean;
  /** The run that is shown: it goes on, or it is the last one. */
  readonly shown: ShownRun | undefined;
  /** Why the last start came to nothing. */
  readonly refusal: ErrorData | undefined;
  /** Asked for shared memory and there is none: why, and whether the lab was accepted in its place. */
  readonly isolation: IsolationProblem | undefined;
  readonly labAccepted: boolean;
  /** Modules that the graph would run and that the person has not agreed to: they are asked about. */
  readonly foreignCode: readonly ForeignModule[] | undefined;
  readonly slowMotionMs: number;
  readonly view: RunView;
}

export type RunAnswer =
  | { readonly kind: "run"; readonly run: Run }
  /** The graph has problems; they are listed. */
  | { readonly kind: "problems"; readonly count: number }
  | { readonly kind: "failed"; readonly error: ErrorData }
  /** There is no shared memory; the lab is offered. */
  | { readonly kind: "offered" }
  /** The graph would run code that the person has not agreed to. */
  | { readonly kind: "asked"; readonly modules: readonly ForeignModule[] };

export interface RunWish {
  readonly executor?: Executor | undefined;
  readonly seed?: number | undefined;
  /** Run the graph's own code without asking the person. */
  readonly trustModules?: boolean | undefined;
}

const VIEW = "run-view";
const isView = (value: unknown): value is RunView => value === "logical" || value === "tasks";

/** Starts and steers the runs of the page; one at a time. */
export class RunController {
  readonly state: StoreApi<RunPageState>;
  readonly loop = new FrameLoop();
  readonly client = new EngineClient();
  readonly timeline = new TimelineWindow();
  private readonly workbench: Workbench;
  private pending: Promise<RunAnswer> | undefined = undefined;
  /** Stop was pressed while the run was being started. */
  private stopWanted = false;
  private drawerShown = false;
  private wholeShown: string | undefined = undefined;
  /** What was wished for when the person was asked about the graph's code. */
  private askedWish: RunWish = {};

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    workbench.columns.connect((request) => this.client.columns(request));
    workbench.previews.connect((request) => this.client.preview(request));
    this.state = createStore<RunPageState>(() => ({
      starting: false,
      shown: undefined,
      refusal: undefined,
      isolation: undefined,
      labAccepted: false,
      foreignCode: undefined,
      slowMotionMs: 0,
      view: recall(VIEW, "logical", isView),
    }));
    this.loop.listen(() => {
      const { shown } = this.state.getState();
      shown?.run.look();
      shown?.times.see(shown.run.frame);
    });
    // Another document is another graph; a document that was only put elsewhere still has its nodes.
    workbench.document.subscribe((state, before) => {
      if (state.id !== before.id && state.graph.nodes !== before.graph.nodes) this.clear();
    });
    if (!crossOriginIsolated) void isolationProblem().then((isolation) => this.state.setState({ isolation }));
  }

  get run(): Run | undefined {
    return this.state.getState().shown?.run;
  }

  get isLive(): boolean {
    return this.run !== undefined && !this.run.isOver;
  }

  /** Runs the open graph. Asked again while it is being started, it answers with the same run (P-53). */
  start(wish: RunWish = {}): Promise<RunAnswer> {
    if (this.pending !== undefined) return this.pending;
    this.stopWanted = false;
    this.pending = this.startNow(wish).finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  /** The run that is being started, if any. */
  get started(): Promise<RunAnswer> | undefined {
    return this.pending;
  }

  pause(): void {
    this.run?.command("pause");
  }

  resume(): void {
    this.run?.command("resume");
  }

  barrier(): void {
    this.run?.command("barrier");
  }

  /** Ends the run with a final epoch. */
  stop(): void {
    if (this.pending !== undefined) this.stopWanted = true;
    else this.run?.command("stop");
  }

  /** Ends the run at once. */
  cancel(): void {
    if (this.pending !== undefined) this.stopWanted = true;
    else this.run?.command("cancel");
  }

  setSlowMotion(slowMotionMs: number): void {
    this.state.setState({ slowMotionMs });
    this.run?.setSlowMotion(slowMotionMs);
  }

  setView(view: RunView): void {
    remember(VIEW, view);
    this.state.setState({ view });
    this.loop.request();
  }

  /** The lab runs the graph from here on, in one worker and without shared memory. */
  acceptLab(): void {
    this.state.setState({ labAccepted: true });
    void this.start();
  }

  /** The person agrees to run the code that they were asked about. */
  acceptCode(): void {
    const { foreignCode = [] } = this.state.getState();
    trustModules(foreignCode);
    // Where nothing can be remembered, agreeing is for this time.
    const once = foreignCode.some(({ sha256 }) => sha256 === undefined);
    void this.start({ ...this.askedWish, ...(once && { trustModules: true }) });
  }

  declineCode(): void {
    this.state.setState({ foreignCode: undefined });
  }

  dismissRefusal(): void {
    this.state.setState({ refusal: undefined });
  }

  /** Takes the last run off the page. One that goes on is ended. */
  clear(): void {
    if (this.isLive) this.run?.command("cancel");
    this.state.setState({ shown: undefined, refusal: undefined, foreignCode: undefined });
    this.loop.turn(false);
  }

  /** The page goes away, or is put aside: nothing runs on behind it (P-58). */
  leave(): void {
    this.client.close();
  }

  private async startNow(wish: RunWish): Promise<RunAnswer> {
    const { analysis, document, layout, session, columns } = this.workbench;
    await session.opened();
    // What reading the data found last time may be right by now; columns that are still being read from a file are no problem.
    analysis.setKnown([]);
    await columns.settled();
    const { problems } = analysis.getState().analysis;
    if (problems.length > 0) {
      layout.showDrawer("problems");
      return { kind: "problems", count: problems.length };
    }
    const executor = this.executorFor(wish);
    if (executor === undefined) {
      this.state.setState({ isolation: await isolationProblem() });
      return { kind: "offered" };
    }
    const { graph, id } = document.getState();
    const files = await this.files();
    const unknown = wish.trustModules === true ? [] : await unknownModules(graph, files);
    this.askedWish = wish;
    this.state.setState({ foreignCode: unknown.length > 0 ? unknown : undefined });
    if (unknown.length > 0) return { kind: "asked", modules: unknown };
    this.state.setState({ starting: true, refusal: undefined });
    try {
      const started = await this.client.start({
        document: serializeDocument(graph),
        files,
        executor,
        seed: wish.seed ?? 0,
        slowMotionMs: this.state.getState().slowMotionMs,
      });
      switch (started.kind) {
        case "run":
          this.show({
            run: started.run,
            model: new RunModel(started.run.plan, graph),
            times: new TimeText(),
            document: id,
            graph,
          });
          return started;
        case "refused":
          analysis.setKnown(started.problems);
          layout.showDrawer("problems");
          return { kind: "problems", count: started.problems.length };
        case "failed":
          this.state.setState({ refusal: started.error });
          return started;
      }
    } finally {
      this.state.setState({ starting: false });
    }
  }

  /** Undefined: the person has to be asked. */
  private executorFor({ executor }: RunWish): Executor | undefined {
    if (executor !== undefined) return executor;
    if (crossOriginIsolated) return "threads";
    return this.state.getState().labAccepted ? "lab" : undefined;
  }

  private show(shown: ShownRun): void {
    this.timeline.follow();
    this.showWhole(shown.document);
    this.showDrawer();
    this.state.setState({ shown });
    this.loop.turn(true);
    if (this.stopWanted) shown.run.command("cancel");
    void shown.run.over.then(() => this.ended(shown));
  }

  /** The first run of a visit shows where it can be watched. What a person closes after that stays closed. */
  private showDrawer(): void {
    const { layout } = this.workbench;
    const { panels, drawerTab } = layout.getState();
    if (!this.drawerShown && (!panels.drawer.open || drawerTab === "problems")) layout.showDrawer("timeline");
    this.drawerShown = true;
  }

  /** Cards grow with the lanes of a run: a graph that was whole in sight is so again when it runs for the first time. */
  private showWhole(document: string): void {
    if (this.wholeShown === document) return;
    this.wholeShown = document;
    const { editor } = this.workbench;
    if (editor.view?.shows(editor.graph.nodes.map(({ id }) => id)) !== true) return;
    const afterLayout = () => {
      if (editor.view?.shows(editor.graph.nodes.map(({ id }) => id)) === false) editor.view.fit();
    };
    setTimeout(afterLayout, 120);
  }

  private ended({ run }: ShownRun): void {
    if (this.run === run) this.loop.turn(false);
  }

  /** Data files of the open graph that are kept beside it, by the path that its sources give them. */
  async files(): Promise<Map<string, Blob>> {
    const { document, session } = this.workbench;
    const files = new Map<string, Blob>();
    for (const path of outsidePaths(document.getState().graph)) {
      const blob = await session.file(path);
      if (blob !== undefined) files.set(path, blob);
    }
    return files;
  }
}
