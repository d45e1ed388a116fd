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
 * A default is described in words: client generators make a field with a default required.
 */
export function toPublicSchema({ jsonSchema }: { jsonSchema: Published; zodSchema?: z.core.$ZodType }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // A discriminator needs a text (OpenAPI 3.1). `success` has two boolean constants.
  delete jsonSchema.discriminator;
  if (jsonSchema.default !== undefined) {
    // The fields of an object have defaults of their own.
    const isPlain = typeof jsonSchema.default !== "object";
    const said = [jsonSchema.description, isPlain ? `Left out: ${JSON.stringify(jsonSchema.default)}` : undefined];
    const description = said.filter((part) => typeof part === "string").join(". ");
    if (description !== "") jsonSchema.description = description;
    delete jsonSchema.default;
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
