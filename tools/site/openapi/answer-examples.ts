import type * as z from "zod";
import { disputeExample } from "../../../src/views/dispute.ts";
import { transactionEvents } from "../../../src/webhooks/outbox/events/transaction-events.ts";
import { schemaSchema } from "../schema-lines.ts";

type Schema = z.infer<typeof schemaSchema>;
type Values = Readonly<Record<string, unknown>>;

const event = transactionEvents.paymentSucceeded.example;
const AT = "2026-11-20T08:30:00.000Z";
const PRODUCT = "prod_QbH2kfD8sL0aVx";
const LINK = "plink_1QbH2kfD8sL0aVx9";

/**
 * The values of fields in examples, by their names: one order of a course at 57.00 USD, of which 10.00 were given back. A field that is
 * not here gets a value by its type. What is usually nothing is null.
 */
const VALUES: Values = {
  // Times.
  at: AT,
  created_at: AT,
  paid_at: "2026-11-20T08:30:41.000Z",
  transaction_date: "2026-11-20T08:30:41.000Z",
  started_at: "2026-10-20T08:30:00.000Z",
  registered_at: "2026-10-01T09:00:00.000Z",
  added_at: "2026-10-01T09:00:00.000Z",
  set_at: "2026-10-01T09:00:00.000Z",
  updated_at: AT,
  changed_at: AT,
  counted_at: "2026-11-20T08:00:00.000Z",
  recorded_at: "2026-11-05T10:00:00.000Z",
  closed_at: "2026-11-05T00:03:00.000Z",
  last_used_at: AT,
  expires_at: "2027-11-20T23:59:59.999Z",
  invited_until: "2026-11-23T08:30:00.000Z",
  current_period_end: "2026-12-20T08:30:00.000Z",
  previous_valid_until: "2026-11-27T08:30:00.000Z",
  since: "2026-10-01",
  from: "2026-10-01",
  to: "2026-10-31",
  day: "2026-11-20",
  date: "2026-11-05",
  month: "2026-10",
  payable_until: "2026-11-21T08:30:00.000Z",
  payment_url: "https://bank.example/pay/01b0c6a7f0d3e4a5",
  sbp_url: "https://bank.example/sbp/01b0c6a7f0d3e4a5",
  time_zone: "Europe/Berlin",
  evidence_due_by: disputeExample.evidence_due_by,
  "disputes[].id": disputeExample.id,
  "disputes[].reason": disputeExample.reason,
  "summary.en": "Paid $57.00 on 20 Nov 2026 by Visa ···· 4242. $10.00 was refunded on 20 Nov 2026. Your server took its 2 events.",
  "summary.ru": "Оплачено 57,00 $ 20 нояб. 2026, Visa ···· 4242. Возвращено 10,00 $ 20 нояб. 2026. Ваш сервер принял 2 события.",
  // Nothing, as a rule.
  next: null,
  wrong: null,
  command: null,
  next_attempt_at: null,
  oldest_waiting: null,
  suspension_reason: null,
  suspended_at: null,
  failing_since: null,
  cooldown_until: null,
  previous_secret_until: null,
  reversed_at: null,
  reason: null,
  disabled_at: null,
  deactivated_at: null,
  revoked_at: null,
  rejection_reason: null,
  ends_at: null,
  cancel_at: null,
  error: null,
  week: null,
  link: null,
  method: null,
  before: null,
  max_redemptions: null,
  bank_order_id: null,
  order_id: "01b0c6a7f0d3e4a51a3f1c2d4e5f607a",
  // Ids and names.
  environment: "live",
  id: "pi_3QbH2kfD8sL0aVx91",
  payment_intent_id: "pi_3QbH2kfD8sL0aVx91",
  payment_link_id: LINK,
  subscription_id: "sub_1QbH2kfD8sL0aVx9",
  product_id: PRODUCT,
  "product_ids[]": PRODUCT,
  product: PRODUCT,
  product_name: "Course",
  name: "Course",
  label: "shop",
  partner: "acme",
  holder: "shop",
  made_by: "Anna",
  actor: "person Anna",
  action: "key.create",
  target: "key_5b0c6a7f0d3e4a51",
  client_reference_id: "order-1042",
  external_order_id: "1042",
  email: "buyer@example.com",
  "customer.name": "Maria Example",
  host: "hooks.slack.com",
  kind: "webhook",
  browser: "Firefox on Linux",
  session: "ses_5b0c6a7f0d3e4a51",
  "keys[]": "key_5b0c6a7f0d3e4a51",
  "people[]": "emp_5b0c6a7f0d3e4a51",
  "help.command": "deliveries resend",
  unchanged: [],
  key_id: "key_5b0c6a7f0d3e4a51",
  employee_id: "emp_5b0c6a7f0d3e4a51",
  key: "a0000000-0000-4000-8000-00000000f00d",
  hint: "…f00d",
  grant_id: "grant_5b0c6a7f0d3e4a51",
  client_name: "An agent's host",
  confirmation_id: "conf_5b0c6a7f0d3e4a51",
  decided_by: null,
  decided_at: null,
  done_at: null,
  about: null,
  order_reference: null,
  "would_make.kind": "payment_link",
  "would_make.discount": null,
  "would_make.webhooks": [],
  "would_make.warnings": [],
  "price.amount": 5700,
  "price.interval": null,
  "price.interval_count": null,
  "price.trial_days": 0,
  major_amount: 57,
  "payment_method_types[]": "card",
  requested_at: AT,
  text: "57.00 USD",
  client_id: "client_5b0c6a7f0d3e4a51",
  promotion_code_id: "promo_1QbH2kfD8sL0aVx9",
  promotion_code: "WELCOME10",
  code: "WELCOME10",
  request: "5b0c6a7f0d3e4a51",
  request_id: "5b0c6a7f0d3e4a51",
  created: LINK,
  operation: "create-partner-processor-cart-payment-link",
  permission: "product_create",
  short_url: "https://pay.example/b3XkQ9vT2m",
  url: "https://shop.example/hooks",
  webhook_url: "https://shop.example/hooks",
  webhook: "live",
  event: event.id,
  delivery: event.id,
  type: "Processor.payment.succeeded",
  signing_secret: "whsec_live_4f7d1c0b9a8e6352d1c0b9a8e63524f74f7d1c0b9a8e6352d1c0b9a8e63524f7",
  message: event,
  body: JSON.stringify(event),
  "restarted[]": event.id,
  bank_reference: "BANK-2026-11-05-7",
  field: null,
  cure: null,
  repeat: "A repeat with the same `client_token` gets the same link.",
  repeat_ru: "Повтор с тем же `client_token` получает ту же ссылку.",
  says: "Paid 57.00 USD by Visa ···· 4242; 10.00 USD were given back.",
  answer: "taken",
  objects: ["pi_3QbH2kfD8sL0aVx91"],
  // Money and counts.
  status: "partly_refunded",
  state: "succeeded",
  payment_method: "Visa ···· 4242",
  currency: "USD",
  settlement_currency: "USD",
  charged_currency: "USD",
  amount: 57,
  charged: 57,
  charged_amount: 57,
  paid: 57,
  gross: 57,
  refunded: 10,
  refunds: 10,
  disputed: 0,
  disputes: 0,
  discounts: 0,
  failures: 0,
  kept: 47,
  fee: 1.95,
  fees: 1.95,
  net: 45.05,
  net_amount: 45.05,
  balance: 45.05,
  settled: 0,
  pending: 45.05,
  opening: 0,
  closing: 45.05,
  payments: 1,
  terms: 0,
  payouts: 0,
  total: 45.05,
  percent: 2,
  fixed: 0.3,
  unit_amount: 5_700,
  amount_rub: 5_000,
  amount_kopecks: 500_000,
  payment_id: 412_345_678_901_234,
  "receipts[].type": "payment",
  "receipts[].amount_kopecks": 500_000,
  "receipts[].url": "https://receipts.example/9999078900004792/1345",
  "receipts[].registered_at": "2026-11-20T11:31:05+03:00",
  fn_number: "9999078900004792",
  fiscal_document_number: "1345",
  fiscal_document_attribute: "1832594741",
  percent_off: 10,
  duration_in_months: 3,
  interval_count: 1,
  monthly: 190,
  quantity: 1,
  number: 1,
  attempts: 1,
  duration_ms: 84,
  delivered_percent: 100,
  within_second_percent: 98.4,
  within_minute_percent: 99.6,
  within_hour_percent: 100,
  given_up: 0,
  left: 0,
  past_due: 0,
  ending: 0,
  waiting: 0,
  late: false,
  manual: false,
  has_more: false,
  has_ended: false,
  is_complete: true,
  may_be_resent: true,
  collection_paused: false,
  cancel_at_period_end: false,
  viewed_by_operator: false,
};

/** What differs for the calls of a noun, such as `webhooks`, or for one call. */
const OF_NOUN: Readonly<Record<string, Values>> = {
  "events list": { next: "mi8x2k1s-0" },
  webhooks: {
    name: null,
    events: null,
    says: "Your webhook gets its events.",
    en: "Your webhook gets its events.",
    ru: "Ваш вебхук получает события.",
    undelivered: { pending: 2 },
  },
  subscriptions: { status: "active", state: "active" },
  statements: {
    id: "st_5b0c6a7f0d3e4a51",
    state: "closed",
    amount: 57,
    payments: 1_204.5,
    refunds: -100,
    fees: -42.1,
    terms: -24.09,
    closing: 1_038.31,
  },
  "webhooks add": { webhook: "test.k3f9a2", undelivered: {} },
  figures: { refunds: 1, source: "processor" },
  "people invite": { url: "https://api.example/dashboard/invitation/9f2c4a" },
  balance: { balance: 1_038.31, settled: 1_000, pending: 38.31 },
  payouts: { id: "po_5b0c6a7f0d3e4a51", amount: 1_250.5, status: "approved", state: "approved" },
  products: { id: PRODUCT },
  links: {
    en: "The link sells Course for $57.00. Customers can pay. It was paid once, last on 20 Nov 2026.",
    ru: "Ссылка продаёт: Course, 57,00 $. Оплатить можно. По ней 1 оплата, последняя 20 нояб. 2026.",
  },
  keys: {
    en: "The key …f00d works until 20 Nov 2027. It was last used on 20 Nov 2026.",
    ru: "Ключ …f00d работает до 20 нояб. 2027. Последний раз им пользовались 20 нояб. 2026.",
  },
  "promotion-codes": {
    name: "Welcome",
    en: "The code WELCOME takes 20 % off, once, on Course. Customers can enter it until 20 Nov 2027.",
    ru: "Промокод WELCOME даёт скидку 20 %, один раз: Course. Его можно ввести до 20 нояб. 2027.",
  },
  people: { id: "emp_5b0c6a7f0d3e4a51", name: "Anna" },
  session: { name: "Anna" },
  disputes: { id: disputeExample.id, reason: disputeExample.reason },
  emails: { email: "live.0a1b2", address: "ops@example.com" },
  requests: { status: "created", state: "completed", code: null, message: null },
};

/** An answer of a call, by its command and its JSON Schema. Fields that the request names too have its values. */
export function exampleAnswerOf(command: string, schema: object, request: Values): unknown {
  const [noun = ""] = command.split(" ");
  return exampleValue(schemaSchema.parse(schema), "", { ...OF_NOUN[noun], ...OF_NOUN[command], ...request });
}

function exampleValue(schema: Schema, name: string, own: Values, parent = ""): unknown {
  const { enum: choices, properties, items } = schema;
  if (schema.const !== undefined) return schema.const;
  const [variant] = (schema.anyOf ?? schema.oneOf ?? []).filter((one) => !isNull(one));
  const takesNull = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].some((one) => isNull(one));
  for (const known of [own[name], VALUES[`${parent}.${name}`], VALUES[name]]) {
    if (known === null ? takesNull : known !== undefined && isOf(known, variant ?? schema)) return known;
  }
  if (variant !== undefined) return exampleValue(variant, name, own, parent);
  if (choices !== undefined) return choices[0];
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([field, of]) => [field, exampleValue(of, field, own, name)]));
  if (items !== undefined) return [exampleValue(items, `${name}[]`, own)];
  const types = [schema.type ?? []].flat();
  if (types.includes("object")) return name === "data[]" ? event : {};
  if (types.includes("integer") || types.includes("number")) return 1;
  if (types.includes("boolean")) return true;
  return takesNull ? null : "…";
}

const isNull = ({ type }: Schema): boolean => [type ?? []].flat().includes("null");

/** Whether a value fits a schema, as far as its type and its choices say. */
function isOf(value: unknown, { type, enum: choices, properties, pattern }: Schema): boolean {
  if (choices !== undefined) return choices.some((one) => one === value);
  const types = [type ?? []].flat();
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "object") return types.includes("object") && properties === undefined;
  if (typeof value === "string") return types.includes("string") && (pattern === undefined || new RegExp(pattern).test(value));
  if (typeof value === "number") return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
  return types.includes("boolean");
}
