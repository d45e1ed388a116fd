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
  type?: unknown;
  anyOf?: unknown;
  exclusiveMinimum?: unknown;
}

/**
 * The `override` for JSON Schema generators. Responses may gain fields and unknown request fields are ignored, so
 * additional properties are allowed. A pattern is dropped if there is a format. An integer has its format and its bounds, because
 * generated clients take one without them for 32 bits. A default is described in words: client generators make a field with a default required.
 */
export function toPublicSchema({ jsonSchema }: { jsonSchema: Published; zodSchema?: z.core.$ZodType }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  addIntegerFormat(jsonSchema);
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
}

const INT32 = 2 ** 31;

/** Adds `int32` or `int64` to an integer. The generator gives each the bounds of safe integers at least. */
function addIntegerFormat(schema: Published): void {
  // An integer or null, of which the generator makes two schemas once one of them has a format.
  const [integer, none, ...more] = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isPublished) : [];
  if (integer?.type === "integer" && none?.type === "null" && more.length === 0) {
    Object.assign(schema, integer, { type: ["integer", "null"] });
    delete schema.anyOf;
  } else if (schema.type !== "integer") return;
  const [least, most] = [schema.minimum ?? schema.exclusiveMinimum, schema.maximum];
  const isSmall = typeof least === "number" && typeof most === "number" && least >= -INT32 && most < INT32;
  schema.format = isSmall ? "int32" : "int64";
}

const isPublished = (value: unknown): value is Published => typeof value === "object" && value !== null;
