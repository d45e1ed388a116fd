/** The types of files that an answer may have. */
export const fileTypes = ["text/csv", "application/x-ndjson"] as const;
