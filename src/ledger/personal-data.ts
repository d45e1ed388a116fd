import type { JsonObject } from "../core/json.ts";

type Json = JsonObject[string];

/**
 * The fields of the processor's objects that stay after an erasure, at any depth: object ids, amounts, currencies,
 * times and statuses, and their containers. Every other field is emptied, including fields that the processor adds
 * later. A customer id identifies a person.
 */
const KEPT: ReadonlySet<string> = new Set(
  `id object livemode created currency type status mode reason feedback code decline_code failure_code
  client_reference_id payment_intent charge latest_charge invoice subscription subscription_item payment_link balance_transaction
  failure_balance_transaction balance_transactions product price coupon promotion_code checkout_session dispute refund source
  items data lines line_items plan discounts discount source_discount total_details breakdown fee_details status_transitions parent
  subscription_details invoice_item_details subscription_item_details pricing price_details payments payment period evidence_details
  amount_details outcome cancellation_details last_payment_error metadata recurring total_discount_amounts total_taxes refunds
  latest_invoice payment_method_details payment_method_types presentment_details
  payment_status billing_reason collection_method network_status risk_level reporting_category interval usage_type
  billing_scheme tax_behavior taxability_reason
  start end duration due_by available_on billing_cycle_anchor start_date trial_start trial_end current_period_start
  current_period_end period_start period_end cancel_at due_date
  fee net total subtotal exchange_rate percent_off quantity interval_count submission_count attempt_count attempts_remaining
  duration_in_months
  automatic_tax disabled_reason enabled liability billing_mode flexible proration_discounts application_fee_percent billing_thresholds
  partner_id record_id record_since`.split(/\s+/),
);

/** Amounts and times have names of this form. */
const AMOUNT_OR_TIME = /(?:^|_)amounts?(?:_|$)|_at$/;

/** The texts that may stay: ids, codes, currencies, numbers. Prose, names and addresses contain other characters. */
const CODE = /^[\w.:-]*$/;

/** An object of the processor without personal data: emptied fields are null. Ids, amounts, times and statuses stay. */
export function withoutPerson(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, emptied(name, value)]));
}

function emptied(name: string, value: Json): Json {
  if (value === null || typeof value === "boolean") return value;
  return KEPT.has(name) || AMOUNT_OR_TIME.test(name) ? keptOf(value) : null;
}

function keptOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(keptOf);
  if (typeof value === "string") return CODE.test(value) ? value : null;
  return value === null || typeof value !== "object" ? value : withoutPerson(value);
}
