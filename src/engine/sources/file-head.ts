import { WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { crc32 } from "../state/crc32.ts";
import { numberOf, recordOf } from "./position.ts";

const HEAD_BYTES = 4096;

/** What tells a file from others of the same path: how it begins. It stays the same where rows are appended. */
export type FileHead = { readonly bytes: number; readonly crc: number };

/** Null of what cannot be read twice: a stream. */
export async function headOf(file: ReadableFile, bytes = HEAD_BYTES): Promise<FileHead | null> {
  if (file.size === undefined) return null;
  const head = await file.read(0, Math.min(bytes, file.size));
  return { bytes: head.length, crc: crc32(head) };
}

/**
 * A position in one file means nothing in another one (P-18). One that is shorter is told by its reader.
 * @param saved the head that the position was taken with
 * @throws WeirError `other-file`
 */
export async function checkHead(file: ReadableFile, saved: SnapshotValue | undefined): Promise<void> {
  const { bytes, crc } = recordOf(saved);
  if (bytes === undefined || crc === undefined) return;
  const now = await headOf(file, numberOf(bytes));
  if (now === null || now.bytes < numberOf(bytes) || now.crc === crc) return;
  throw new WeirError({
    code: "other-file",
    domain: "checkpoint",
    message: "the file does not begin as it did at the checkpoint: it is another one, or was changed",
    hint: "put back the file that the checkpoint was taken with, or start without the checkpoint",
  });
}
