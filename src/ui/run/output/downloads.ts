import { encoderFactory, sliceBatch } from "../../../engine/index.ts";
import type { SinkOutput } from "../../engine-client/sink-output.ts";
import { download } from "../../shell/file-actions.ts";

export type DownloadFormat = "ndjson" | "csv" | "arrow" | "parquet";

export const DOWNLOADS: readonly { readonly format: DownloadFormat; readonly title: string }[] = [
  { format: "ndjson", title: "NDJSON" },
  { format: "csv", title: "CSV" },
  { format: "arrow", title: "Arrow" },
  { format: "parquet", title: "Parquet" },
];

const TYPES: Readonly<Record<DownloadFormat, string>> = {
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.file",
  parquet: "application/vnd.apache.parquet",
};

/** The kept rows as a file, written by the encoders of the engine. */
export async function downloadRows(output: SinkOutput, name: string, format: DownloadFormat): Promise<void> {
  const blob = new Blob(await encoded(output, format), { type: TYPES[format] });
  download(blob, `${name.replaceAll(/[^\p{L}\p{N} _.-]/gu, "-")}.${format}`);
}

async function encoded(output: SinkOutput, format: DownloadFormat): Promise<Uint8Array<ArrayBuffer>[]> {
  const make = await encoderFactory(format, output.schema, {
    csv: { delimiter: ",", header: true },
    arrow: "file",
    parquet: { compression: "snappy", rowGroupRows: 122_880 },
  });
  const encoder = make();
  const pieces = [encoder.start()];
  for (const { batch, from } of output.keptBatches()) {
    if (from >= batch.rowCount) continue;
    pieces.push(encoder.encode(from === 0 ? batch : sliceBatch(batch, from, batch.rowCount)));
  }
  pieces.push(encoder.end());
  return pieces.map((piece) => new Uint8Array(piece));
}
