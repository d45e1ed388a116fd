import type { z } from "zod";

/** The schema fields that {@link toPublicSchema} changes; JSON Schema and OpenAPI both have them. */
interface Published {
  default?: unknown;
  discriminator?: unknown;
  description?: unknown;
  format?: unknown;
  pattern?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  additionalProperties?: unknown;
}

/**
 * The `override` for JSON Schema generators. Responses may gain fields and unknown request fields are ignored, so
 * additional properties are allowed. A pattern is dropped if there is a format, and so are the bounds of safe integers.
 * A default is said in words: of a field that has one, generators make one that must be given.
 */
export function toPublicSchema({ jsonSchema }: { jsonSchema: Published; zodSchema?: z.core.$ZodType }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // A discriminator is a text (OpenAPI 3.1). `success` is none: its two constants tell the answers apart.
  delete jsonSchema.discriminator;
  if (jsonSchema.default !== undefined) {
    // An object's own fields say theirs.
    const isPlain = typeof jsonSchema.default !== "object";
    const said = [jsonSchema.description, isPlain ? `Left out: ${JSON.stringify(jsonSchema.default)}` : undefined];
    const description = said.filter((part) => typeof part === "string").join(". ");
    if (description !== "") jsonSchema.description = description;
    delete jsonSchema.default;
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
