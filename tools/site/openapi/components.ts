import { isDeepStrictEqual } from "node:util";
import * as z from "zod";

const documentSchema = z.looseObject({ components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }) });
const titledSchema = z.looseObject({ title: z.string(), type: z.unknown().refine((type) => type !== undefined) });

/** `get-partner-processor-payment` or `Processor.payment_method.refused` as a type name. */
export function typeNameOf(name: string): string {
  return name.replaceAll(/(?:^|[-._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/**
 * Moves each schema with a title into the named components, and references it. Client generators then make one
 * well-named type instead of one per place.
 * @throws Error if two different schemas have one title, or a component has it already
 */
export function nameComponents(document: object) {
  const named: Record<string, unknown> = {};
  const moved = documentSchema.parse(move(document));
  const { schemas } = moved.components;
  for (const [title, schema] of Object.entries(named)) {
    if (schemas[title] !== undefined) throw new Error(`Two components have the name ${title}.`);
    schemas[title] = schema;
  }
  return moved;

  function move(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== "object" || value === null) return value;
    const titled = titledSchema.safeParse(value).data;
    const inner = Object.entries(titled ?? value).map(([key, part]: [string, unknown]): [string, unknown] => [key, move(part)]);
    if (titled === undefined) return Object.fromEntries(inner);
    // Texts about one place stay there.
    const { title, description, ...schema }: Record<string, unknown> = Object.fromEntries<unknown>(inner);
    const name = String(title);
    if (named[name] !== undefined && !isDeepStrictEqual(named[name], schema)) throw new Error(`Two schemas have the title ${name}.`);
    named[name] = schema;
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
  }
}
