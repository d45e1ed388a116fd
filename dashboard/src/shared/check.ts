import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { bodies } from "../api/bodies.ts";
import { texts } from "../texts/index.ts";
import { twoDecimals } from "./typed-number.ts";

/** What is wrong with the body of an operation. The Worker checks the same and more. */
export function faultsOf(name: string, body: unknown): Record<string, string> {
  const schema = bodies[name];
  return schema === undefined ? {} : faultsIn(schema, body);
}

/** What is wrong with a body, by the paths of its fields (`items.0.quantity`). */
export function faultsIn(schema: Schema, body: unknown): Record<string, string> {
  const { errors } = new Validator(schema, "2020-12", false).validate(body);
  const faults: Record<string, string> = {};
  for (const error of errors) {
    if (GROUPS.has(error.keyword)) continue;
    const path = [...pathOf(error), ...missingIn(error)].join(".");
    faults[path] ??= valueAt(body, path) === "" ? texts.form.required : wordsOf(error, schema, path);
  }
  return faults;
}

/** What a field takes, by its name. */
const helps: Readonly<Record<string, string>> = texts.help;

/** Errors that only say that an inner one exists. */
const GROUPS = new Set(["properties", "items", "allOf", "anyOf", "oneOf", "$ref", "prefixItems"]);

const pathOf = ({ instanceLocation }: OutputUnit) =>
  instanceLocation
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "");

/** The name of a missing field, which the error is not located at. */
function missingIn({ keyword, error }: OutputUnit): string[] {
  const name = keyword === "required" ? /"([^"]+)"/.exec(error)?.[1] : undefined;
  return name === undefined ? [] : [name];
}

/** The least whole number above a bound. */
const leastAbove = (bound: number | boolean | undefined) => (typeof bound === "number" ? bound + 1 : 1);

/** The schema of a field without the choice of leaving it null, which a description writes last. */
const unwrapped = (schema: Schema | undefined): Schema | undefined => schemaIn(schema?.anyOf?.[0]) ?? schema;

function wordsOf({ keyword }: OutputUnit, body: Schema, path: string): string {
  const schema = unwrapped(describedAt(body, path));
  const name = path.slice(path.lastIndexOf(".") + 1);
  const isAmount = name === "unit_amount";
  // People type amounts in major units; the currencies of links and rubles have two decimals.
  const shown = (bound: number) => (isAmount ? twoDecimals(bound) : bound);
  const { form } = texts;
  switch (keyword) {
    case "required":
      return form.required;
    case "minItems":
      return form.minItems;
    case "maximum":
      return form.maximum(shown(schema?.maximum ?? 0));
    case "minimum":
    case "exclusiveMinimum":
      return form.minimum(shown(schema?.minimum ?? leastAbove(schema?.exclusiveMinimum)));
    case "maxItems":
      return form.maxItems(schema?.maxItems ?? 0);
    case "maxLength":
      return form.maxLength(schema?.maxLength ?? 0);
    case "minLength":
      return form.required;
    case "type":
      return schema?.type !== "integer" ? form.required : isAmount ? form.unclearAmount : form.integer;
    default:
      return helps[name] ?? form.invalid;
  }
}

function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((found, part) => (isObject(found) ? found[part] : undefined), body);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function describedAt(schema: Schema, path: string): Schema | undefined {
  let found: Schema | undefined = schema;
  for (const part of path.split(".")) {
    found = /^\d+$/.test(part) ? schemaIn(found?.items) : schemaIn(found?.properties?.[part]);
  }
  return found;
}

function schemaIn(value: Schema | boolean | (Schema | boolean)[] | undefined): Schema | undefined {
  return typeof value === "object" && !Array.isArray(value) ? value : undefined;
}
