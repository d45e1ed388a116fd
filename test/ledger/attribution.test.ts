import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { namedOwners, paymentLinks, processorEvents, refreshes, subscriptions } from "../../src/db/schema/index.ts";
import { attribute } from "../../src/ledger/attribution.ts";
import type { Evidence } from "../../src/ledger/evidence.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import { CART, call, callV1, cart, LINK, link } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass } from "../support/later.ts";
import { changeObject } from "../support/objects.ts";
import { line, movementOf, type Paid, quiet } from "../support/payments.ts";
import { control, world } from "../support/stack.ts";
import { deleteRows, emptyTables, fieldOf, rowOf, updateRows } from "../support/tables.ts";

afterEach(() => {
  vi.useRealTimers();
});

const nothing: Evidence = { metadata: {}, paymentLinkId: null, subscriptionId: null, paymentIntentId: null };
const partner_id = "acme";

describe("whose a payment is", () => {
  const rows = async () => {
    const common = "environment, status, started_at, cancel_at_period_end, updated_at) VALUES";
    await env.CELL_1.batch([
      env.CELL_1.prepare(
        `INSERT OR REPLACE INTO subscriptions (id, partner_id, ${common} ('sub_globex', 'globex', 'live', 'active', 0, 0, 0)`,
      ),
      env.CELL_1.prepare(`INSERT OR REPLACE INTO subscriptions (id, partner_id, ${common} ('sub_nobody', NULL, 'live', 'active', 0, 0, 0)`),
      env.CELL_1.prepare(
        "INSERT OR REPLACE INTO movements (id, partner_id, environment, amount, currency, status, transaction_date, is_subscription, payment_intent_id, updated_at) VALUES ('m', 'globex', 'live', 1, 'USD', 'completed', 0, 0, 'pi_globex', 0)",
      ),
    ]);
  };

  it("and which link a subscription was started by, also while the directory has it for want of an owner", async () => {
    await env.DIRECTORY.prepare(
      "INSERT OR REPLACE INTO subscriptions (id, partner_id, payment_link_id, environment, status, started_at, cancel_at_period_end, updated_at) VALUES ('sub_waiting', NULL, 'plink_of_it', 'live', 'active', 0, 0, 0)",
    ).run();
    const renewal = { ...nothing, subscriptionId: "sub_waiting" };
    expect(await attribute(cellDeps(), renewal)).toMatchObject({
      attribution: { partnerId: null },
      subscriptionStart: { paymentLinkId: "plink_of_it" },
    });
    // Another place may have it too, and know less.
    await env.CELL_1.prepare(
      "INSERT OR REPLACE INTO subscriptions (id, client_reference_id, environment, status, started_at, cancel_at_period_end, updated_at) VALUES ('sub_waiting', 'order-1', 'live', 'active', 0, 0, 0)",
    ).run();
    expect(await attribute(cellDeps(), renewal)).toMatchObject({
      subscriptionStart: { paymentLinkId: "plink_of_it", clientReferenceId: "order-1" },
    });
    await env.CELL_1.prepare("DELETE FROM subscriptions WHERE id = 'sub_waiting'").run();
    const corrected = { ...renewal, metadata: { partner_id } };
    expect(await attribute(cellDeps(), corrected)).toMatchObject({
      attribution: { partnerId: "acme" },
      subscriptionStart: { paymentLinkId: "plink_of_it" },
    });
    await cellDeps().directory.insert(namedOwners).values({ subject: "sub_waiting", partnerId: "globex", at: 1 });
    expect(await attribute(cellDeps(), renewal)).toMatchObject({
      attribution: { partnerId: "globex" },
      subscriptionStart: { paymentLinkId: "plink_of_it" },
    });
    await deleteRows(namedOwners);
    await deleteRows(subscriptions, { id: "sub_waiting" });
  });

  it.each<[string, Partial<Evidence>, unknown]>([
    ["its metadata", { metadata: { partner_id } }, "acme"],
    ["its link", { paymentLinkId: "plink_acmeLiveUsd1First" }, "acme"],
    ["its subscription", { subscriptionId: "sub_globex" }, "globex"],
    ["the payment itself", { paymentIntentId: "pi_globex" }, "globex"],
    [
      "all that agree",
      { metadata: { partner_id }, paymentLinkId: "plink_acmeLiveUsd1First", subscriptionId: "sub_nobody", paymentIntentId: "pi_new" },
      "acme",
    ],
    ["nothing", {}, "unknown"],
    ["a link that is not ours", { paymentLinkId: "plink_made_elsewhere" }, "unknown"],
    ["a subscription that is nobody's", { subscriptionId: "sub_nobody" }, "unknown"],
    ["a partner that there is none of", { metadata: { partner_id: "somebody" } }, "no_such_partner"],
    ["an empty name", { metadata: { partner_id: "" } }, "no_such_partner"],
    [
      "a partner that there is none of, and a link",
      { metadata: { partner_id: "somebody" }, paymentLinkId: "plink_acmeLiveUsd1First" },
      "no_such_partner",
    ],
    ["metadata and link that differ", { metadata: { partner_id: "globex" }, paymentLinkId: "plink_acmeLiveUsd1First" }, "contradictory"],
    ["metadata and subscription that differ", { metadata: { partner_id }, subscriptionId: "sub_globex" }, "contradictory"],
    ["link and payment that differ", { paymentLinkId: "plink_acmeLiveUsd1First", paymentIntentId: "pi_globex" }, "contradictory"],
  ])("is known by %s", async (_what, evidence, wanted) => {
    await rows();
    const { attribution } = await attribute(cellDeps(), { ...nothing, ...evidence });
    expect(attribution.partnerId ?? attribution.why).toBe(wanted);
  });
});

/** Takes from a link what it would hand on, as if it had been made outside this service. */
function silence(paymentLinkId: string): void {
  const made = world.state.objects[paymentLinkId];
  if (made === undefined) throw new Error("no such link");
  Object.assign(made, { metadata: {} });
  if (made.payment_intent_data !== null) made.payment_intent_data = { metadata: {} };
  if (made.subscription_data !== null) made.subscription_data = { ...(made.subscription_data as object), metadata: {} };
}

describe("a payment whose metadata is silent", () => {
  it("is found through the link that it was paid through", async () => {
    const { body } = await call(CART, cart({ items: [line("TestUsd1")] }));
    silence(body.payment_link_id);
    const paid = await control<Paid>("/pay", { payment_link_id: body.payment_link_id });
    await quiet();
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
  });

  it("is found so at each renewal too, and its subscription learns its link", async () => {
    const { body } = await call(CART, cart({ items: [line("TestMonthly")] }));
    silence(body.payment_link_id);
    const { subscription } = await control<Paid>("/pay", { payment_link_id: body.payment_link_id });
    await quiet();
    await deleteRows(subscriptions, { id: subscription });
    const renewed = await control<Paid>("/renew", { subscription });
    await quiet();
    expect(await movementOf(renewed)).toMatchObject({ partner_id: "acme", client_reference_id: null, is_subscription: 1 });
    expect(await rowOf(subscriptions, { id: subscription }, ["partner_id", "payment_link_id"])).toEqual({
      partner_id: "acme",
      payment_link_id: body.payment_link_id,
    });
  });

  it("is found for a trial, which has no payment yet", async () => {
    const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900, trial_days: 7 } }));
    silence(body.processor_payment_link_id);
    const { subscription } = await control<Paid>("/pay", { payment_link_id: body.processor_payment_link_id });
    await quiet();
    expect(await rowOf(subscriptions, { id: subscription }, ["partner_id"])).toEqual({
      partner_id: "acme",
    });
  });

  it("and whose link nobody knows is kept, sent to nobody, and looked at again until it is known", async () => {
    const { body } = await call(CART, cart({ items: [line("TestUsd1")] }));
    silence(body.payment_link_id);
    const restore = async (partnerId: string, id: string) => updateRows(paymentLinks, { id: partnerId }, { id });
    await restore("plink_away", body.payment_link_id);
    const paid = await control<Paid>("/pay", { payment_link_id: body.payment_link_id });
    const attemptsAt = () => fieldOf(refreshes, "attempts", { subject: paid.payment_intent });
    // What is only early is not recorded, until the last attempt.
    for (let attempts = 1; attempts <= 5; attempts += 1) {
      await expect.poll(attemptsAt).toBe(attempts);
      expect(await movementOf(paid)).toBeNull();
      pass(4 * MINUTE);
      await cron.sweep("refreshes");
    }
    await expect.poll(attemptsAt).toBeNull();
    expect(await movementOf(paid)).toMatchObject({ partner_id: null, amount: 1900 });
    await restore(body.payment_link_id, "plink_away");
    await refresh(cellDeps(), "test", { kind: "payment_intent", id: paid.payment_intent });
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    await emptyTables(processorEvents, refreshes);
  });
});

describe("a refund without a charge", () => {
  it("is whose the payment is", async () => {
    const { body } = await call(CART, cart({ items: [line("TestUsd1")] }));
    const paid = await control<Paid>("/pay", { payment_link_id: body.payment_link_id });
    await quiet();
    await control("/events", { environment: "test", hold: true });
    const refund = await control<{ refund: string; balance_transaction: string }>("/refund", { payment_intent: paid.payment_intent });
    await changeObject(refund.refund, { charge: null });
    await control("/events", { environment: "test", hold: false });
    await quiet();
    expect(await movementOf(refund)).toMatchObject({ partner_id: "acme", payment_intent_id: paid.payment_intent, status: "refunded" });
  });
});
