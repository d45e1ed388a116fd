import type { z } from "zod";
import type { Call } from "./call.ts";
import { jsonSchemaOf } from "./description.ts";

/** An argument of a command, and a field of a form, from the schemas of its call. */
export interface Argument {
  readonly name: string;
  readonly in: "path" | "query" | "body" | "file";
  readonly isPositional: boolean;
  readonly type: "string" | "boolean";
  readonly array?: boolean;
  readonly demandOption?: boolean;
  readonly choices?: readonly string[];
  readonly describe?: string;
  /** Whether the value goes out as a number. */
  readonly isNumber: boolean;
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly description?: string;
}

/** The command's words and positional arguments, in the argument parser's syntax. */
export function describeArguments(call: Call): string {
  const words = argumentsOf(call)
    .filter(({ isPositional }) => isPositional)
    .map(({ name }) => `<${name}>`);
  return [call.command, ...words].join(" ");
}

/** All arguments of a command: path parameters first, in the path's order. */
export function argumentsOf(call: Call): Argument[] {
  const path = fieldsOf(call.params, "path", () => true);
  const isPositional = (name: string) => call.positional.includes(name);
  const query = fieldsOf(call.query, "query", isPositional);
  const body = call.body === null ? [] : fieldsOf(call.body, "body", isPositional);
  const rest = [...query, ...body];
  const file: Argument[] =
    call.file === null ? [] : [{ name: "file", in: "file", isPositional: true, demandOption: true, type: "string", isNumber: false }];
  const positional = call.positional.flatMap((name) => rest.filter((one) => one.name === name && one.isPositional));
  return [...path, ...file, ...positional, ...rest.filter((one) => !one.isPositional)];
}

function fieldsOf(schema: z.ZodType, where: Argument["in"], isPositional: (name: string) => boolean): Argument[] {
  const { properties, required } = merged(jsonSchemaOf(schema, "input"));
  return Object.entries(properties).map(([name, field]) => {
    const { type, array, choices, isNumber } = kindOf(field);
    const positional = isPositional(name);
    return {
      name,
      in: where,
      isPositional: positional,
      type,
      isNumber,
      ...(array ? { array: true } : {}),
      ...(choices.length === 0 ? {} : { choices }),
      ...(positional || required.has(name) ? { demandOption: true } : {}),
      ...(field.description === undefined ? {} : { describe: field.description }),
    };
  });
}

/** The fields of an object, or of all variants of a body. A field is required if every variant requires it. */
function merged(schema: FieldSchema): { readonly properties: Record<string, FieldSchema>; readonly required: ReadonlySet<string> } {
  const variants = schema.oneOf ?? schema.anyOf ?? [schema];
  const properties: Record<string, FieldSchema> = {};
  for (const variant of variants) {
    for (const [name, field] of Object.entries(variant.properties ?? {})) {
      const known = properties[name];
      properties[name] = known === undefined ? field : joined(known, field);
    }
  }
  const required = Object.keys(properties).filter((name) => variants.every((variant) => variant.required?.includes(name) ?? false));
  return { properties, required: new Set(required) };
}

/** A field of two variants: it accepts what either accepts. */
function joined(left: FieldSchema, right: FieldSchema): FieldSchema {
  const { const: _, enum: _values, ...rest } = right;
  const values = [...new Set([...valuesOf(left), ...valuesOf(right)])];
  const descriptions = [...new Set([left.description, right.description])].filter((one) => one !== undefined);
  return {
    ...rest,
    ...(values.length === 0 ? {} : { enum: values }),
    ...(descriptions.length === 0 ? {} : { description: descriptions.join("; ") }),
  };
}

function valuesOf(field: FieldSchema): string[] {
  const values = field.const === undefined ? (field.enum ?? []) : [field.const];
  return values.filter((value) => typeof value === "string");
}

function kindOf(
  field: FieldSchema,
): Pick<Argument, "type" | "isNumber"> & { readonly array: boolean; readonly choices: readonly string[] } {
  // A nullable field is described as one of two schemas; the non-null one counts.
  const [own = field] = (field.anyOf ?? [field]).filter(({ type }) => type !== "null");
  const types = [own.type ?? "string"].flat();
  const isArray = types.includes("array");
  const of = isArray ? (own.items ?? {}) : own;
  const inner = [of.type ?? "string"].flat();
  const choices = valuesOf(of);
  // A flag in a query is one of these two texts.
  const isFlag = choices.length === 2 && choices.includes("true") && choices.includes("false");
  return {
    type: inner.includes("boolean") || isFlag ? "boolean" : "string",
    isNumber: inner.includes("integer") || inner.includes("number"),
    array: isArray,
    choices: isFlag ? [] : choices,
  };
}
