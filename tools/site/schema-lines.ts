import * as z from "zod";

/** What the API description says of a value (JSON Schema), as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  /** A field that is never accepted; its description says why. */
  readonly not?: unknown;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly description?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

/** The described schemas by their names. */
export type Schemas = Readonly<Record<string, Schema>>;

export const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    not: z.unknown().optional(),
    anyOf: z.array(schemaSchema).optional(),
    oneOf: z.array(schemaSchema).optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
    items: schemaSchema.optional(),
    description: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    maxLength: z.number().optional(),
    pattern: z.string().optional(),
  }),
);

/** The processor's objects nest deeper; the description itself has all of them. */
const DEPTH = 4;

/** A list of the fields of a value, nested fields below their own, as lines of Markdown. */
export function fieldLines(schema: Schema, schemas: Schemas, depth = 0): string[] {
  if (depth >= DEPTH) return [];
  return variantsOf(schema, schemas).flatMap((variant, index, all) => {
    const required = new Set(variant.required ?? []);
    const lines = Object.entries(variant.properties ?? {}).flatMap(([name, field]) => [
      `${"  ".repeat(depth)}- \`${name}\`${wordsOf(field, schemas, required.has(name))}`,
      ...fieldLines(field, schemas, depth + 1),
    ]);
    return index > 0 && all.length > 1 && lines.length > 0 ? [`${"  ".repeat(depth)}- or:`, ...lines] : lines;
  });
}

/** The objects that a value may be: one, or one for each variant. Of a list, those of its entries. */
function variantsOf(schema: Schema, schemas: Schemas): Schema[] {
  const found = resolved(schema, schemas);
  if (found.items !== undefined) return variantsOf(found.items, schemas);
  const variants = found.anyOf ?? found.oneOf;
  return variants === undefined
    ? [found]
    : variants.flatMap((one) => variantsOf(one, schemas)).filter((one) => one.properties !== undefined);
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...resolved(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, schemas), ...own };
}

/** A field's type, bounds and meaning in one line. */
function wordsOf(field: Schema, schemas: Schemas, isRequired: boolean): string {
  const found = resolved(field, schemas);
  const facts = [typeOf(found, schemas), boundsOf(found), isRequired ? "required" : ""].filter((one) => one !== "").join(", ");
  const said = (found.description ?? "").replaceAll(/\s*\n\s*/g, " ").trim();
  return ` (${facts})${said === "" ? "" : `: ${said}`}`;
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const found = resolved(schema, schemas);
  if (found.not !== undefined) return "not accepted";
  if (found.const !== undefined) return `\`${JSON.stringify(found.const)}\``;
  if (found.enum !== undefined) return found.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (found.items !== undefined) return `list of ${typeOf(found.items, schemas)}`;
  const variants = found.anyOf ?? found.oneOf;
  if (variants !== undefined) return [...new Set(variants.map((one) => typeOf(one, schemas)))].join(" or ");
  return [found.type ?? "any"].flat().join(" or ");
}

/** A bound of the integers that every client can hold exactly, which says nothing to a reader. */
const isSafe = (bound: number | undefined) => Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER;

function boundsOf({ minimum, maximum, minItems, maxItems, maxLength, pattern }: Schema): string {
  const bounds = [
    range(isSafe(minimum) ? undefined : minimum, isSafe(maximum) ? undefined : maximum, ""),
    range(minItems, maxItems, " entries"),
    range(undefined, maxLength, " characters"),
    pattern === undefined ? "" : `\`${pattern}\``,
  ];
  return bounds.filter((one) => one !== "").join(", ");
}

function range(least: number | undefined, most: number | undefined, what: string): string {
  if (least === undefined) return most === undefined ? "" : `at most ${most}${what}`;
  return most === undefined ? `at least ${least}${what}` : `${least} to ${most}${what}`;
}
