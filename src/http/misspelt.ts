import * as z from "zod";
import { rejectInput } from "../core/errors.ts";

/** The known fields of a body, each with those in it; of a list, those of its entries. */
export interface FieldTree {
  readonly fields: ReadonlyMap<string, FieldTree>;
}

const NONE: FieldTree = { fields: new Map() };

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The known fields of an input, at every level. */
export function fieldsOf(input: z.ZodType): FieldTree {
  return treeOf(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
}

function treeOf(schema: JsonSchema | boolean | undefined): FieldTree {
  if (schema === undefined || typeof schema === "boolean") return NONE;
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const own = Object.entries(properties).map(([name, inner]) => [name, treeOf(inner)] as const);
  const others = [...(Array.isArray(items) ? items : [items]), ...anyOf, ...oneOf, ...allOf].flatMap((inner) => [...treeOf(inner).fields]);
  return { fields: new Map([...others, ...own]) };
}

/** Without case and separators: how a known field is recognised in a wrong spelling. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * Refuses a field that is a known one misspelt: in other case, with other separators, or as the other generation calls a
 * key. Other unknown fields are ignored; but whoever misspells a key believes that a repeat is safe, and it is not.
 * @throws ServiceFailure `invalid_input`, naming the right field.
 */
export function refuseMisspelt(tree: FieldTree, body: unknown, otherKeys: Readonly<Record<string, string>>, path = ""): void {
  if (Array.isArray(body)) {
    for (const [index, entry] of body.entries()) refuseMisspelt(tree, entry, otherKeys, `${path}[${index}]`);
    return;
  }
  if (body === null || typeof body !== "object") return;
  for (const [name, value] of Object.entries(body)) {
    const at = path === "" ? name : `${path}.${name}`;
    const inner = tree.fields.get(name);
    if (inner !== undefined) refuseMisspelt(inner, value, otherKeys, at);
    else refuseIfMisspelt(tree, name, at, otherKeys);
  }
}

function refuseIfMisspelt({ fields }: FieldTree, name: string, at: string, otherKeys: Readonly<Record<string, string>>): void {
  const asked = plain(name);
  const [, alias] = Object.entries(otherKeys).find(([other]) => plain(other) === asked) ?? [];
  const right = alias !== undefined && fields.has(alias) ? alias : [...fields.keys()].find((known) => plain(known) === asked);
  if (right !== undefined) rejectInput(`${at}: is not a field here; write ${right}`, at);
}
