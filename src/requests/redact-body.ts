import { isContainer } from "../core/json.ts";
import { redactText } from "../core/redact.ts";

/** What stands for a value that is not kept. */
const LEFT_OUT = "(left out)";

/** Characters of a kept body, and of one text in it. */
const MAX_BODY = 4_000;
const MAX_TEXT = 200;
/** Entries of a list or an object that are kept. */
const MAX_ENTRIES = 50;
/** Characters of names and texts that are examined for one body. Those that follow are left out. */
const MAX_EXAMINED = 16_000;

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
  const text = JSON.stringify(new Redaction().ofObject(body));
  return text.length > MAX_BODY ? "" : text;
}

/** What an answer said of a request. If it names a field by a text that is no field's name, a fixed sentence stands for it. */
export function redactAnswer(message: string, field: string | null): { readonly message: string; readonly field: string | null } {
  if (field === null) return { message: redactText(message), field };
  if (FIELD_NAME.test(field)) return { message: redactText(message), field: redactText(field) };
  return { message: `The field ${LEFT_OUT} was refused: its name may hold personal data and is not kept.`, field: LEFT_OUT };
}

/** The redaction of one body: each value is visited once, and at most {@link MAX_EXAMINED} characters are examined. */
class Redaction {
  #examined = 0;

  /** `hide`: without the values of all fields, so that of an unknown object the field names alone are kept. */
  ofObject(fields: Readonly<Record<string, unknown>>, hide = false): Record<string, unknown> {
    const kept = Object.entries(fields).slice(0, MAX_ENTRIES);
    return Object.fromEntries(
      kept.map(([name, value]) => [this.#name(name), hide || !KEPT_FIELDS.has(name) ? this.#hidden(value) : this.#value(value)]),
    );
  }

  #name(name: string): string {
    return FIELD_NAME.test(name) ? this.#text(name) : LEFT_OUT;
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value).slice(0, MAX_TEXT);
    // A card's number may stand anywhere.
    if (typeof value === "number") return this.#text(String(value)) === String(value) ? value : LEFT_OUT;
    if (!isContainer(value)) return value;
    return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).map((one) => this.#value(one)) : this.ofObject(value);
  }

  #hidden(value: unknown): unknown {
    if (value === null) return null;
    if (!isContainer(value)) return LEFT_OUT;
    return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).map((one) => this.#hidden(one)) : this.ofObject(value, true);
  }

  #text(text: string): string {
    if (this.#examined + text.length > MAX_EXAMINED) return LEFT_OUT;
    this.#examined += text.length;
    return redactText(text);
  }
}
