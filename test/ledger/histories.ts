import fc from "fast-check";
import { CART, call, callV1, cart, keys, LINK, link, send } from "../support/api.ts";
import { setHeldEvents } from "../support/objects.ts";
import { line } from "../support/payments.ts";
import { control, settled, world } from "../support/stack.ts";

/**
 * Histories of payments: what customers, banks and partners do, and in between what becomes of the processor's
 * events. `which` picks one of what there is; a step that finds nothing to act on does nothing.
 */
export type Step =
  | {
      readonly kind: "pay";
      readonly what: "one_time" | "subscription" | "trial";
      readonly outcome: "succeeded" | "pending" | "failed";
      readonly late: boolean;
    }
  | { readonly kind: "settle"; readonly which: number; readonly outcome: "succeeded" | "failed" }
  | { readonly kind: "refund"; readonly which: number; readonly amount: number; readonly how: "plain" | "fail" | "pending" | "unbooked" }
  | { readonly kind: "settle_refund"; readonly which: number; readonly outcome: "succeeded" | "failed" }
  | { readonly kind: "dispute"; readonly which: number; readonly inquiry: boolean }
  | { readonly kind: "withdraw"; readonly which: number }
  | { readonly kind: "close"; readonly which: number; readonly won: boolean }
  | { readonly kind: "renew" | "end"; readonly which: number }
  | { readonly kind: "cancel"; readonly which: number; readonly wanted: boolean }
  | { readonly kind: "events"; readonly fates: readonly Fate[] };

/** What becomes of one held event, counted from the oldest. A swap is with a later one, so the order is any. */
type Fate = "come" | "come twice" | "stay" | "are lost";

const which = fc.nat(30);
const settling = fc.constantFrom("succeeded", "failed");
const fates = fc.array(fc.constantFrom<Fate>("come", "come", "come twice", "stay", "are lost"), { minLength: 1, maxLength: 12 });

const oneStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("pay"),
      what: fc.constantFrom("one_time", "one_time", "subscription", "trial"),
      outcome: fc.constantFrom("succeeded", "succeeded", "succeeded", "pending", "failed"),
      late: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle"), which, outcome: settling }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("refund"),
      which,
      amount: fc.integer({ min: 1, max: 1900 }),
      how: fc.constantFrom("plain", "fail", "pending", "unbooked"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle_refund"), which, outcome: settling }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("dispute"), which, inquiry: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("withdraw"), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("close"), which, won: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("renew", "end"), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel"), which, wanted: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("events"), fates }) },
);

export const history = fc.array(oneStep, { minLength: 15, maxLength: 45, size: "max" });

const paid = (outcome: "succeeded" | "pending"): Step => ({ kind: "pay", what: "one_time", outcome, late: false });
const refunded = (how: "plain" | "fail" | "pending" | "unbooked"): Step => ({ kind: "refund", which: 0, amount: 100, how });

/** A history with everything in it that can become of money, so that no run depends on chance for that. */
export const everything: Step[] = [
  paid("succeeded"),
  refunded("plain"),
  refunded("fail"),
  refunded("pending"),
  refunded("unbooked"),
  { kind: "settle_refund", which: 3, outcome: "failed" },
  { kind: "dispute", which: 0, inquiry: false },
  { kind: "close", which: 0, won: true },
  paid("pending"),
  { kind: "settle", which: 0, outcome: "failed" },
  paid("pending"),
];

/** Carries a step out at the sandbox, whose events are held back all the time but for what a step lets go. */
export async function carryOut(step: Step): Promise<void> {
  switch (step.kind) {
    case "pay": {
      const payment_link_id = await linkFor(step.what);
      const reference = `order-${world.state.sequence}-${Object.keys(world.state.objects).length}`;
      const paying = { payment_link_id, client_reference_id: reference, outcome: step.outcome, balance_after_ms: step.late ? 1 : 0 };
      await control("/pay", paying);
      return settled();
    }
    case "settle":
      return act("/settle", { payment_intent: pick("payment_intent", step.which, "processing"), outcome: step.outcome });
    case "refund": {
      const how = { plain: {}, fail: { fail: true }, pending: { pending: true }, unbooked: { pending: true, unbooked: true } }[step.how];
      return act("/refund", { payment_intent: pick("payment_intent", step.which, "succeeded"), amount: step.amount, ...how });
    }
    case "settle_refund":
      return act("/refund/settle", { refund: pick("refund", step.which), outcome: step.outcome });
    case "dispute":
      return act("/dispute", { payment_intent: pick("payment_intent", step.which, "succeeded"), inquiry: step.inquiry });
    case "withdraw":
      return act("/dispute/withdraw", { dispute: pick("dispute", step.which) });
    case "close":
      return act("/dispute/close", { dispute: pickOpenDispute(step.which), won: step.won });
    case "renew":
      return act("/renew", { subscription: pick("subscription", step.which) });
    case "end":
      return act("/end-subscription", { subscription: pick("subscription", step.which, "active") });
    case "cancel": {
      // Whether the edge has heard of it or not, and lets it: both are of the history.
      await send(`/webhook/cancel_subscription_at_period_end?subscription_id=${pick("subscription", step.which) ?? "sub_none"}`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": keys.acme },
        body: `cancel_at_period_end=${step.wanted}`,
      });
      return;
    }
    case "events":
      return releaseHeldEvents(step.fates);
  }
}

/** Lets held events come, come twice, stay, or be lost, in turn as the fates say and from the newest on: out of order. */
export async function releaseHeldEvents(all: readonly Fate[]): Promise<void> {
  const held = world.state.events.test.held.toReversed();
  const fated = (fate: Fate) => held.filter((_id, index) => all[index % all.length] === fate);
  await setHeldEvents([...fated("come"), ...fated("come twice")]);
  await control("/events", { environment: "test", hold: false, duplicate: 0, shuffle: true });
  await setHeldEvents(fated("come twice"));
  await control("/events", { environment: "test", hold: false, duplicate: 1, shuffle: true });
  await control("/events", { environment: "test", hold: true });
  await setHeldEvents(fated("stay").toReversed());
}

/** A step that the sandbox will not have, such as a refund of more than is left, is not of the history. */
async function act(path: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  if (Object.values(body).includes(undefined)) return;
  await control(path, body).catch(() => undefined);
}

function pick(kind: string, index: number, status?: string): string | undefined {
  const ids = (world.state.order[kind] ?? []).filter((id) => status === undefined || world.state.objects[id]?.status === status);
  return ids[index % Math.max(ids.length, 1)];
}

function pickOpenDispute(index: number): string | undefined {
  const open = (world.state.order.dispute ?? []).filter((id) => String(world.state.objects[id]?.status).endsWith("needs_response"));
  return open[index % Math.max(open.length, 1)];
}

async function linkFor(what: "one_time" | "subscription" | "trial"): Promise<string> {
  if (what === "trial") {
    const price = { unit_amount: 1900, trial_days: 7 };
    return (await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price }))).body.processor_payment_link_id;
  }
  return (await call(CART, cart({ items: [line(what === "one_time" ? "TestUsd1" : "TestMonthly")] }))).body.payment_link_id;
}
