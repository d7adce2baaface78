/** Where Arrow's objects come in and go out; everywhere else a batch is plain buffers. */
export { schemaFromArrow } from "./arrow/arrow-types.ts";
export { fromArrow } from "./arrow/from-arrow.ts";
export { schemaToArrow, toArrow } from "./arrow/to-arrow.ts";
