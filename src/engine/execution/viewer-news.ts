import { unpackBatch } from "./pack-batch.ts";
import type { FromHost } from "./protocol.ts";
import type { RunOptions } from "./run-options.ts";

/** Hands on what hosts say for people, and on which nothing of the run depends. */
export function tellViewer(
  news: Extract<FromHost, { readonly kind: "file" | "note" | "sample" }>,
  options: Pick<RunOptions, "onFile" | "onNote" | "onSample">,
): void {
  switch (news.kind) {
    case "file":
      options.onFile?.(news.path, news.bytes);
      return;
    case "note":
      options.onNote?.(news.error);
      return;
    case "sample":
      options.onSample?.(news.edge, unpackBatch(news.batch));
      return;
  }
}
