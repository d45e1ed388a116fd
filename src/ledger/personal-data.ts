import type { JsonObject } from "../core/json.ts";

type Json = JsonObject[string];

/** The fields of the processor's objects that say who paid, at any depth. */
const PERSONAL: ReadonlySet<string> = new Set([
  "billing_details",
  "collected_information",
  "custom_fields",
  "customer_address",
  "customer_details",
  "customer_email",
  "customer_name",
  "customer_phone",
  "customer_shipping",
  "customer_tax_ids",
  "email",
  "evidence",
  "owner",
  "phone",
  "receipt_email",
  "shipping",
  "shipping_cost",
  "shipping_details",
]);

/** The method of a payment: its type stays. All else in it describes the payer's card, account or wallet. */
const METHODS: ReadonlySet<string> = new Set(["payment_method_details"]);

/** An object of the processor's without what names a person: these fields are null. Amounts, ids and times stay. */
export function withoutPerson(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, emptied(name, value)]));
}

function emptied(name: string, value: Json): Json {
  if (PERSONAL.has(name)) return null;
  if (Array.isArray(value)) return value.map((entry) => emptied("", entry));
  if (value === null || typeof value !== "object") return value;
  return METHODS.has(name) ? { type: value.type ?? null } : withoutPerson(value);
}
