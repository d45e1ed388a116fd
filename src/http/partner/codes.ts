import { v2Codes } from "../v2/errors.ts";

/** The codes of calls that are refused before their object or their rule is known to the second generation, by HTTP status. */
export const REFUSALS = {
  401: "AUTH_REQUIRED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "CONFLICT",
  502: "UNAVAILABLE",
} as const;

/** Every code that a call of partners may answer: those of the second generation, which partners know, and a few more. */
export const partnerCodes = [...new Set([...v2Codes, ...Object.values(REFUSALS), "RATE_LIMITED" as const, "PASSKEY_REQUIRED" as const])];

export type PartnerCode = (typeof partnerCodes)[number];
