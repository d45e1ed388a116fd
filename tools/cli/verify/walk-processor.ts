import type Stripe from "stripe";
import { CallBudget } from "../../../src/core/call-budget.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { fetchUpstream } from "../../../src/core/trace.ts";
import { createStripeClient } from "../../../src/processor/account.ts";
import { attributionOf } from "../../../src/processor/attribution-metadata.ts";
import type { NewPaymentLink } from "../../../src/processor/port.ts";
import type { Processor } from "../../../src/processor/processor.ts";
import { createProcessor } from "../../../src/processor/processor.ts";

const BUDGET = 25_000;
const HOUR = 3_600_000;
const MONTHLY = { interval: "month", intervalCount: 1 } as const;

interface Walk {
  readonly stripe: Stripe;
  readonly processor: Processor;
  readonly metadata: Readonly<Record<string, string>>;
  readonly say: (step: string) => void;
  /** Registers cleanup for the end of the walk, which also runs after a failure, in reverse order. */
  readonly finally: (what: string, undo: () => Promise<unknown>) => void;
}

const within = () => ({ budget: new CallBudget(systemClock, BUDGET) });
const keyed = () => ({ key: crypto.randomUUID(), wasSent: false, ...within() });
const item = (productId: string) => ({ productId, unitAmount: 1_900, quantity: 2 });

/**
 * Walks through a test environment of the processor with the Worker's calls, and a few calls for setup and cleanup:
 * created objects are deactivated or deleted at the end, also after a failure.
 */
export async function walkProcessor(base: string, key: string, say: (step: string) => void): Promise<void> {
  const cleanups: [string, () => Promise<unknown>][] = [];
  const walk: Walk = {
    stripe: createStripeClient(base, key, fetchUpstream),
    processor: createProcessor({
      base,
      key,
      environment: "test",
      send: fetchUpstream,
      report: (object, path) => say(`does not fit: ${object} ${path}`),
    }),
    metadata: attributionOf({ partnerId: "verification", recordId: crypto.randomUUID(), begunAt: Date.now() }),
    say,
    finally: (what, undo) => cleanups.push([what, undo]),
  };
  try {
    const products = await makeProducts(walk);
    const priceId = await makeLinks(walk, products);
    await makeCode(walk, products[0]);
    await changeSubscription(walk, priceId);
    await readLists(walk);
  } finally {
    for (const [what, undo] of cleanups.toReversed()) {
      say(what);
      await undo();
    }
  }
}

async function makeProducts({ stripe, say, finally: atTheEnd }: Walk): Promise<[string, string]> {
  say("make two products");
  const one = await stripe.products.create({ name: "verification one" });
  const two = await stripe.products.create({ name: "verification two" });
  atTheEnd("deactivate the products", async () => {
    for (const { id } of [one, two]) await stripe.products.update(id, { active: false });
  });
  return [one.id, two.id];
}

/** Links for one and for several items, one-time and subscription. Returns the price of the subscription. */
async function makeLinks({ processor, metadata, say, finally: atTheEnd }: Walk, [one, two]: [string, string]): Promise<string> {
  const common = { currency: "USD", recurring: null, trialDays: 0, allowPromotionCodes: true, successUrl: "https://example.com/thanks" };
  const make = async (what: string, wanted: Partial<NewPaymentLink> & Pick<NewPaymentLink, "items">) => {
    say(`make a link for ${what}`);
    const made = await processor.createPaymentLink({ ...common, paymentMethodTypes: ["card"], metadata, ...wanted }, keyed());
    atTheEnd(`deactivate the link for ${what}`, () => processor.deactivatePaymentLink(made.id, within()));
    return { id: made.id, lines: await processor.listLinkItems(made.id, within()) };
  };
  const oldest = await make("one product", { items: [item(one)] });
  await make("two products", { items: [item(one), item(two)] });
  const { lines } = await make("a subscription", { items: [item(one)], recurring: MONTHLY });
  await make("a subscription with a trial", { items: [item(two)], recurring: MONTHLY, trialDays: 7 });
  for (const after of [null, oldest.id]) {
    say(`find a link by its metadata, ${after === null ? "from the newest" : "from an older one"} on`);
    const found = await processor.findPaymentLink(metadata, { after, until: Date.now() + HOUR }, within());
    if (found === null || found.id === after) throw new Error("the link that was made is not found");
  }
  return lines[0]?.priceId ?? "";
}

async function makeCode({ processor, metadata, say, finally: atTheEnd }: Walk, productId: string): Promise<void> {
  say("make a coupon and a promotion code");
  const text = `VERIFY-${crypto.randomUUID()}`;
  const terms = { percentOff: 20, duration: "once", durationInMonths: null, productIds: [productId], name: text.slice(0, 40) } as const;
  const coupon = await processor.createCoupon({ ...terms, metadata }, keyed());
  atTheEnd("delete the coupon", () => processor.deleteCoupon(coupon.id, within()));
  const wanted = { couponId: coupon.id, code: text, maxRedemptions: 1, expiresAt: Date.now() + HOUR, metadata };
  const code = await processor.createPromotionCode(wanted, keyed());
  atTheEnd("deactivate the promotion code", () => processor.deactivatePromotionCode(code.id, within()));
  say("find the promotion code");
  if ((await processor.findPromotionCode(text, metadata, within())) === null) throw new Error("the code that was made is not found");
}

async function changeSubscription({ stripe, processor, metadata, say, finally: atTheEnd }: Walk, priceId: string): Promise<void> {
  say("start a subscription with a trial, end it with its period, and take that back");
  const customer = await stripe.customers.create({ email: "verification@example.com" });
  atTheEnd("delete the customer", () => stripe.customers.del(customer.id));
  const items = [{ price: priceId, quantity: 1 }];
  const { id } = await stripe.subscriptions.create({ customer: customer.id, items, trial_period_days: 7, metadata });
  atTheEnd("cancel the subscription", () => stripe.subscriptions.cancel(id));
  for (const wanted of [true, false]) {
    const { cancelAtPeriodEnd } = await processor.setCancelAtPeriodEnd(id, wanted, within());
    if (cancelAtPeriodEnd !== wanted) throw new Error(`the subscription's end was not ${wanted ? "scheduled" : "taken back"}`);
  }
  say("look the subscription up, as for an event about it");
  await processor.retrieve({ kind: "subscription", id }, within());
}

async function readLists({ processor, say }: Walk): Promise<void> {
  say("list subscriptions, balance transactions and events");
  const [from, to] = [Date.now() - HOUR, Date.now() + HOUR];
  await processor.listSubscriptions(from, to, 10, within());
  await processor.listBalanceTransactions(from, to, 10, within());
  await processor.listEvents(["customer.subscription.created"], from, to, 10, within());
}
