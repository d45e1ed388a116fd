import type { z } from "zod";

/** The schema fields that {@link publish} changes; JSON Schema and OpenAPI both have them. */
interface Published {
  format?: unknown;
  pattern?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  additionalProperties?: unknown;
}

/**
 * The `override` for JSON Schema generators. Responses may gain fields and unknown request fields are ignored, so
 * additional properties are allowed. A pattern is dropped if there is a format, and so are the bounds of safe integers.
 */
export function publish({ jsonSchema }: { jsonSchema: Published; zodSchema?: z.core.$ZodType }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
