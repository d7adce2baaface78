import { WeirError } from "../../base/errors.ts";

/** What a file says of its buffers is not what they hold. */
export function damaged(what: string): WeirError {
  return new WeirError({
    code: "arrow-damaged",
    domain: "data",
    message: `the Arrow column is damaged: ${what}`,
    hint: "write the data again",
  });
}
