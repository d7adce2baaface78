export const FILE_FORMATS = ["csv", "ndjson", "arrow", "parquet"] as const;

/** How the rows of a file are written down. */
export type FileFormat = (typeof FILE_FORMATS)[number];
