import { isContainer } from "../core/json.ts";
import { redactText } from "../core/redact.ts";

/** What stands for a value that is not kept. */
const LEFT_OUT = "(left out)";

/** Characters of a kept body, of one text in it, and of a field's name. */
const MAX_BODY = 4_000;
const MAX_TEXT = 200;
const MAX_NAME = 64;
/** Entries of a list or an object that are kept. */
const MAX_ENTRIES = 50;

/** Fields whose values name a person, or may hold a secret, in the spelling of either generation and of common mistakes. */
const PERSONAL = /mail|phone|name|address|customer|buyer|description|recipient|contact/i;
const SECRET = /key$|secret|password|passwd|authori[sz]ation|bearer|cookie|card/i;
/** Fields whose names end like a secret's, and that hold none. */
const OWN_KEYS = /^(?:idempotency[_-]?key)$/i;

/**
 * A refused body as it is kept, as JSON: field names, numbers, ids and choices, without personal values, secrets and
 * addresses. A body that is not a JSON object, or is too long, is an empty text.
 */
export function redactBody(body: unknown): string {
  if (!isContainer(body) || Array.isArray(body)) return "";
  const text = JSON.stringify(redactObject(body));
  return text.length > MAX_BODY ? "" : text;
}

function redactObject(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(fields).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    kept.map(([name, value]) => [redactText(name).slice(0, MAX_NAME), isLeftOut(name) ? hidden(value) : redact(value)]),
  );
}

const isLeftOut = (name: string) => PERSONAL.test(name) || (SECRET.test(name) && !OWN_KEYS.test(name));

/** An object under a personal name keeps the names of its fields, so that a misspelt one shows. */
function hidden(value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (!isContainer(value)) return LEFT_OUT;
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(hidden);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ENTRIES)
      .map(([name, inner]) => [redactText(name).slice(0, MAX_NAME), hidden(inner)]),
  );
}

function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value).slice(0, MAX_TEXT);
  if (!isContainer(value)) return value;
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).map(redact) : redactObject(value);
}
