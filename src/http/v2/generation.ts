import * as z from "zod";
import type { ApiGeneration } from "../generation.ts";
import { toV2Failure, v2CodeOf } from "./errors.ts";

/** The second generation (interface G.2): upper-case codes, and the offending field in `details`. */
export const v2: ApiGeneration = {
  name: "v2",
  title: "Second generation",
  prefix: "/",
  limitedCode: "RATE_LIMITED",
  keyField: "client_token",
  isStrict: true,
  otherKeys: { idempotency_key: "client_token" },
  codeOf: v2CodeOf,
  toFailure: toV2Failure,
  failureFields: {
    details: z
      .object({ field: z.string().describe("The path of the offending field, as sent: items[2].quantity") })
      .meta({ title: "ErrorDetails" })
      .optional(),
  },
};
