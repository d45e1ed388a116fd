import * as z from "zod";

/** Who created an object. */
export const holderField = z
  .string()
  .nullable()
  .describe(
    "Who created it, as in the audit log: `holder of key_…`, `agent grant_… of key_…`, `person emp_…`; null for a link from moderation",
  );
