import { rejectInput } from "../core/errors.ts";

/** The header by which many clients send the key of a request that must happen once. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";

/**
 * A body with the key of the header in its own field, if the body has none (docs/interface.md G.12).
 * @throws ServiceFailure `invalid_input` if both were sent and differ.
 */
export function withKeyOfHeader(body: Record<string, unknown>, header: string | undefined, field: string): Record<string, unknown> {
  if (header === undefined || header === "") return body;
  const sent = body[field];
  if (sent === undefined || sent === null) return { ...body, [field]: header };
  if (sent !== header) {
    rejectInput(`${field}: differs from the header ${IDEMPOTENCY_HEADER}; send one of them, or the same in both`, field);
  }
  return body;
}
