import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, nowInSeconds, randomId, type World } from "../world.ts";
import { transactCharge } from "./balance.ts";
import { addCharge, type Charged, type Payment } from "./charge.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, list, text } from "./form.ts";
import { addInvoice } from "./invoices.ts";
import { addPeriod, currentPeriodEnd, periodEnd } from "./period.ts";

/** How the next period is paid: by a charge, by a failing charge, by customer credit, or outside the processor. */
export const renewalOutcomes = ["succeeded", "failed", "credit", "elsewhere"] as const;

/** The status of a subscription after a failed renewal: the account's settings decide. */
export const failedStatuses = ["past_due", "unpaid", "canceled"] as const;

interface Renewal {
  readonly outcome?: (typeof renewalOutcomes)[number] | undefined;
  readonly status?: (typeof failedStatuses)[number] | undefined;
}

/** Statuses in which a period is invoiced. */
const RENEWED: ReadonlySet<unknown> = new Set(["active", "trialing", "past_due"]);

/**
 * Invoices and pays the next period of a subscription, or ends the subscription if its end is reached. The payment
 * has no metadata of ours.
 */
export async function renew(world: World, subscriptionId: string, { outcome = "succeeded", status = "past_due" }: Renewal = {}) {
  const subscription = getObject(world, "subscription", subscriptionId);
  if (!RENEWED.has(subscription.status)) {
    throw invalidRequest(`This subscription is ${String(subscription.status)} and is not renewed.`);
  }
  if (subscription.cancel_at !== null && Number(subscription.cancel_at) <= (currentPeriodEnd(subscription) ?? 0)) {
    return endWithPeriod(world, subscription);
  }
  const previous = structuredClone({ items: subscription.items, status: subscription.status });
  addPeriod(subscription);
  const amount = Number(subscription.amount) - offNow(subscription);
  if (outcome === "failed" && amount > 0) return failRenewal(world, subscription, previous, amount, status);
  subscription.status = "active";
  const updated = makeEvent(world, "customer.subscription.updated", subscription, previous);
  if (amount === 0 || outcome === "credit" || outcome === "elsewhere") {
    const free = addInvoice(world, subscription, null, "subscription_cycle", outcome === "elsewhere" ? amount : 0);
    await sendEvents(world, [updated, makeEvent(world, "invoice.paid", free)]);
    return { invoice: free.id, payment_intent: null, charge: null, balance_transaction: null };
  }
  const money = { livemode: subscription.livemode, amount, currency: String(subscription.currency) };
  const charged = addCharge(world, { ...money, metadata: {}, description: "Subscription update" }, {});
  const invoice = addInvoice(world, subscription, charged, "subscription_cycle");
  const off = offNow(subscription);
  if (off > 0) Object.assign(invoice, { total_discount_amounts: [{ amount: off, discount: randomId("di") }] });
  transactCharge(world, charged, {});
  await sendEvents(world, [
    updated,
    makeEvent(world, "charge.succeeded", charged.charge),
    makeEvent(world, "payment_intent.succeeded", charged.intent),
    makeEvent(world, "invoice.paid", invoice),
  ]);
  const { intent, charge, transactionId } = charged;
  return { invoice: invoice.id, payment_intent: intent.id, charge: charge.id, balance_transaction: transactionId };
}

/** The charge of a period fails. The invoice stays open, and the subscription gets the configured status. */
async function failRenewal(
  world: World,
  subscription: ProcessorObject,
  previous: object,
  amount: number,
  status: (typeof failedStatuses)[number],
) {
  const money = { livemode: subscription.livemode, amount, currency: String(subscription.currency) };
  const { charge, intent } = addCharge(world, { ...money, metadata: {}, description: "Subscription update" }, { outcome: "failed" });
  const invoice = addInvoice(world, subscription, { charge, intent, transactionId: "" }, "subscription_cycle");
  subscription.status = status;
  if (status === "canceled") subscription.ended_at = nowInSeconds(world);
  const isOver = status === "canceled";
  await sendEvents(world, [
    makeEvent(world, "charge.failed", charge),
    makeEvent(world, "payment_intent.payment_failed", intent),
    makeEvent(world, "invoice.payment_failed", invoice),
    makeEvent(
      world,
      isOver ? "customer.subscription.deleted" : "customer.subscription.updated",
      subscription,
      isOver ? undefined : previous,
    ),
  ]);
  return { invoice: invoice.id, payment_intent: intent.id, charge: charge.id, balance_transaction: null, status };
}

async function endWithPeriod(world: World, subscription: ProcessorObject) {
  Object.assign(subscription, { status: "canceled", ended_at: nowInSeconds(world) });
  await sendEvents(world, [makeEvent(world, "customer.subscription.deleted", subscription)]);
  return { subscription: subscription.id, status: subscription.status };
}

/** Whether a subscription from a link starts with a trial. */
export function hasTrial(link: ProcessorObject): boolean {
  return trialDaysOf(link) !== null;
}

function trialDaysOf({ subscription_data: data }: ProcessorObject): number | null {
  return (data as { trial_period_days?: number | null } | null)?.trial_period_days ?? null;
}

/**
 * Starts a subscription for all lines of a link, with its first invoice. `charged` is its first payment, which has no
 * metadata of ours; null with a trial.
 */
export function startSubscription(
  world: World,
  link: ProcessorObject,
  { id, amount, discount }: { readonly id: string; readonly amount: number; readonly discount: Off | null },
  charged: Charged | null,
  payment: Payment,
) {
  const data = link.subscription_data as { metadata?: object } | null;
  const customer = addObject(world, "cus", { object: "customer", livemode: link.livemode, email: payment.email ?? null });
  const trialDays = trialDaysOf(link);
  const subscription = addSubscription(world, {
    id,
    livemode: link.livemode,
    customer: customer.id,
    amount,
    // Periods count from the first paid one.
    discount: discount && { off: discount.off, until: discount.until && discount.until + (trialDays ?? 0) * SECONDS_A_DAY },
    currency: String(link.currency),
    trialDays,
    lines: world.state.lines[link.id] ?? [],
    metadata: data?.metadata ?? {},
  });
  const invoice = addInvoice(world, subscription, charged, "subscription_create");
  const events = [makeEvent(world, "customer.subscription.created", subscription)];
  if (invoice.status === "paid") events.push(makeEvent(world, "invoice.paid", invoice));
  return { subscription, invoice, events };
}

/** The discount of a promotion code per period, in minor units, and its end (Unix seconds; null: without end). */
interface Off {
  readonly off: number;
  readonly until: number | null;
}

function offNow({ discount, items }: ProcessorObject): number {
  const { off, until } = (discount as Off | null | undefined) ?? { off: 0, until: null };
  const begin = (items as { data: { current_period_start: number }[] }).data[0]?.current_period_start ?? 0;
  return until === null || begin < until ? off : 0;
}

const SECONDS_A_DAY = 24 * 3600;

interface Terms {
  readonly id: string;
  readonly livemode: boolean;
  readonly customer: unknown;
  readonly amount: number;
  readonly discount: Off | null;
  readonly currency: string;
  readonly trialDays: number | null;
  readonly lines: readonly { readonly price?: unknown; readonly quantity?: unknown }[];
  readonly metadata: object;
}

/** Adds a subscription with an item for each line; all have one period. */
function addSubscription(world: World, { trialDays, lines, ...terms }: Terms): ProcessorObject {
  const start = nowInSeconds(world);
  const price = lines[0]?.price as { recurring?: { interval: string; interval_count: number } } | undefined;
  const subscription = addObject(world, "sub", {
    object: "subscription",
    ...terms,
    status: trialDays === null ? "active" : "trialing",
    trial_start: trialDays === null ? null : start,
    trial_end: trialDays === null ? null : start + trialDays * SECONDS_A_DAY,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    pause_collection: null,
    billing_cycle_anchor: start,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_thresholds: null,
    recurring: price?.recurring ?? { interval: "month", interval_count: 1 },
    items: { object: "list", data: [] },
  });
  const end = trialDays === null ? periodEnd(subscription, start) : Number(subscription.trial_end);
  const item = {
    object: "subscription_item",
    created: start,
    subscription: terms.id,
    current_period_start: start,
    current_period_end: end,
  };
  subscription.items = {
    object: "list",
    url: `/v1/subscription_items?subscription=${subscription.id}`,
    has_more: false,
    data: lines.map((line) => ({ id: randomId("si"), ...item, price: line.price, quantity: line.quantity })),
  };
  return subscription;
}

/** `POST /v1/subscriptions`: with a trial. A subscription that is paid at once only starts at a checkout. */
export async function createSubscription(world: World, form: Form, livemode: boolean): Promise<ProcessorObject> {
  const customer = getObject(world, "customer", text(form, "customer"), livemode);
  const trialDays = integer(form, "trial_period_days");
  if (trialDays === null) throw invalidRequest("This customer has no attached payment source or default payment method.", "customer");
  const lines = list(form, "items").map((item) => ({
    price: getObject(world, "price", text(branch({ item }, "item"), "price"), livemode),
    quantity: integer(branch({ item }, "item"), "quantity") ?? 1,
  }));
  const amount = lines.reduce((sum, { price, quantity }) => sum + Number(price.unit_amount) * quantity, 0);
  const currency = lines.map(({ price }) => String(price.currency))[0] ?? "usd";
  const terms = { id: randomId("sub"), livemode, customer: customer.id, amount, discount: null, currency, trialDays, lines };
  const subscription = addSubscription(world, { ...terms, metadata: branch(form, "metadata") });
  await sendEvents(world, [makeEvent(world, "customer.subscription.created", subscription)]);
  return subscription;
}
