import { ServiceFailure } from "../core/errors.ts";

/** The names of an operation's fields that do not follow from the domain's: `items[].productId` to `items[].stripe_product_id`. */
export type WireNames = Readonly<Record<string, string>>;

/**
 * The path of a field as the caller sent it, from the path in the domain's names. Without an entry in `names`, a name
 * in camel case becomes one in snake case.
 */
export function toWireField(path: string, names: WireNames): string {
  const indices = [...path.matchAll(/\[\d+\]/g)].map(([index]) => index);
  const pattern = path.replaceAll(/\[\d+\]/g, "[]");
  const named = names[pattern] ?? pattern.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return named.replaceAll("[]", () => indices.shift() ?? "[]");
}

/**
 * Runs an operation, and puts the wire's field names in its failures: the domain modules know nothing of the wire. The
 * message of `invalid_input` then begins with the field.
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
