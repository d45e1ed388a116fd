import { z } from "zod";

/** A JSON text parsed and checked against a schema; throws where either fails. For rows and messages of our own. */
export function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  return schema.parse(JSON.parse(text));
}

export const jsonObjectSchema = z.record(z.string(), z.json());
export type JsonObject = z.infer<typeof jsonObjectSchema>;

/** JSON with the keys of every object in order, so that equal values give equal texts whatever order they came in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

function isContainer(value: unknown): value is Record<string, unknown> | unknown[] {
  return value !== null && typeof value === "object";
}

/** Whether every text in a JSON value, keys aside, is one that can be sent on: no half of a surrogate pair. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return !isContainer(value) || Object.values<unknown>(value).every(isWellFormed);
}

/** Whether a JSON value nests deeper than `limit` containers. Iterative: the value may be hostile. */
export function deeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter(isContainer);
    if (containers.length > 0 && depth >= limit) return true;
    level = containers.flatMap((inner) => Object.values<unknown>(inner));
  }
  return false;
}
