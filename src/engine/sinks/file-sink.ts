import type { FileStore, WritableFile } from "../base/files.ts";
import type { Epoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { FlushResult, Sink } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { BatchEncoder } from "../formats/batch-encoder.ts";
import { encoderFactory } from "../formats/open-encoder.ts";
import type { FileSinkConfig } from "../operators/catalog.ts";
import type { SinkContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { committedName, growingName, isOwnPart, isReplaced, openName, stagedName } from "./part-names.ts";
import { unlessEmpty } from "./precommit.ts";

/** Where the files go, and how they are written. */
interface Target {
  readonly files: FileStore;
  /** Ends with a slash. */
  readonly folder: string;
  readonly extension: string;
  readonly encoder: () => BatchEncoder;
  readonly subtask: number;
  readonly parallelism: number;
  readonly firstEpoch: number;
  readonly context: SinkContext;
}

/** A file that takes batches. */
class PartWriter {
  private readonly file: WritableFile;
  private readonly encoder: BatchEncoder;

  constructor(file: WritableFile, encoder: BatchEncoder) {
    this.file = file;
    this.encoder = encoder;
    this.put(encoder.start());
  }

  write(batch: Batch): void {
    this.put(this.encoder.encode(batch));
  }

  sync(): void {
    this.file.sync();
  }

  /** Completes the file. */
  finish(): void {
    this.put(this.encoder.end());
    this.file.sync();
    this.file.close();
  }

  /** Gives the file up as it is. */
  abandon(): void {
    this.file.close();
  }

  private put(bytes: Uint8Array): void {
    if (bytes.length > 0) this.file.write(bytes);
  }
}

/** Clears away, before the first row of a run, what the run replaces. */
function clearReplaced({ files, folder, subtask, parallelism, firstEpoch }: Target): void {
  for (const name of files.list(folder)) {
    if (isOwnPart(name, subtask, parallelism) && isReplaced(name, firstEpoch)) files.remove(folder + name);
  }
}

interface StagedPart {
  readonly epoch: number;
  /** As it will be when committed. */
  readonly name: string;
}

/**
 * Exactly once: each epoch with rows is a file of its own. It grows under a hidden name, is complete and durable under another one
 * when its barrier is through, and becomes visible, by one rename, when its epoch is committed (F-73).
 *
 * The pre-commit state names every sealed part that was not committed when it was taken; they stay where they are when the run
 * ends, so that a restore can commit them again (D-14). What is newer than the checkpoint, and what was never sealed, is cleared
 * away by the next run.
 */
class StagedFileSink implements Sink<Batch> {
  private readonly target: Target;
  private part: PartWriter | undefined;
  private readonly staged: StagedPart[] = [];
  private hasBegun = false;

  constructor(target: Target) {
    this.target = target;
  }

  write(batch: Batch): void {
    if (batch.rowCount === 0) return;
    this.begin();
    const { files, folder, subtask, extension, encoder } = this.target;
    this.part ??= new PartWriter(files.create(folder + openName(subtask, extension)), encoder());
    this.part.write(batch);
  }

  flush(epoch: Epoch): FlushResult {
    this.begin();
    if (this.part !== undefined) {
      const { files, folder, subtask, extension } = this.target;
      const name = committedName(subtask, epoch, extension);
      this.part.finish();
      this.part = undefined;
      files.rename(folder + openName(subtask, extension), folder + stagedName(name));
      this.staged.push({ epoch, name });
    }
    return { kind: "durable", precommit: unlessEmpty(this.staged.map((part) => ({ ...part }))) };
  }

  holdsRows(): boolean {
    return this.part !== undefined;
  }

  commit(epoch: Epoch): void {
    for (let part = this.staged[0]; part !== undefined && part.epoch <= epoch; part = this.staged[0]) {
      const { files, folder } = this.target;
      files.rename(folder + stagedName(part.name), folder + part.name);
      this.staged.shift();
    }
  }

  onEos(): void {
    this.begin();
  }

  close(): void {
    if (this.part === undefined) return;
    const { files, folder, subtask, extension } = this.target;
    this.part.abandon();
    this.part = undefined;
    files.remove(folder + openName(subtask, extension));
  }

  /** Parts that are not staged any more were committed before the run ended (D-12). */
  restore(precommit: SnapshotValue): void {
    const { files, folder } = this.target;
    const present = new Set(files.list(folder));
    const parts = (precommit ?? []) as unknown as readonly StagedPart[];
    this.staged.push(...parts.filter(({ name }) => present.has(stagedName(name))));
    for (const { name } of parts) if (!present.has(stagedName(name)) && !present.has(name)) this.missing(name);
    this.staged.sort((a, b) => a.epoch - b.epoch);
  }

  private missing(name: string): void {
    this.target.context.note({
      code: "part-missing",
      domain: "checkpoint",
      file: this.target.folder + name,
      message: "a part that the checkpoint knows of is not there: it was taken away, or its rows are lost",
      hint: "restore an older checkpoint where they are",
    });
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    clearReplaced(this.target);
  }
}

/** At least once: one file a subtask and run, which grows as rows come; a barrier makes what it has durable. */
class GrowingFileSink implements Sink<Batch> {
  private readonly target: Target;
  private part: PartWriter | undefined;
  private rows = 0;
  private hasBegun = false;

  constructor(target: Target) {
    this.target = target;
  }

  write(batch: Batch): void {
    if (batch.rowCount === 0) return;
    this.begin();
    const { files, folder, subtask, firstEpoch, extension, encoder } = this.target;
    this.part ??= new PartWriter(files.create(folder + growingName(subtask, firstEpoch, extension)), encoder());
    this.part.write(batch);
    this.rows += batch.rowCount;
  }

  flush(_epoch: Epoch): FlushResult {
    this.begin();
    this.part?.sync();
    this.rows = 0;
    return { kind: "durable", precommit: null };
  }

  holdsRows(): boolean {
    return this.rows > 0;
  }

  commit(_epoch: Epoch): void {}

  onEos(): void {
    this.begin();
    this.part?.finish();
    this.part = undefined;
  }

  /** A file that was not completed ends behind its last batch. */
  close(): void {
    this.part?.abandon();
    this.part = undefined;
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    clearReplaced(this.target);
  }
}

/** A growing Arrow file is a stream, which can be read up to its last batch; a part has its footer. */
export async function fileSink(config: FileSinkConfig, context: SinkContext): Promise<Sink<Batch>> {
  const isExactlyOnce = config.delivery === "exactly-once";
  const schema = schemaAt(context.inputs, "in");
  const arrow = isExactlyOnce ? "file" : "stream";
  const target: Target = {
    files: context.files,
    folder: `${config.path.replace(/\/+$/, "")}/`,
    extension: config.format === "arrow" && arrow === "stream" ? "arrows" : config.format,
    encoder: await encoderFactory(config.format, schema, { csv: config.csv, arrow, parquet: config.parquet }),
    subtask: context.subtask,
    parallelism: context.parallelism,
    firstEpoch: context.firstEpoch,
    context,
  };
  return isExactlyOnce ? new StagedFileSink(target) : new GrowingFileSink(target);
}
