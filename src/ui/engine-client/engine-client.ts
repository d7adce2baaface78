import { proxy } from "comlink";
import {
  type ColumnsAnswer,
  type ColumnsRequest,
  type EngineEvent,
  type ErrorData,
  errorText,
  type PreviewAnswer,
  type PreviewRequest,
  type Problem,
  type StartAnswer,
  type StartRequest,
  WeirError,
} from "../../engine/index.ts";
import { EngineWorker } from "./engine-worker.ts";
import { Run } from "./run.ts";

export type Started =
  | { readonly kind: "run"; readonly run: Run }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  | { readonly kind: "failed"; readonly error: ErrorData };

/** An idle worker is ended after so long: a page at rest has no workers (P-58). */
const RETIRE_AFTER_MS = 2500;

const ENDED: ErrorData = { code: "page-left", domain: "host", message: "the page was left", hint: "run again" };

/** The engine as the page sees it. Its workers start when they are needed and go when they are not. */
export class EngineClient {
  private readonly runs = new Seat();
  /** Previews are read while a run goes on, so they have a worker of their own. */
  private readonly previews = new Seat();
  private current: Run | undefined = undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** Ends the run before, if it still goes on, and starts one. Never rejects. */
  start(request: StartRequest): Promise<Started> {
    const started = this.last.then(() => this.startNow(request));
    this.last = started;
    return started;
  }

  /** First rows of a source. Never rejects. */
  async preview(request: PreviewRequest): Promise<PreviewAnswer> {
    try {
      return await this.previews.use((worker) => worker.call<PreviewAnswer>(async (api) => api.preview(request)));
    } catch (error) {
      return { kind: "refused", problems: [errorOf(error)] };
    }
  }

  /** Columns of files whose sources leave them out. Rejects when the worker does not load or goes. */
  columns(request: ColumnsRequest): Promise<ColumnsAnswer> {
    return this.previews.use((worker) => worker.call<ColumnsAnswer>(async (api) => api.columns(request)));
  }

  /** Ends all workers at once; a run that goes on fails. The client can be used again. */
  close(): void {
    this.runs.end(ENDED);
    this.previews.end(ENDED);
  }

  private async startNow(request: StartRequest): Promise<Started> {
    this.current?.replace();
    this.current = undefined;
    try {
      return await this.runs.use((worker, leave) => this.startIn(worker, leave, request));
    } catch (error) {
      return { kind: "failed", error: errorOf(error) };
    }
  }

  private async startIn(
    worker: EngineWorker,
    stay: (until: Promise<unknown>) => void,
    request: StartRequest,
  ): Promise<Started> {
    // Events have a channel of their own and may come before the answer.
    let early: EngineEvent[] | undefined = [];
    let run: Run | undefined;
    const tell = (event: EngineEvent) => {
      if (early === undefined) run?.hear(event);
      else early.push(event);
    };
    const answer = await worker.call<StartAnswer>(async (api) => api.start(request, proxy(tell)));
    if (answer.kind !== "started") return answer;
    run = new Run(answer, request.executor, worker);
    for (const event of early) run.hear(event);
    early = undefined;
    this.current = run;
    stay(run.over);
    return { kind: "run", run };
  }
}

/** Where a worker sits while it is needed, and a little longer. */
class Seat {
  private worker: EngineWorker | undefined = undefined;
  private users = 0;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;

  /** Starts the worker if there is none. `stay` keeps it for longer than the call. */
  async use<T>(work: (worker: EngineWorker, stay: (until: Promise<unknown>) => void) => Promise<T>): Promise<T> {
    const worker = this.take();
    const stay = (until: Promise<unknown>) => {
      this.users++;
      void until.finally(() => this.leave(worker));
    };
    try {
      return await work(worker, stay);
    } finally {
      this.leave(worker);
    }
  }

  end(reason: ErrorData): void {
    clearTimeout(this.timer);
    const { worker } = this;
    this.worker = undefined;
    worker?.end(reason);
  }

  private take(): EngineWorker {
    clearTimeout(this.timer);
    this.users++;
    if (this.worker !== undefined) return this.worker;
    const worker = new EngineWorker();
    this.worker = worker;
    this.users = 1;
    void worker.gone.then(() => {
      if (this.worker === worker) this.worker = undefined;
    });
    return worker;
  }

  private leave(worker: EngineWorker): void {
    if (this.worker !== worker) return;
    this.users--;
    if (this.users === 0) this.timer = setTimeout(() => worker.end(), RETIRE_AFTER_MS);
  }
}

function errorOf(error: unknown): ErrorData {
  if (error instanceof WeirError) return error.data;
  return { code: "engine-failed", domain: "engine", message: errorText(error) };
}
