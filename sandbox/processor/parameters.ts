import { invalidRequest, type ProcessorError } from "./failure.ts";
import type { Form, FormValue } from "./form.ts";
import type { Fields, Shape } from "./shape.ts";
import { type CallName, PARAMETERS } from "./shape-roots.ts";
import { alternatives, fieldOf, schemaNamed } from "./shapes.ts";

/** The processor's limits of metadata. */
const MAX_PAIRS = 50;
const MAX_KEY = 40;
const MAX_VALUE = 500;

/**
 * Checks the parameters of a call against their shape, including nested ones, as the processor does.
 * @throws ProcessorError for the first unknown, missing or wrong one.
 */
export function checkParameters(call: CallName, form: Form): void {
  const fault = faultInFields(form, schemaNamed(PARAMETERS[call]), "");
  if (fault !== null) throw fault;
}

function faultInFields(form: Form, fields: Fields, path: string): ProcessorError | null {
  for (const [name, value] of Object.entries(form)) {
    const shape = fieldOf(fields, name);
    const at = inside(path, name);
    if (shape === undefined) return invalidRequest(`Received unknown parameter: ${at}`, at, "parameter_unknown");
    const fault = faultIn(value, shape, at);
    if (fault !== null) return fault;
  }
  const missing = Object.keys(fields).find((name) => !name.endsWith("?") && form[name] === undefined);
  if (missing === undefined) return null;
  const at = inside(path, missing);
  return invalidRequest(`Missing required param: ${at}.`, at, "parameter_missing");
}

/** The fault of a value; for a union, the fault of the closest alternative. */
function faultIn(value: FormValue, shape: Shape, path: string): ProcessorError | null {
  const choices = alternatives(shape);
  const faults = choices.map((choice) => faultInChoice(value, choice, path));
  if (faults.includes(null)) return null;
  const alike = choices.findIndex((choice) => isTree(choice) === (typeof value !== "string"));
  return faults[Math.max(alike, 0)] ?? null;
}

function faultInChoice(value: FormValue, shape: Shape, path: string): ProcessorError | null {
  if (shape === "any") return null;
  if (shape === "null") return value === "" ? null : invalidRequest(`Invalid ${path}: must be empty.`, path);
  if (typeof shape === "object" && "array" in shape) {
    if (!Array.isArray(value)) return invalidRequest("Invalid array", path);
    return first(value.map((entry, index) => faultIn(entry, shape.array, `${path}[${index}]`)));
  }
  if (typeof shape === "object" && "map" in shape) return faultInMap(value, path);
  if (typeof shape === "object" && "ref" in shape) {
    return typeof value === "string" || Array.isArray(value)
      ? invalidRequest("Invalid object", path)
      : faultInFields(value, schemaNamed(shape.ref), path);
  }
  if (typeof value !== "string") return invalidRequest(`Invalid string: ${JSON.stringify(value)}`, path);
  if (shape === "number" && !/^-?\d+(\.\d+)?$/.test(value)) {
    return invalidRequest(`Invalid integer: ${value}`, path, "parameter_invalid_integer");
  }
  if (shape === "boolean" && value !== "true" && value !== "false") return invalidRequest(`Invalid boolean: ${value}`, path);
  if (typeof shape === "object" && "enum" in shape && !shape.enum.map(String).includes(value)) {
    return invalidRequest(`Invalid ${path}: must be one of ${shape.enum.join(", ")}`, path);
  }
  return null;
}

/** Metadata: a limited number of pairs, short keys, and plain values. */
function faultInMap(value: FormValue, path: string): ProcessorError | null {
  if (typeof value === "string" || Array.isArray(value)) return invalidRequest("Invalid object", path);
  const pairs = Object.entries(value);
  if (pairs.length > MAX_PAIRS) return invalidRequest(`Metadata can have up to ${MAX_PAIRS} keys, and you passed ${pairs.length}.`, path);
  for (const [key, content] of pairs) {
    const at = inside(path, key);
    if (key.length > MAX_KEY) return invalidRequest(`Metadata keys can be up to ${MAX_KEY} characters.`, at);
    if (typeof content !== "string") return invalidRequest("Metadata values must be strings.", at);
    if (content.length > MAX_VALUE) return invalidRequest(`Metadata values can have up to ${MAX_VALUE} characters.`, at);
  }
  return null;
}

function isTree(shape: Shape): boolean {
  return typeof shape === "object" && ("array" in shape || "map" in shape || "ref" in shape);
}

function inside(path: string, name: string): string {
  return path === "" ? name : `${path}[${name}]`;
}

function first(faults: readonly (ProcessorError | null)[]): ProcessorError | null {
  return faults.find((fault) => fault !== null) ?? null;
}
