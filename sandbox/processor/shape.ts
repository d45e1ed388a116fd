import * as z from "zod";

/**
 * A type of the processor, extracted from its library. `ref` names a schema of the same file. `resource` is an object
 * that the sandbox never creates: only its id occurs. A `list` is a page of the processor's API.
 */
export type Shape =
  | "string"
  | "number"
  | "boolean"
  | "null"
  | "any"
  | { readonly enum: readonly (string | number | boolean)[]; readonly open?: true }
  | { readonly array: Shape }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly ref: string }
  | { readonly resource: string }
  | { readonly any: readonly Shape[] };

const shapeSchema: z.ZodType<Shape> = z.lazy(() =>
  z.union([
    z.enum(["string", "number", "boolean", "null", "any"]),
    z.strictObject({ enum: z.array(z.union([z.string(), z.number(), z.boolean()])), open: z.literal(true).optional() }),
    z.strictObject({ array: shapeSchema }),
    z.strictObject({ list: shapeSchema }),
    z.strictObject({ map: shapeSchema }),
    z.strictObject({ ref: z.string() }),
    z.strictObject({ resource: z.string() }),
    z.strictObject({ any: z.array(shapeSchema) }),
  ]),
) as z.ZodType<Shape>;

/** The fields of a schema; the name of an optional one ends with `?`. */
export type Fields = Readonly<Record<string, Shape>>;

export const shapesSchema = z.strictObject({
  /** The package and version that the shapes come from. */
  from: z.string(),
  apiVersion: z.string(),
  schemas: z.record(z.string(), z.record(z.string(), shapeSchema)),
});

export type Shapes = z.infer<typeof shapesSchema>;
