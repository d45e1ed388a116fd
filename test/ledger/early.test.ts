import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { events, refreshes, subscriptions } from "../../src/db/schema/index.ts";
import { isEarly, lookUp } from "../../src/ledger/look-up.ts";
import { CART, call, callV1, cart, LINK, link, REGISTER } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { bodiesOf } from "../support/deliveries.ts";
import { HOUR, MINUTE, pass, realTime, SECOND } from "../support/later.ts";
import { changeObject, dropHeldEvents, hideObjects } from "../support/objects.ts";
import { line, listed, movementOf, type Paid, pay, quiet, receivedEvents } from "../support/payments.ts";
import { control, settled, world } from "../support/stack.ts";
import { countOf, deleteRows, fieldOf, rowsOf } from "../support/tables.ts";

/** The processor's own order: what shows whose a payment is, and for which order, comes after the payment. */

let logged: string[] = [];
beforeEach(async () => {
  logged = errorsLogged();
  await control("/events", { environment: "test", hold: false, duplicate: 0, shuffle: false });
});
afterEach(realTime);

/** What is logged as an error from now on. */
function errorsLogged(): string[] {
  const entries: string[] = [];
  vi.spyOn(console, "error").mockImplementation((entry: unknown) => entries.push(String(entry)));
  return entries;
}

const attemptsAt = ({ payment_intent }: Paid) => fieldOf(refreshes, "attempts", { subject: payment_intent });

describe("the first payment of a subscription", () => {
  it("whose invoice comes after the charge has one event, with its order reference, and nothing is logged as an error", async () => {
    await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/early" });
    const reference = `order-${crypto.randomUUID()}`;
    const paid = await pay(["TestMonthly"], { client_reference_id: reference, subscription_after_ms: 1, balance_after_ms: 2 });
    await settled();
    await expect
      .poll(() => listed({ client_reference_id: reference }))
      .toMatchObject({ count: 1, transactions: [{ is_subscription: true, payment_intent_id: paid.payment_intent }] });
    await expect
      .poll(() => receivedEvents("early").filter(({ event }) => event === "Processor.payment.succeeded"))
      .toMatchObject([{ transaction: { client_reference_id: reference } }]);
    await quiet();
    expect(logged).toEqual([]);
  });

  it("is looked at again after 1, 3, 10 and 30 seconds, and again, while the invoice is hidden", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestMonthly"], { client_reference_id: "hidden" });
    await hideObjects("invoice_payment");
    await dropHeldEvents({ first: 1 });
    await control("/events", { environment: "test", hold: false });
    const due = async () => Number(await fieldOf(refreshes, "next_attempt_at", { subject: paid.payment_intent }));
    let last = Date.now();
    for (const [index, wait] of [SECOND, 3 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE].entries()) {
      await expect.poll(() => attemptsAt(paid)).toBe(index + 1);
      await expect.poll(async () => (await due()) > last).toBe(true);
      expect((await due()) - Date.now()).toBeLessThanOrEqual(wait);
      expect(await movementOf(paid)).toBeNull();
      if (index === 3) await hideObjects("invoice_payment", false);
      last = await due();
      // The cron finds it half a minute later, if no message does.
      pass(last - Date.now() + 31 * SECOND);
      await cron.sweep("refreshes");
      if (index === 3) break;
    }
    await expect.poll(() => attemptsAt(paid)).toBeNull();
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme", client_reference_id: "hidden" });
    expect(logged).toEqual([]);
  });

  it("is recorded by its invoice alone, and by its session alone", async () => {
    for (const type of ["invoice.paid", "checkout.session.completed"]) {
      await control("/events", { environment: "test", hold: true });
      const paid = await pay(["TestMonthly"], { client_reference_id: type.replaceAll(".", "-") });
      await dropHeldEvents({ keep: [type] });
      await control("/events", { environment: "test", hold: false });
      await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme", client_reference_id: type.replaceAll(".", "-") });
    }
  });

  it("waits for the session to name the subscription, so that the order reference is not lost", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await control<Paid & { checkout_session: string }>("/pay", {
      payment_link_id: (await call(CART, cart({ items: [line("TestMonthly")] }))).body.payment_link_id,
      client_reference_id: "session-late",
    });
    await changeObject(paid.checkout_session, { subscription: null });
    await dropHeldEvents({ first: 1 });
    await control("/events", { environment: "test", hold: false });
    await expect.poll(() => attemptsAt(paid)).toBe(1);
    expect(await movementOf(paid)).toBeNull();
    await changeObject(paid.checkout_session, { subscription: paid.subscription });
    pass(2 * MINUTE);
    await cron();
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme", client_reference_id: "session-late" });
  });

  it("is waited for once: a later look needs no session, and keeps what is known of the start", async () => {
    const { subscription = "" } = await pay(["TestMonthly"], { client_reference_id: "waited-for" });
    await quiet();
    await hideObjects("checkout.session");
    const look = () => lookUp(cellDeps(), "test", { kind: "subscription", id: subscription });
    const known = await look();
    expect([isEarly(known), known.facts.subscriptionReferenceId]).toEqual([false, "waited-for"]);
    await deleteRows(subscriptions, { id: subscription });
    expect(isEarly(await look())).toBe(true);
    await hideObjects("checkout.session", false);
    expect(isEarly(await look())).toBe(false);
  });

  it("that stays without an owner is recorded after the last attempt, and logged as an error only then", async () => {
    const { payment_link_id } = (await call(CART, cart({ items: [line("TestUsd1")] }))).body;
    await changeObject(payment_link_id, { payment_intent_data: { metadata: {} } });
    await control("/events", { environment: "test", hold: true });
    const paid = await control<Paid & { checkout_session: string }>("/pay", { payment_link_id });
    await changeObject(paid.checkout_session, { payment_link: null });
    await dropHeldEvents({ first: 1 });
    await control("/events", { environment: "test", hold: false });
    const errors = () => logged.filter((entry) => entry.includes("movement without a partner") && entry.includes(paid.charge));
    for (let attempts = 1; attempts <= 5; attempts += 1) {
      await expect.poll(() => attemptsAt(paid)).toBe(attempts);
      expect(errors()).toEqual([]);
      pass(4 * MINUTE);
      // Without the comparison with the processor's lists, which would bring the other events.
      await cron.sweep("refreshes");
    }
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: null });
    // It is logged after it was recorded.
    await expect.poll(errors).not.toEqual([]);
  });
});

describe("a refund that failed before it was booked", () => {
  it("has one event, and moves nothing", async () => {
    const paid = await pay(["TestUsd1"], { client_reference_id: "unbooked" });
    const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, pending: true, unbooked: true });
    await control("/refund/settle", { refund, outcome: "failed" });
    await expect.poll(() => countOf(events, { cause: `refund.failed:${refund}` })).toBe(1);
    const [body] = await bodiesOf(`refund.failed:${refund}`);
    expect(body).toMatchObject({
      event: "Processor.refund.failed",
      transaction: {
        id: `processor:${refund}`,
        amount: -19,
        net_amount: null,
        fee: null,
        status: "failed",
        client_reference_id: "unbooked",
      },
    });
    await quiet();
    expect(await listed({ client_reference_id: "unbooked" })).toMatchObject({ count: 1 });
  });

  it("of a payment that was no card's has ids and types of its own", async () => {
    const paid = await pay(["TestUsd1"], { client_reference_id: "slow-refund", outcome: "pending" });
    await control("/settle", { payment_intent: paid.payment_intent, outcome: "succeeded" });
    const back = await control<Paid & { refund: string }>("/refund", { payment_intent: paid.payment_intent });
    expect(back.refund).toMatch(/^pyr_/);
    expect(world.state.objects[back.balance_transaction]).toMatchObject({ type: "payment_refund", reporting_category: "refund" });
    await expect.poll(() => movementOf(back)).toMatchObject({ type: "processor_refund", status: "refunded", source_id: back.refund });
  });
});

describe("a subscription of which no event came", () => {
  it("is found by the comparison with the processor's list, though it moved no money", async () => {
    // What an earlier test let be compared is not compared again.
    pass(HOUR);
    const trial = link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900, trial_days: 7 } });
    const { body } = await callV1(LINK, trial);
    await control("/events", { environment: "test", hold: true });
    const { subscription } = await control<{ subscription: string }>("/pay", { short_url: body.short_url });
    // The processor's list of events does not have them either.
    await hideObjects("event");
    await dropHeldEvents();
    pass(2 * MINUTE);
    await cron();
    const found = "SELECT partner_id, status FROM subscriptions WHERE id = ?";
    await expect.poll(() => env.CELL_1.prepare(found).bind(subscription).first()).toEqual({ partner_id: "acme", status: "trialing" });
    await expect.poll(() => rowsOf(events, { cause: `subscription.started:${subscription}` })).toHaveLength(1);
  });
});
