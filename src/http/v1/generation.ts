import type { ApiGeneration } from "../generation.ts";
import { toV1Failure, v1CodeOf } from "./errors.ts";

/** The first generation (interface G.1): lower-case codes, no details. */
export const v1: ApiGeneration = {
  name: "v1",
  title: "First generation",
  prefix: "/webhook/",
  limitedCode: "rate_limited",
  keyField: "idempotency_key",
  isStrict: false,
  otherKeys: { client_token: "idempotency_key" },
  codeOf: v1CodeOf,
  toFailure: toV1Failure,
  failureFields: {},
};
