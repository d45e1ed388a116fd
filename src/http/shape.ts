import { type Hook, zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import type { z } from "zod";
import { type OperationError, rejectInput, ServiceFailure } from "../core/errors.ts";
import type { AppEnv } from "./context.ts";
import { fieldsOf } from "./fields.ts";
import { plainName } from "./plain-name.ts";
import { describeIssue } from "./validation-message.ts";

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
  rejectInput(`${name}: is not a field here; ${meant === undefined ? others : `write ${meant}`}`, name);
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
