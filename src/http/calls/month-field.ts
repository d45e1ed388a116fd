import * as z from "zod";

/** A month of the books, such as 2026-10. */
export const monthField = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, "must be a month, such as 2026-10");
