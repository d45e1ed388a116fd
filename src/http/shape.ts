import { type Hook, zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import type { z } from "zod";
import { type OperationError, rejectInput, ServiceFailure } from "../core/errors.ts";
import type { AppEnv } from "./context.ts";
import { fieldsOf, plainName, shownName } from "./fields.ts";

/** The validator's default messages, used where a schema has no custom message. */
const DEFAULT_MESSAGE = /^(Invalid input|Invalid option|Too small|Too big): expected /;

/** Rewrites a validation message for readers who do not know the validator. */
function describeIssue(issue: z.core.$ZodIssue, sent?: unknown): string {
  const { code, message } = issue;
  if (!DEFAULT_MESSAGE.test(message)) return message;
  const amount = code === "invalid_type" && issue.path.at(-1) === "unit_amount" ? aboutAmount(valueAt(sent, issue.path)) : null;
  if (amount !== null) return amount;
  if (code === "invalid_type") return wrongType(message);
  if (code === "invalid_value") return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
  if (code === "too_small") return bound(issue.origin, issue.inclusive === false ? "more than" : "at least", Number(issue.minimum));
  if (code === "too_big") return bound(issue.origin, issue.inclusive === false ? "less than" : "at most", Number(issue.maximum));
  return message;
}

/**
 * The message for an amount in major units (19.5, or "19.00"), or of minor units in quotes ("1900"). Null for anything
 * else.
 */
function aboutAmount(sent: unknown): string | null {
  const text = typeof sent === "number" ? String(sent) : sent;
  if (typeof text !== "string" || !/^\d{1,9}(\.\d+)?$/.test(text)) return null;
  const amount = Number(text);
  if (!text.includes(".")) {
    return `must be an integer of minor units without quotes: ${amount} means ${(amount / 100).toFixed(2)} in a currency with two decimals`;
  }
  return `must be an integer of minor units: ${amount.toFixed(2)} is ${Math.round(amount * 100)} in a currency with two decimals`;
}

function valueAt(sent: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner !== null && typeof inner === "object" ? Reflect.get(inner, key) : undefined), sent);
}

function bound(origin: string, word: string, limit: number): string {
  if (origin === "array") return `must have ${word} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return origin === "string" ? `must be ${word} ${limit} characters` : `must be ${word} ${limit}`;
}

function wrongType(message: string): string {
  const [, wanted = "", got = ""] = /^Invalid input: expected (\w+), received (.+)$/.exec(message) ?? [];
  if (wanted === "") return message;
  return got === "undefined" ? `is missing: give ${withArticle(wanted)}` : `must be ${withArticle(wanted)}, not ${got}`;
}

/** Renames the validator's `int` to "integer": for a client it matters that the number is whole. */
function withArticle(type: string): string {
  const name = type === "int" ? "integer" : type;
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
}

/**
 * Validates input against a schema. Unknown fields are ignored (interface G.7).
 * @throws ServiceFailure `invalid_input`, naming the first invalid field.
 */
export function parseInput<Shape extends z.ZodType>(shape: Shape, sent: unknown): z.output<Shape> {
  const checked = shape.safeParse(sent);
  if (!checked.success) rejectShape(checked.error, undefined, shape);
  return checked.data;
}

type PathOrQuery = "param" | "query";
type Checked = (...given: Parameters<Hook<z.output<z.ZodObject>, AppEnv, string, PathOrQuery, object, z.ZodObject>>) => void;

/**
 * {@link parseInput} for a request's path or query, as middleware. `keep` gets the output. @throws ServiceFailure
 * `invalid_input`.
 */
export function checkShape(of: PathOrQuery, input: z.ZodObject, keep: (context: Context<AppEnv>, checked: object) => void) {
  const decide: Checked = (checked, context) => {
    if (!checked.success) rejectShape(checked.error, undefined, input);
    keep(context, checked.data);
  };
  return zValidator<z.ZodObject, PathOrQuery, AppEnv, string, Checked>(of, input, decide);
}

/**
 * @param shape the schema, to name the right fields beside an unknown one.
 * @throws ServiceFailure `invalid_input`, naming an unknown field, or else the first invalid one: a field that is missing may be there
 * under a wrong name.
 */
export function rejectShape({ issues }: z.core.$ZodError, sent?: unknown, shape?: z.ZodType): never {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys" && issue.path.length === 0);
  if (unknown?.code === "unrecognized_keys") rejectUnknown(unknown.keys[0] ?? "", shape);
  throw new ServiceFailure(faultOf(strictestOf(issues), sent));
}

/** @throws ServiceFailure `invalid_input`, with the field that was meant, or all that there are. */
function rejectUnknown(name: string, shape: z.ZodType | undefined): never {
  const known = shape === undefined ? [] : [...fieldsOf(shape).fields.keys()];
  const asked = plainName(name);
  const meant = known.find((one) => plainName(one) === asked) ?? known.find((one) => isPart(plainName(one), asked));
  const others = known.length === 0 ? "there are no fields" : `there are ${known.join(", ")}`;
  rejectInput(`${shownName(name)}: is not a field here; ${meant === undefined ? others : `write ${meant}`}`, shownName(name));
}

/** Whether one name is a part of the other: `env` of `environment`, `reference` of `client_reference_id`. */
const isPart = (known: string, asked: string) => asked.length > 2 && (known.includes(asked) || asked.includes(known));

/**
 * The first issue. If one value exceeds several bounds, the smallest bound: a limit of this service rather than the
 * number range.
 */
function strictestOf(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const [first] = issues;
  if (first?.code !== "too_big") return first;
  const path = first.path.join();
  const bounds = issues.filter((issue) => issue.code === "too_big" && issue.path.join() === path);
  return bounds.toSorted((left, right) => maximumOf(left) - maximumOf(right))[0];
}

function maximumOf(issue: z.core.$ZodIssue): number {
  return issue.code === "too_big" ? Number(issue.maximum) : Number.POSITIVE_INFINITY;
}

/** Converts a validation issue into `invalid_input`, with the field's path as sent. */
export function faultOf(issue: z.core.$ZodIssue | undefined, sent?: unknown): Extract<OperationError, { kind: "invalid_input" }> {
  const field = (issue?.path ?? []).reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : path === "" ? String(part) : `${path}.${String(part)}`),
    "",
  );
  const message = issue === undefined ? "the body does not have the documented shape" : describeIssue(issue, sent);
  return { kind: "invalid_input", ...(field === "" ? { message } : { message: `${field}: ${message}`, field }) };
}
