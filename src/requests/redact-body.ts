import { isContainer } from "../core/json.ts";
import { redactText } from "../core/redact.ts";

/** What stands for a value that is not kept. */
const LEFT_OUT = "(left out)";

/** Characters of a kept body, and of one text in it. */
const MAX_BODY = 4_000;
const MAX_TEXT = 200;
/** Entries of a list or an object that are kept. */
const MAX_ENTRIES = 50;

/** A name that a field may have. Anything else that stands where a field's name belongs may be a person's. */
const FIELD_NAME = /^[A-Za-z_][\w.[\]-]{0,63}$/;

/**
 * The fields of operations whose values are kept: ids, numbers, choices and a partner's own references. Of every other
 * field only the name is kept, also of one that no operation has: what stands in it is unknown.
 * A test compares the list with the operations' inputs.
 */
export const KEPT_FIELDS: ReadonlySet<string> = new Set(
  [
    "allow_promotion_codes auth_mode cancel_at_period_end client_reference_id client_token code created created.gte created.lte",
    "created_gte created_lte currency duration duration_in_months environment expires_at external_order_id gte idempotency_key",
    "interval_count items limit lte max_redemptions payment_intent_id payment_link payment_method_types percent_off price product_id",
    "quantity source stripe_product_id stripe_product_ids subscription_id trial_days unit_amount",
  ].flatMap((names) => names.split(" ")),
);

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
  return Object.fromEntries(kept.map(([name, value]) => [fieldName(name), KEPT_FIELDS.has(name) ? redact(value) : hidden(value)]));
}

const fieldName = (name: string) => (FIELD_NAME.test(name) ? redactText(name) : LEFT_OUT);

/** What an answer said of a request, without what was sent in place of a field's name. */
export function redactAnswer(message: string, field: string | null): { readonly message: string; readonly field: string | null } {
  if (field === null) return { message: redactText(message), field };
  if (FIELD_NAME.test(field)) return { message: redactText(message), field: redactText(field) };
  const foreign = [field, ...field.split(/[.[\]]/)].filter((part) => part !== "" && !FIELD_NAME.test(part) && !/^\d{1,9}$/.test(part));
  return { message: redactText(foreign.reduce((left, part) => left.replaceAll(part, LEFT_OUT), message)), field: LEFT_OUT };
}

/** Without its values; an object keeps the names of its fields, so that a misspelt one shows. */
function hidden(value: unknown): unknown {
  if (value === null) return null;
  if (!isContainer(value)) return LEFT_OUT;
  const inner = Array.isArray(value) ? value : redactObject(value);
  return Array.isArray(inner)
    ? inner.slice(0, MAX_ENTRIES).map(hidden)
    : Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, hidden(one)]));
}

function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value).slice(0, MAX_TEXT);
  // A card's number may stand anywhere.
  if (typeof value === "number") return redactText(String(value)) === String(value) ? value : LEFT_OUT;
  if (!isContainer(value)) return value;
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).map(redact) : redactObject(value);
}
