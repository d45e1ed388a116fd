import { type Fields, type Shape, shapesSchema } from "./shape.ts";
import { OBJECTS } from "./shape-roots.ts";
import text from "./shapes.json" with { type: "json" };

/** The processor's shapes, as `npm run shapes` extracted them from its library. */
export const shapes = shapesSchema.parse(text);

/** The fields of a schema. @throws Error for a name that the extract does not have. */
export function schemaNamed(name: string): Fields {
  const found = shapes.schemas[name];
  if (found === undefined) throw new Error(`no schema ${name}`);
  return found;
}

const schemaNames: ReadonlyMap<string, string> = new Map(Object.entries(OBJECTS));

/** The name of the schema of a kind of object, such as `payment_link`; undefined if no such object is made here. */
export function schemaNameOf(kind: unknown): string | undefined {
  return typeof kind === "string" ? schemaNames.get(kind) : undefined;
}

/** The shape of a field, optional or not; undefined if the schema has no such field. */
export function fieldOf(fields: Fields, name: string): Shape | undefined {
  return fields[name] ?? fields[`${name}?`];
}

/** The shapes that a value may have: those of a union, or the one. */
export function alternatives(shape: Shape): readonly Shape[] {
  return typeof shape === "object" && "any" in shape ? shape.any : [shape];
}
