import type { z } from "zod";

/** The validator's default messages, used where a schema has no custom message. */
const DEFAULT_MESSAGE = /^(Invalid input|Invalid option|Too small|Too big): expected /;

/** Rewrites a validation message for readers who do not know the validator. */
export function describeIssue(issue: z.core.$ZodIssue, sent?: unknown): string {
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
