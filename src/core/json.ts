import * as z from "zod";

/** Parses JSON text and validates it. Throws if parsing or validation fails. For our own rows and messages. */
export function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  return schema.parse(JSON.parse(text));
}

/**
 * Parses JSON. Each number that JavaScript would print differently (above 2^53, or with trailing zeros) is kept as its
 * text. Throws for invalid JSON.
 */
export function parseKeepingNumbers(text: string): unknown {
  return JSON.parse(text, keptNumber) as unknown;
}

/**
 * Parses JSON. Each integer above 2^53 is kept as its text, because an id must not be rounded. Throws for invalid JSON.
 */
export function parseKeepingLargeNumbers(text: string): unknown {
  return JSON.parse(text, keptLargeNumber) as unknown;
}

/** The runtime passes the text of each value (ECMAScript's JSON.parse source text access). */
type ReviverWithSource = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

const keptNumber: ReviverWithSource = (_key, value, context) =>
  typeof value === "number" && context?.source !== undefined && String(value) !== context.source ? context.source : value;

const keptLargeNumber: ReviverWithSource = (_key, value, context) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source !== undefined ? context.source : value;

export const jsonObjectSchema = z.record(z.string(), z.json());
export type JsonObject = z.infer<typeof jsonObjectSchema>;

/** JSON with sorted object keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

/** Whether a JSON value is an object or a list. */
export function isContainer(value: unknown): value is Record<string, unknown> | unknown[] {
  return value !== null && typeof value === "object";
}

/** Whether all strings in a JSON value have no lone surrogates, so they can be sent upstream. Keys are not checked. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return !isContainer(value) || Object.values<unknown>(value).every(isWellFormed);
}

/** Whether a JSON value nests deeper than `limit` containers. Iterative, because the value is untrusted. */
export function exceedsDepth(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter(isContainer);
    if (containers.length > 0 && depth >= limit) return true;
    level = containers.flatMap((inner) => Object.values<unknown>(inner));
  }
  return false;
}
