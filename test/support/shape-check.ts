import type { Shape } from "../../sandbox/processor/shape.ts";
import { schemaNamed, schemaNameOf } from "../../sandbox/processor/shapes.ts";

/** Where a published object differs from its schema: fields that are missing, unknown or of another type. */
export function misfitsOf(object: Record<string, unknown>): string[] {
  const name = schemaNameOf(object.object);
  return name === undefined ? [`no schema of ${String(object.object)}`] : misfitsOfFields(object, name, String(object.object));
}

function misfitsOfFields(object: Record<string, unknown>, name: string, path: string): string[] {
  const fields = schemaNamed(name);
  const known = new Map(
    Object.entries(fields).map(([field, shape]) => [field.replace(/\?$/, ""), { shape, optional: field.endsWith("?") }]),
  );
  const unknown = Object.keys(object).filter((field) => !known.has(field));
  return [
    ...unknown.map((field) => `${path}.${field} does not exist`),
    ...[...known].flatMap(([field, { shape, optional }]) => {
      const value = object[field];
      if (value === undefined) return optional ? [] : [`${path}.${field} is missing`];
      return fits(value, shape) ? inside(value, shape, `${path}.${field}`) : [`${path}.${field} is no ${JSON.stringify(shape)}`];
    }),
  ];
}

const choicesOf = (shape: Shape) => (typeof shape === "object" && "any" in shape ? shape.any : [shape]);

function fits(value: unknown, shape: Shape): boolean {
  return choicesOf(shape).some((choice) => {
    if (choice === "any") return true;
    if (choice === "null") return value === null;
    if (typeof choice === "string") return typeof value === choice;
    if ("enum" in choice) return choice.enum.some((one) => one === value) || (choice.open === true && typeof value === "string");
    if ("array" in choice) return Array.isArray(value);
    if ("resource" in choice) return typeof value === "string";
    return typeof value === "object" && value !== null && !Array.isArray(value);
  });
}

function inside(value: unknown, shape: Shape, path: string): string[] {
  if (value === null || typeof value !== "object") return [];
  const choices = choicesOf(shape).filter((choice) => typeof choice === "object");
  const entry = choices.flatMap((choice) => ("array" in choice ? [choice.array] : "list" in choice ? [choice.list] : []))[0];
  const entries = Array.isArray(value) ? value : "data" in value && Array.isArray(value.data) ? value.data : undefined;
  if (entry !== undefined && entries !== undefined) return entries.flatMap((one, index) => inside(one, entry, `${path}[${index}]`));
  const refs = choices.flatMap((choice) => ("ref" in choice ? [choice.ref] : []));
  const ref = refs.find((name) => "object" in value && schemaNameOf(value.object) === name) ?? refs[0];
  return ref === undefined ? [] : misfitsOfFields({ ...value }, ref, path);
}
