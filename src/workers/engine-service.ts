import {
  type ColumnsAnswer,
  type ColumnsRequest,
  type EdgeId,
  type EngineApi,
  type EngineEvent,
  type FileStore,
  type GraphDocument,
  guessColumns,
  type PreviewAnswer,
  type PreviewRequest,
  prepare,
  preview,
  type RunCommand,
  type StartAnswer,
  type StartRequest,
  ThreadsExecutor,
  toErrorData,
} from "../engine/index.ts";
import { LabService } from "./lab-service.ts";
import { LiveService } from "./live-service.ts";
import { PageFiles } from "./page-files.ts";
import type { RunService } from "./run-service.ts";
import { spawnHost } from "./spawn-host.ts";

/** What the coordinator's worker does for its page. One run at a time: a new one ends the one before. */
export class EngineService implements EngineApi {
  private readonly executor = new ThreadsExecutor({ spawn: spawnHost, cores: navigator.hardwareConcurrency });
  private run: RunService | undefined = undefined;
  /** Starts wait for each other: pressing Run twice starts one run after the other, never two at once (P-53). */
  private last: Promise<unknown> = Promise.resolve();

  start(request: StartRequest, tell: (event: EngineEvent) => void): Promise<StartAnswer> {
    const started = this.last.then(() => this.startNow(request, tell)).catch(failedStart);
    this.last = started;
    return started;
  }

  command(command: RunCommand): void {
    this.run?.command(command);
  }

  setSlowMotion(ms: number): void {
    this.run?.setSlowMotion(ms);
  }

  sample(edge: EdgeId): void {
    this.run?.sample(edge);
  }

  killHost(host: number): void {
    this.run?.killHost(host);
  }

  async preview(request: PreviewRequest): Promise<PreviewAnswer> {
    const blobs = request.files;
    return preview(request.document, filesOf(blobs), request.place, request.rows);
  }

  async columns({ document, files }: ColumnsRequest): Promise<ColumnsAnswer> {
    return guessColumns(document, filesOf(files));
  }

  private async startNow(request: StartRequest, tell: (event: EngineEvent) => void): Promise<StartAnswer> {
    await this.run?.discard();
    this.run = undefined;
    const prepared = await prepare(request.document, filesOf(request.files));
    if (prepared.kind === "problems") return { kind: "refused", problems: prepared.problems };
    const blobs = allBlobs(request.files, prepared.document);
    this.run =
      request.executor === "threads"
        ? new LiveService(this.executor, prepared.plan, blobs, request, tell)
        : await LabService.start(prepared.plan, blobs, request, tell);
    return this.run.answer;
  }
}

function failedStart(thrown: unknown): StartAnswer {
  return { kind: "failed", error: toErrorData(thrown, { code: "start-failed", domain: "engine" }) };
}

const filesOf =
  (blobs: ReadonlyMap<string, Blob>) =>
  (document: GraphDocument): FileStore =>
    new PageFiles({ blobs: allBlobs(blobs, document) }, () => undefined);

/** Files of the page and the data that the document carries, as one map. */
function allBlobs(files: ReadonlyMap<string, Blob>, document: GraphDocument): Map<string, Blob> {
  const blobs = new Map(files);
  for (const [name, file] of Object.entries(document.data ?? {})) {
    const bytes = file.encoding === "text" ? file.content : Uint8Array.from(atob(file.content), (c) => c.charCodeAt(0));
    blobs.set(`attached:${name}`, new Blob([bytes]));
  }
  return blobs;
}
