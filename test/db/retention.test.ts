import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import deploy from "../../docs/deploy.md?raw";
import { retentionSchema } from "../../src/core/retention.ts";
import { bankNotifications, events, idempotencyRecords, movements, processorEvents, refreshes, walks } from "../../src/db/schema/index.ts";
import { expireProcessorEvents } from "../../src/ledger/expire.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import { completeShortLinkManually } from "../../src/links/complete-short-link.ts";
import { deleteExpiredInCell } from "../../src/runners/expire-rows.ts";
import { ANNA } from "../support/actor.ts";
import { BANK, bankCart, CART, call, callV1, cart, LINK, link, REGISTER } from "../support/api.ts";
import { eventsOf } from "../support/bank.ts";
import { cellDeps } from "../support/cells.ts";
import { attemptsOf } from "../support/deliveries.ts";
import { DAY, HOUR, pass, realTime, SECOND } from "../support/later.ts";
import { listed, movementOf, type Paid, pay, quiet, receivedEvents } from "../support/payments.ts";
import { control, objects, SANDBOX } from "../support/stack.ts";
import { countOf, emptyTables, fieldOf, rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** What is let go of, and when: each kind of row is there until its time is over, and what somebody waits for after it. */

const deps = cellDeps();
beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/kept` }));
afterEach(realTime);

/** Lets go of what has expired so much later, of all rows. */
async function later(milliseconds: number): Promise<void> {
  await emptyTables(walks);
  pass(milliseconds);
  await deleteExpiredInCell(deps);
}

const recordOf = (partOfKey: string) => rowsOf(idempotencyRecords).then((rows) => rows.find(({ key }) => key.includes(partOfKey)));

describe("an idempotency record of the second generation", () => {
  it("with a token has its result and its fingerprint for good, and its plan until it is complete", async () => {
    const body = cart();
    const { body: first } = await call(CART, body);
    expect(await recordOf(body.client_token)).toMatchObject({ state: "completed", plan: "" });
    await later(400 * DAY);
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: true, payment_link_id: first.payment_link_id });
  });

  it("of content goes 48 hours after its result, and the same content then makes a new one", async () => {
    const { client_token: _, ...untokened } = cart();
    const { body: first } = await call(CART, untokened);
    const isThere = async () =>
      (await rowsOf(idempotencyRecords)).some(({ key, result }) => key.startsWith("content:") && result?.includes(first.payment_link_id));
    await later(47 * HOUR);
    expect(await isThere()).toBe(true);
    await later(1.1 * HOUR);
    expect(await isThere()).toBe(false);
    const { body: second } = await call(CART, untokened);
    expect(second).toMatchObject({ success: true, duplicate: false });
  });

  it.each([
    ["stays while it runs", { state: "running" }, 1],
    ["stays while it waits for its short link", { state: "awaiting_short_link" }, 1],
    ["stays while a repeat may resume it", { state: "failed", resumable: 1 }, 1],
    ["stays while something is to be undone", { state: "failed", resumable: 0, compensate_at: 1 }, 1],
    ["goes once it has failed for good", { state: "failed", resumable: 0, compensate_at: null }, 0],
  ])("of content %s", async (_what, set, left) => {
    const { client_token: _token, ...untokened } = cart({
      items: [
        {
          stripe_product_id: "prod_acmeTestUsd2",
          unit_amount: 100 + Object.keys(set).length * 10 + left + (set.state?.length ?? 0),
          quantity: 1,
        },
      ],
    });
    const { body } = await call(CART, untokened);
    const record = (await rowsOf(idempotencyRecords)).find(({ result }) => result?.includes(body.payment_link_id));
    await updateRows(idempotencyRecords, { ...set, completed_at: null }, { id: record?.id });
    await later(49 * HOUR);
    expect(await countOf(idempotencyRecords, { id: record?.id })).toBe(left);
    await updateRows(idempotencyRecords, { state: "completed", compensate_at: null, completed_at: 0 }, { id: record?.id });
  });

  it("of a ruble payment keeps no address and no phone once it is complete", async () => {
    const body = bankCart({ client_token: crypto.randomUUID(), customer_email: "somebody@example.com", customer_phone: "+79991234567" });
    expect((await call(BANK, body)).body).toMatchObject({ success: true });
    const record = await recordOf(body.client_token);
    expect(record).toMatchObject({ state: "completed" });
    expect(JSON.stringify(record)).not.toMatch(/somebody@example|9991234567/);
  });
});

describe("an idempotency record of the first generation", () => {
  it("has its result for 48 hours, and its key and fingerprint for good", async () => {
    const body = link({ idempotency_key: crypto.randomUUID() });
    const { body: first } = await callV1(LINK, body);
    expect(first).toMatchObject({ success: true });
    await later(47 * HOUR);
    expect(await recordOf(body.idempotency_key)).toMatchObject({ state: "completed", result: expect.any(String) });
    await later(1.1 * HOUR);
    expect(await recordOf(body.idempotency_key)).toMatchObject({ state: "completed", result: null, plan: "" });
    // Its short link is still said to whoever asks for it by the link.
    const plink = (await objects("payment_links")).at(-1)?.id ?? "";
    expect(await completeShortLinkManually(deps, plink, ANNA)).toBe(first.short_url_id);
    await later(300 * DAY);
    const other = await callV1(LINK, { ...body, stripe_product_id: "prod_acmeTestUsd2" });
    expect(other.body).toMatchObject({ error_code: "idempotency_conflict" });
    const again = await callV1(LINK, body);
    expect(again.body).toMatchObject({ success: true, is_replay: false });
    expect(again.body.short_url_id).not.toBe(first.short_url_id);
  });
});

describe("an event of the processor", () => {
  it("is kept for 45 days, and longer while its payment waits for a refresh", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const subject = paid.payment_intent;
    const count = await countOf(processorEvents, { subject });
    expect(count).toBeGreaterThan(0);
    await later(44 * DAY);
    expect(await countOf(processorEvents, { subject })).toBe(count);
    await env.CELL_1.prepare("INSERT INTO refreshes VALUES (?, 'test', 'parked', 14, 0, 'away', 0, 'internal')").bind(subject).run();
    await later(2 * DAY);
    expect(await countOf(processorEvents, { subject })).toBe(count);
    await emptyTables(refreshes);
    await later(0);
    expect(await countOf(processorEvents, { subject })).toBe(0);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
  });
});

describe("a notification of the bank", () => {
  it("is kept for 45 days, and longer while it waits for somebody", async () => {
    const { order_id } = (await call(BANK, bankCart())).body;
    await control("/bank/pay", { order_id });
    const kept = () => countOf(bankNotifications, { order_id });
    await until(async () => expect(await kept()).toBe(2));
    await updateRows(bankNotifications, { problem: "amount_mismatch" }, { order_id, status: "CONFIRMED" });
    await later(44 * DAY);
    expect(await kept()).toBe(2);
    await later(2 * DAY);
    expect(await kept()).toBe(1);
    await updateRows(bankNotifications, { problem: null }, { order_id });
    await later(0);
    expect(await kept()).toBe(0);
  });
});

describe("an event for a partner", () => {
  // A test before may have left events of the year to which it had moved the clock, and those that follow would be later.
  beforeEach(() => env.CELL_1.prepare("UPDATE events SET created_at = ?1 WHERE created_at > ?1").bind(Date.now()).run());

  const causeOf = (paid: Paid) => `payment.succeeded:processor:${paid.balance_transaction}`;
  const sent = (paid: Paid) =>
    receivedEvents("kept").filter(
      ({ event, transaction }) => event === "Processor.payment.succeeded" && transaction.payment_intent_id === paid.payment_intent,
    );

  it("is kept for 180 days and its attempts for 90, and it never comes twice all the same", async () => {
    const paid = await pay(["TestUsd1"], { client_reference_id: "kept" });
    await until(() => expect(sent(paid)).toHaveLength(1));
    await quiet();
    const id = await fieldOf(events, "id", { cause: causeOf(paid) });
    await until(async () => expect(await fieldOf(events, "state", { id })).toBe("succeeded"));
    await later(89 * DAY);
    expect(await attemptsOf(id)).toHaveLength(1);
    await later(2 * DAY);
    expect(await attemptsOf(id)).toHaveLength(0);
    await later(88 * DAY);
    expect(await countOf(events, { id })).toBe(1);
    await later(2 * DAY);
    expect(await countOf(events, { id })).toBe(0);
    // A refund a year later leads to the payment again.
    const refund = await control<Paid>("/refund", { payment_intent: paid.payment_intent, amount: 100 });
    await until(async () => expect(await countOf(events, { cause: `refund.succeeded:processor:${refund.balance_transaction}` })).toBe(1));
    expect(await countOf(events, { cause: causeOf(paid) })).toBe(0);
    expect(await listed({ client_reference_id: "kept" })).toMatchObject({ count: 2 });
    expect(sent(paid)).toHaveLength(1);
  });

  it("of a subscription's start, or of a paid order, does not come again either", async () => {
    const paid = await pay(["TestMonthly"]);
    await quiet();
    const cause = `subscription.started:${paid.subscription}`;
    const { order_id } = (await call(BANK, bankCart())).body;
    await control("/bank/pay", { order_id });
    await until(async () => expect(await eventsOf({ order_id })).toHaveLength(1));
    await until(async () => expect(await countOf(events, { cause, state: "succeeded" })).toBe(1));
    await until(async () => expect(await countOf(events, { cause: `bank.payment.succeeded:${order_id}`, state: "succeeded" })).toBe(1));
    await later(181 * DAY);
    expect(await countOf(events, { cause })).toBe(0);
    await control("/renew", { subscription: paid.subscription });
    await quiet();
    await control("/bank/refund", { order_id }).catch(() => undefined);
    expect(await countOf(events, { cause })).toBe(0);
    expect(await eventsOf({ order_id })).toEqual([]);
  });

  it("of a lost dispute does not come again, and that of a refund that was never booked is kept", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const { dispute } = await control<{ dispute: string }>("/dispute", { payment_intent: paid.payment_intent });
    await control("/dispute/close", { dispute, won: false });
    const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, pending: true, unbooked: true });
    await control("/refund/settle", { refund, outcome: "failed" });
    await quiet();
    const lost = (await rowsOf(events)).find(({ cause }) => cause.startsWith("dispute.lost:"))?.cause;
    // Only these: an earlier test may have left one that is due in the year to which it had moved the clock.
    for (const cause of [lost, `refund.failed:${refund}`]) {
      await until(async () => expect(await countOf(events, { cause, state: "succeeded" })).toBe(1));
    }
    await later(181 * DAY);
    expect(await countOf(events, { cause: lost })).toBe(0);
    expect(await countOf(events, { cause: `refund.failed:${refund}` })).toBe(1);
    await refresh(deps, "test", { kind: "dispute", id: dispute });
    await refresh(deps, "test", { kind: "refund", id: refund });
    expect(await countOf(events, { cause: lost })).toBe(0);
    expect(await countOf(events, { cause: `refund.failed:${refund}` })).toBe(1);
  });

  it.each([
    ["pending", 1],
    ["sending", 1],
    ["suspended", 1],
    ["succeeded", 0],
    ["exhausted", 0],
    ["no_endpoint", 0],
  ])("that is %s stays or goes", async (state, left) => {
    const paid = await pay(["TestUsd2"]);
    const cause = causeOf(paid);
    await until(async () => expect(await fieldOf(events, "state", { cause })).toBe("succeeded"));
    await updateRows(
      events,
      { state, claimed_at: state === "sending" ? Date.now() + 400 * DAY : null, next_attempt_at: Date.now() + 400 * DAY },
      { cause },
    );
    await later(181 * DAY);
    expect(await countOf(events, { cause })).toBe(left);
    await updateRows(events, { state: "succeeded", claimed_at: null }, { cause });
  });
});

it("movements and links are kept for good", async () => {
  const paid = await pay(["TestUsd1"], { client_reference_id: "for-good" });
  await quiet();
  await later(3000 * DAY);
  expect(await rowOf(movements, { id: `processor:${paid.balance_transaction}` })).toMatchObject({ partner_id: "acme" });
  expect(await listed({ client_reference_id: "for-good" })).toMatchObject({ count: 1 });
});

describe("a walk", () => {
  it("looks at a thousand rows at a time, goes on where it ended, and begins anew after the last", async () => {
    await emptyTables(walks, processorEvents);
    await env.CELL_1.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO processor_events SELECT 'pi_' || printf('%05d', i), 'evt_' || i, 'test', 'charge.updated', 'ch', CASE WHEN i % 5 = 0 THEN ${Date.now()} ELSE 0 END FROM n`,
    ).run();
    const left = () => countOf(processorEvents);
    const position = () => fieldOf(walks, "position", { name: "processor_events" });
    const step = () => expireProcessorEvents(deps.db, Date.now() - 45 * DAY);
    expect([await step(), await left(), await position()]).toEqual([{ changed: 800, isAtEnd: false }, 1700, "pi_01000"]);
    expect([await step(), await left(), await position()]).toEqual([{ changed: 800, isAtEnd: false }, 900, "pi_02000"]);
    expect([await step(), await left(), await position()]).toEqual([{ changed: 400, isAtEnd: true }, 500, ""]);
    expect(await step()).toEqual({ changed: 0, isAtEnd: true });
    await emptyTables(processorEvents);
  });

  it("makes several steps in a run, and no more than its time allows", async () => {
    await emptyTables(walks, processorEvents);
    const fill = () =>
      env.CELL_1.prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3500)
         INSERT INTO processor_events SELECT 'pi_' || printf('%05d', i), 'evt_' || i, 'test', 'charge.updated', 'ch', 0 FROM n`,
      ).run();
    await fill();
    expect(await deleteExpiredInCell(deps)).toBe(3500);
    await fill();
    let now = Date.now();
    const slow = { now: () => (now += 4 * SECOND) };
    expect(await deleteExpiredInCell({ ...deps, clock: slow })).toBe(1000);
    await emptyTables(processorEvents);
  });
});

describe("the settings", () => {
  const usual = retentionSchema.parse({});

  it("are what docs/deploy.md says", () => {
    const rows = [...deploy.matchAll(/^\| `(\w+_(?:days|hours))` \| (\d+) \| (\d+) \|/gm)];
    expect(rows.map(([, name = ""]) => name).toSorted()).toEqual(Object.keys(usual).toSorted());
    for (const [, name = "", value, least] of rows) {
      expect(retentionSchema.parse({ [name]: Number(value) })).toEqual(usual);
      expect(retentionSchema.safeParse({ [name]: Number(least) }).success).toBe(true);
      expect(retentionSchema.safeParse({ [name]: Number(least) - 1 }).success).toBe(false);
      expect(retentionSchema.safeParse({ [name]: 50.5 }).success).toBe(false);
    }
    expect(retentionSchema.safeParse({ processor_events_days: 45 }).success).toBe(false);
  });
});
