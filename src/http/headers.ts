/** The header in which many clients send their idempotency key. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";

/**
 * The different values of a header that holds one value. Proxies and retrying clients send a header twice, and the platform
 * joins the lines with a comma: equal values are one (docs/interface.md G.14).
 */
export function headerValues(headers: Headers, name: string): readonly string[] {
  const values = (headers.get(name) ?? "").split(",").map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== "");
}

/** The value of a header that holds one value; undefined for none. Different values stay joined, so that no check accepts them. */
export function headerValue(headers: Headers, name: string): string | undefined {
  const values = headerValues(headers, name);
  return values.length === 0 ? undefined : values.join(", ");
}

/**
 * The name of a header by which another service takes an idempotency key, if one was sent: X-Idempotency-Key,
 * Idempotence-Key, Cko-Idempotency-Key, Idempotency_Key and the like. Null for none.
 */
export function otherIdempotencyHeader(headers: Headers): string | null {
  const names = [...headers.keys()];
  const found = names.find((name) => isIdempotencyName(name) && name.toLowerCase() !== IDEMPOTENCY_HEADER.toLowerCase());
  return found ?? null;
}

const isIdempotencyName = (name: string) => /idempoten(?:cy|ce|t)(?:key|token|id)?$/.test(name.toLowerCase().replaceAll(/[-_]/g, ""));
