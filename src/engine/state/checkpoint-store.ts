import { errorText, WeirError } from "../base/errors.ts";
import type { FileStore } from "../base/files.ts";
import { type Epoch, epoch as toEpoch } from "../base/ids.ts";
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from "./checkpoint.ts";

const NAME = /^checkpoint-(0|[1-9]\d*)\.weir$/;
const nameOf = (epoch: number): string => `checkpoint-${epoch}.weir`;
/** What is being written. One that stays behind is of a run that died meanwhile. */
const PARTIAL = ".checkpoint.part";

/**
 * Checkpoints in a folder, a file each. A file has its name only when it is whole and durable, so one that was half written is never
 * found (P-26), and the newest whole one is never removed.
 */
export class CheckpointStore {
  private readonly files: FileStore;
  /** Ends with a slash. */
  private readonly folder: string;
  private readonly retained: number;

  /** @param retained how many of the newest are kept, at least 1 */
  constructor(files: FileStore, folder: string, retained: number) {
    this.files = files;
    this.folder = `${folder.replace(/\/+$/, "")}/`;
    this.retained = retained;
  }

  /** Epochs of which there is a checkpoint, oldest first. */
  epochs(): Epoch[] {
    const numbers = this.files.list(this.folder).flatMap((name) => {
      const number = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      return Number.isSafeInteger(number) ? [number] : [];
    });
    return numbers.sort((a, b) => a - b).map(toEpoch);
  }

  /**
   * Durable when it returns; then what is more than is to be kept goes.
   * @throws WeirError `file-unwritable`
   */
  save(checkpoint: Checkpoint): void {
    const file = this.files.create(this.folder + PARTIAL);
    try {
      file.write(encodeCheckpoint(checkpoint));
      file.sync();
    } finally {
      file.close();
    }
    this.files.rename(this.folder + PARTIAL, this.folder + nameOf(checkpoint.epoch));
    for (const old of this.epochs().slice(0, -this.retained)) this.remove(old);
  }

  /** @throws WeirError `file-not-found`, `file-unreadable`, `snapshot-damaged`, `snapshot-version`, `no-checkpoint`, naming the file */
  async load(epoch: Epoch): Promise<Checkpoint> {
    const path = this.folder + nameOf(epoch);
    const file = await this.files.open(path);
    try {
      return decodeCheckpoint(await file.read(0, file.size ?? 0));
    } catch (error) {
      if (error instanceof WeirError) throw new WeirError({ ...error.data, file: path });
      throw error;
    } finally {
      await file.close();
    }
  }

  /**
   * The newest that can be read; `undefined` when there is none at all.
   * @param skipped is told of each newer one that cannot
   * @throws WeirError of the newest, when none can be read: a run must not start empty where there was state
   */
  async latest(skipped: (epoch: Epoch, why: string) => void): Promise<Checkpoint | undefined> {
    let newest: WeirError | undefined;
    for (const epoch of this.epochs().reverse()) {
      try {
        return await this.load(epoch);
      } catch (error) {
        if (!(error instanceof WeirError)) throw error;
        newest ??= error;
        skipped(epoch, errorText(error));
      }
    }
    if (newest !== undefined) {
      throw new WeirError({ ...newest.data, hint: "no checkpoint there can be read: begin anew with an empty folder" });
    }
    return undefined;
  }

  /** Removes what is newer than the checkpoint that a run goes back to: it is of a course of events that did not come to be (D-14). */
  forgetAfter(epoch: Epoch): void {
    for (const each of this.epochs()) if (each > epoch) this.remove(each);
  }

  private remove(epoch: Epoch): void {
    this.files.remove(this.folder + nameOf(epoch));
  }
}
