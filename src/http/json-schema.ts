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

/** An integer above `n` is one of at least `n + 1`: some hosts of agents refuse a request whose tools have the other keyword. */
function writeMinimum(schema: Published): void {
  if (schema.type !== "integer" || typeof schema.exclusiveMinimum !== "number") return;
  schema.minimum = schema.exclusiveMinimum + 1;
  delete schema.exclusiveMinimum;
}

/**
 * The `override` for JSON Schema generators. Responses may gain fields, so additional properties are allowed; {@link asSent}
 * says what requests may have. A pattern is dropped if there is a format. An integer has its format and its bounds, because
 * generated clients take one without them for 32 bits. A default is described in words: client generators make a field with a default required.
 */
export function toPublicSchema({ jsonSchema }: { jsonSchema: Published; zodSchema?: z.core.$ZodType }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  writeMinimum(jsonSchema);
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
  const [least, most] = [schema.minimum, schema.maximum];
  const isSmall = typeof least === "number" && typeof most === "number" && least >= -INT32 && most < INT32;
  schema.format = isSmall ? "int32" : "int64";
}

const isPublished = (value: unknown): value is Published => typeof value === "object" && value !== null;

type Inner = Readonly<Record<string, unknown>>;

/**
 * A published schema of what callers send: an optional field may be null, which is the same as leaving it out (interface
 * G.11), and with `isStrict` no object has further fields (G.7). Schemas inside it follow.
 */
export function asSent(schema: Inner, isStrict: boolean): Inner {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isPublished(value) ? asSent({ ...value }, isStrict) : value;
  };
  const { properties, required, ...rest } = schema;
  const around = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, AROUND.has(name) ? inner(value) : value]));
  if (!isPublished(properties)) return around;
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, field]) => {
    const sent = inner(field);
    return [name, needed.includes(name) || !isPublished(sent) ? sent : orNull({ ...sent })];
  });
  return {
    ...around,
    properties: Object.fromEntries(fields),
    ...(required === undefined ? {} : { required }),
    ...(isStrict ? { additionalProperties: false } : {}),
  };
}

/** The keywords that hold schemas. */
const AROUND = new Set(["items", "anyOf", "oneOf", "allOf"]);

/** A field that is always refused (`not`) may be null alone. */
function orNull({ description, example, examples, ...field }: Inner): Inner {
  const texts = {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(examples === undefined ? {} : { examples }),
  };
  if ("not" in field) return { ...texts, type: "null" };
  const either: unknown[] = Array.isArray(field.anyOf) && Object.keys(field).length === 1 ? field.anyOf : [field];
  return { ...texts, anyOf: [...either, { type: "null" }] };
}
