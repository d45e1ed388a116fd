import type { z } from "zod";

/** What this changes in a schema that is published; both JSON Schema and the API description have it. */
interface Published {
  format?: unknown;
  pattern?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  additionalProperties?: unknown;
}

/**
 * For `override` of whatever writes a schema as JSON Schema. Fields may be added to an answer, and unknown ones in a
 * request are ignored, so others are not ruled out; and what a format or a type says already is not said again by a
 * pattern or by the bounds of a double.
 */
export function publish({ jsonSchema }: { jsonSchema: Published; zodSchema?: z.core.$ZodType }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
