import { ServiceFailure } from "../core/errors.ts";

/**
 * Wire names of fields that do not follow from the domain's names: `items[].productId` to `items[].stripe_product_id`.
 */
export type WireNames = Readonly<Record<string, string>>;

/**
 * The wire path of a field, from its path in the domain. Without an entry in `names`, camel case becomes snake case.
 */
export function toWireField(path: string, names: WireNames): string {
  const indices = [...path.matchAll(/\[\d+\]/g)].map(([index]) => index);
  const pattern = path.replaceAll(/\[\d+\]/g, "[]");
  const named = names[pattern] ?? pattern.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return named.replaceAll("[]", () => indices.shift() ?? "[]");
}

/**
 * Runs an operation, and puts wire field names into its failures, because the domain modules do not know the wire. The
 * message of `invalid_input` then starts with the field.
 */
export async function withWireFields<Result>(names: WireNames, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure) || !("field" in thrown.error) || thrown.error.field === undefined) throw thrown;
    const { error, sideEffects, cause } = thrown;
    const field = toWireField(thrown.error.field, names);
    const renamed = error.kind === "invalid_input" ? { ...error, field, message: `${field}: ${error.message}` } : { ...error, field };
    throw new ServiceFailure(renamed, { sideEffects, cause });
  }
}
