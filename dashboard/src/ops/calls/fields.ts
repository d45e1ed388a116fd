import type { Schema } from "@cfworker/json-schema";
import type { CallDefinition } from "../api/call-definition.ts";

type Json = Readonly<Record<string, unknown>>;

/** A field of a call's form. */
export interface FormField {
  readonly name: string;
  readonly kind: "text" | "number" | "decimal" | "amount" | "flag" | "choice" | "choices" | "list" | "date" | "moment" | "file";
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly help: string | undefined;
  readonly maxLength: number | undefined;
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);

const schemaIn = (value: unknown): Schema | undefined => (isSchema(value) ? value : undefined);

/** A schema without the alternative that is null. */
function present(schema: Schema): Schema {
  const others = (schema.anyOf ?? []).map(schemaIn).filter((one) => one !== undefined && one.type !== "null");
  const [only] = others;
  return others.length === 1 && only !== undefined ? { ...schema, ...only } : schema;
}

/** The shapes that a body may have; one, unless it is a choice between objects. */
function shapesOf(body: Schema | null): readonly Schema[] {
  if (body === null) return [];
  const alternatives: readonly unknown[] = body.oneOf ?? body.anyOf ?? [];
  const shapes = alternatives.filter(isSchema);
  return shapes.length > 0 ? shapes : [body];
}

function constOf(schema: Schema | undefined): string | undefined {
  const value: unknown = schema?.const;
  return typeof value === "string" ? value : undefined;
}

/** The field that says which shape a body has, with its values: `kind`, of card and ruble. */
export function choiceOfShape(call: CallDefinition): { readonly name: string; readonly values: readonly string[] } | null {
  const shapes = shapesOf(call.body);
  if (shapes.length < 2) return null;
  const [first] = shapes;
  const name = Object.keys(first?.properties ?? {}).find((one) =>
    shapes.every((shape) => constOf(schemaIn(shape.properties?.[one])) !== undefined),
  );
  if (name === undefined) return null;
  return { name, values: shapes.flatMap((shape) => constOf(schemaIn(shape.properties?.[name])) ?? []) };
}

/** The fields that a form asks for, required ones first. What is given already is left out, and what the values make meaningless. */
export function fieldsOf(call: CallDefinition, given: Json, values: Json, initial: Json): readonly FormField[] {
  const choice = choiceOfShape(call);
  const known = { ...values, ...given };
  const shapes = shapesOf(call.body);
  const chosen =
    choice === null ? shapes : shapes.filter((shape) => constOf(schemaIn(shape.properties?.[choice.name])) === known[choice.name]);
  // Without a field that says which one it is, the shape is the one that has what the form begins with.
  const begun = Object.keys(initial).filter((name) => shapes.some((shape) => name in (shape.properties ?? {})));
  const fitting = shapes.filter((shape) => begun.every((name) => name in (shape.properties ?? {})));
  const bodies = choice === null ? fitting : chosen.length === 0 ? shapes.slice(0, 1) : chosen;
  const isOneShape = bodies.length === 1;
  const found = new Map<string, FormField>();
  for (const schema of [call.params, call.query, ...bodies]) {
    for (const [name, value] of Object.entries(schema.properties ?? {})) {
      const of = schemaIn(value);
      if (of === undefined || name in given || name === choice?.name || constOf(of) !== undefined || PAGING.has(name)) continue;
      const isInBody = schema !== call.params && schema !== call.query;
      const isRequired = (schema.required ?? []).includes(name) && (isOneShape || !isInBody) && of.default === undefined;
      if (!found.has(name)) found.set(name, fieldOf(name, present(of), isRequired));
    }
  }
  const asked = [...found.values()].filter(({ name }) => isAsked(name, known));
  const file: readonly FormField[] = call.takesFile
    ? [{ ...NO_LIMITS, name: "file", kind: "file", isRequired: true, help: undefined }]
    : [];
  return [...file, ...asked.filter(({ isRequired }) => isRequired), ...asked.filter(({ isRequired }) => !isRequired)];
}

const PAGING: ReadonlySet<string> = new Set(["limit", "cursor"]);
const NO_LIMITS = { choices: [], maxLength: undefined } as const;

/** Only a subscription has a billing period. */
function isAsked(name: string, values: Json): boolean {
  return !(name === "interval" || name === "interval_count") || values.type === "subscription" || typeof values.interval === "string";
}

const textsAmong = (values: readonly unknown[] | undefined): string[] => (values ?? []).filter((value) => typeof value === "string");

function fieldOf(name: string, schema: Schema, isRequired: boolean): FormField {
  const help = typeof schema.description === "string" ? schema.description.replaceAll("`", "") : undefined;
  const common = { name, isRequired, help, ...NO_LIMITS };
  if (name === "unit_amount") return { ...common, kind: "amount", help: undefined };
  if (schema.enum !== undefined) {
    const choices = textsAmong(schema.enum);
    const isFlag = choices.length === 2 && choices.includes("true") && choices.includes("false");
    return isFlag ? { ...common, kind: "flag" } : { ...common, kind: "choice", choices };
  }
  if (schema.type === "boolean") return { ...common, kind: "flag" };
  if (schema.type === "integer") return { ...common, kind: "number" };
  if (schema.type === "number") return { ...common, kind: "decimal" };
  if (schema.type === "array") {
    const choices = textsAmong(schemaIn(schema.items)?.enum);
    return { ...common, kind: choices.length > 0 ? "choices" : "list", choices };
  }
  if (schema.format === "date") return { ...common, kind: "date" };
  // A date, or a time: what calls take there.
  if (/^(?:since|until)$|_at$/.test(name)) return { ...common, kind: "moment" };
  return { ...common, kind: "text", maxLength: schema.maxLength };
}

/** The values that a form begins with: the defaults of the call. */
export function defaultsOf(call: CallDefinition, given: Json): Record<string, unknown> {
  const choice = choiceOfShape(call);
  const defaults: Record<string, unknown> = {};
  for (const schema of [call.query, ...shapesOf(call.body)]) {
    for (const [name, value] of Object.entries(schema.properties ?? {})) {
      const of = schemaIn(value);
      if (of?.default !== undefined && !(name in given) && !PAGING.has(name) && constOf(of) === undefined) defaults[name] = of.default;
    }
  }
  return choice === null || choice.name in given ? defaults : { ...defaults, [choice.name]: choice.values[0] };
}
