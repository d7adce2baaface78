import { type ErrorData, WeirError } from "../base/errors.ts";
import type { Batch } from "../data/batch.ts";
import { ndjsonOf } from "../data/json-rows.ts";
import { filterByBytes } from "../data/kernels/filter.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import { decodeUtf8 } from "../data/text.ts";
import type { RowError, RowErrors } from "../expressions/frame.ts";
import type { OnError } from "./catalog.ts";
import type { StageContext } from "./context.ts";

/** So many row errors are shown; all are counted. */
const SAMPLES = 5;
const SHOWN = 300;

/** What a node does about rows for which its expressions fail (D-25): they are counted, with a few samples, and dropped or kept, or the run fails. */
export class RowErrorRule {
  private readonly onError: OnError;
  private readonly fields: readonly string[];
  private readonly context: StageContext;
  private samples = 0;

  /** @param fields of the config, one for each expression */
  constructor(onError: OnError, fields: readonly string[], context: StageContext) {
    this.onError = onError;
    this.fields = fields;
    this.context = context;
  }

  /**
   * Says what failed in the batch.
   *
   * @throws WeirError `row-error` where that ends the run
   */
  tell(errors: RowErrors, batch: Batch): void {
    if (errors.first === null) return;
    if (this.onError === "fail") throw new WeirError(this.errorOf(errors.first, errors.expression, batch));
    this.context.count("errors", errors.count);
    if (this.samples++ < SAMPLES) this.context.note(this.errorOf(errors.first, errors.expression, batch));
  }

  /** A byte a row, 1 for those that leave the flow; `null`: none does. */
  dropped(errors: RowErrors): Uint8Array | null {
    return this.onError === "drop" ? errors.mask : null;
  }

  private errorOf({ row, message }: RowError, expression: number, batch: Batch): ErrorData {
    const text = decodeUtf8(ndjsonOf(sliceBatch(batch, row, row + 1))).trim();
    const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
    return {
      code: "row-error",
      domain: "data",
      node: this.context.node,
      field: `config.${this.fields[expression]}`,
      message: `${message}, in the row ${shown}`,
      hint: this.onError === "fail" ? "TRY_CAST or CASE avoid it; onError drops such rows, or takes NULL" : undefined,
    };
  }
}

const stays = { mask: new Uint8Array(0) };

/** The rows that did not fail. */
export function withoutFailed(batch: Batch, failed: Uint8Array): Batch {
  if (stays.mask.length < batch.rowCount) stays.mask = new Uint8Array(batch.rowCount);
  for (let i = 0; i < batch.rowCount; i++) stays.mask[i] = (failed[i] as number) ^ 1;
  return filterByBytes(batch, stays.mask);
}
