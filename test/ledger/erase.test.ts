import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { auditRow } from "../../src/audit/audit-log.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { runBatch } from "../../src/db/client.ts";
import { auditLog, movements, notes, orders } from "../../src/db/schema/index.ts";
import { erasePerson } from "../../src/ledger/erase.ts";
import { withoutPerson } from "../../src/ledger/personal-data.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import { noteErasures, restoreErasureMarks } from "../../src/ledger/refill-snapshots.ts";
import { eraseSnapshot, isSnapshotErased, readSnapshot, snapshotKey } from "../../src/ledger/snapshots.ts";
import { addNote } from "../../src/notes/store.ts";
import { ANNA } from "../support/actor.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { realTime } from "../support/later.ts";
import { changeObject } from "../support/objects.ts";
import { change, ops } from "../support/ops.ts";
import { listed, type Paid, pay, payment, quiet } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { emptyTables, fieldOf, rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

const deps = cellDeps();
beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/erase` }));

it("marks what is erased again in pages, after R2 was lost, and passes over what has its mark", async () => {
  const keysOf = ["test/pi_lost1", "test/pi_lost2", "test/pi_lost3"];
  await runBatch(deps.directory, [noteErasures(deps.directory, keysOf, 1)]);
  await eraseSnapshot(deps, "test/pi_lost2");
  const marked = async () => Promise.all(keysOf.map((key) => isSnapshotErased(deps, key)));
  expect(await restoreErasureMarks(deps, "test/pi_lost", 2)).toEqual({ marked: 2, next: "test/pi_lost2" });
  expect(await marked()).toEqual([true, true, false]);
  expect(await restoreErasureMarks(deps, "test/pi_lost2", 2)).toEqual({ marked: 1, next: null });
  expect(await marked()).toEqual([true, true, true]);
});

const textOf = async (id: string) => JSON.stringify(await readSnapshot(deps, snapshotKey("test", id)));
const NAMES = /buyer-\d+@example/;
const newBuyer = () => `buyer-${Math.floor(Math.random() * 1e12)}@example.com`;

describe("what names a person", () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      "an address of a bill",
      { id: "ch_1", billing_details: { email: "a@b", name: "A" }, amount: 5 },
      { id: "ch_1", billing_details: null, amount: 5 },
    ],
    [
      "a card, but not that it was one",
      { payment_method_details: { type: "card", card: { last4: "4242" } } },
      { payment_method_details: { type: "card", card: null } },
    ],
    [
      "something within lists and objects",
      { items: { data: [{ email: "a@b", quantity: 1 }] }, price: { recurring: { phone: "1", interval: "month" } } },
      { items: { data: [{ email: null, quantity: 1 }] }, price: { recurring: { phone: null, interval: "month" } } },
    ],
    [
      "the method of a payment that failed",
      { last_payment_error: { code: "card_declined", message: "for A", payment_method: { billing_details: { email: "a@b" } } } },
      { last_payment_error: { code: "card_declined", message: null, payment_method: null } },
    ],
    [
      "what a customer wrote",
      { cancellation_details: { comment: "I am A", reason: "cancellation_requested" } },
      { cancellation_details: { comment: null, reason: "cancellation_requested" } },
    ],
    [
      "whom a refund is sent to",
      { instructions_email: "a@b", next_action: { display_details: { email_sent: { email_sent_to: "a@b" } } } },
      { instructions_email: null, next_action: null },
    ],
    ["why an invoice was not made", { last_finalization_error: { message: "A" } }, { last_finalization_error: null }],
    ["a customer, or free text", { customer: "cus_1", description: "for A" }, { customer: null, description: null }],
    ["a field that the processor adds later", { nickname: "A", age: 33 }, { nickname: null, age: null }],
    ["prose where a code belongs", { reason: "A said so" }, { reason: null }],
    ["metadata that others wrote", { metadata: { name: "A", record_id: "r" } }, { metadata: { name: null, record_id: "r" } }],
    [
      "nothing",
      { id: "txn_1", amount: -5, status: null, metadata: { partner_id: "acme" } },
      { id: "txn_1", amount: -5, status: null, metadata: { partner_id: "acme" } },
    ],
  ])("is %s", (_what, before, after) => {
    expect(withoutPerson(before)).toEqual(after);
  });
});

describe("erasing", () => {
  it("a payment empties its snapshot, keeps its money and its reference, and says so", async () => {
    const paid = await pay(["TestUsd1"], { email: newBuyer(), client_reference_id: "erased-1" });
    await quiet();
    expect(await textOf(paid.payment_intent)).toMatch(NAMES);
    const row = await rowOf(movements, { id: `processor:${paid.balance_transaction}` });
    const erased = await erasePerson(deps, { paymentIntentId: paid.payment_intent }, ANNA);
    expect(erased).toEqual({
      id: expect.stringMatching(/^era_[0-9a-f]{32}$/),
      partners: ["acme"],
      orderIds: [paid.payment_intent],
      payments: 1,
      subscriptions: 0,
      orders: 1,
      auditEntries: 0,
      notes: 0,
    });
    expect(await textOf(paid.payment_intent)).not.toMatch(NAMES);
    expect(await rowOf(movements, { id: `processor:${paid.balance_transaction}` })).toEqual(row);
    const { snapshot } = (await payment(paid.payment_intent)).payment;
    expect(snapshot.charge).toMatchObject({ id: paid.charge, amount: 1900, billing_details: null });
    expect(await listed({ client_reference_id: "erased-1" })).toMatchObject({ count: 1 });
    const { id = "" } = "id" in erased ? erased : {};
    const ofOrder = { actor: "Anna", partner_id: "acme", after: JSON.stringify({ erasure: id }) };
    expect(await rowsOf(auditLog, { action: "erase", target: paid.payment_intent })).toMatchObject([ofOrder]);
    const [entry] = await rowsOf(auditLog, { action: "erase", target: id });
    expect(JSON.parse(entry?.after ?? "")).toMatchObject({ orders: 1, partners: ["acme"] });
    expect(await erasePerson(deps, { paymentIntentId: paid.payment_intent }, ANNA)).toMatchObject({ payments: 0 });
  });

  it("stays: what the processor says of the payment later brings nothing back", async () => {
    const paid = await pay(["TestUsd1"], { email: newBuyer() });
    await quiet();
    await erasePerson(deps, { paymentIntentId: paid.payment_intent }, ANNA);
    await control("/refund", { payment_intent: paid.payment_intent, amount: 100 });
    await quiet();
    await refresh(deps, "test", { kind: "charge", id: paid.charge });
    expect(await textOf(paid.payment_intent)).not.toMatch(NAMES);
    expect((await payment(paid.payment_intent)).payment.snapshot.refund).toMatchObject({ amount: 100 });
  });

  it("empties what a movement says in free text, and no refresh brings it back", async () => {
    const paid = await pay(["TestUsd1"], { email: newBuyer() });
    await quiet();
    const id = `processor:${paid.balance_transaction}`;
    await changeObject(paid.charge, { description: "For Maria" });
    await refresh(deps, "test", { kind: "charge", id: paid.charge });
    expect(await fieldOf(movements, "description", { id })).toBe("For Maria");
    await erasePerson(deps, { paymentIntentId: paid.payment_intent }, ANNA);
    expect(await fieldOf(movements, "description", { id })).toBeNull();
    await changeObject(paid.charge, { description: "For Maria again" });
    await refresh(deps, "test", { kind: "charge", id: paid.charge });
    expect(await fieldOf(movements, "description", { id })).toBeNull();
  });

  it("comes before the payment, if need be", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"], { email: newBuyer() });
    await refresh({ ...deps, snapshotBucket: env.SNAPSHOTS }, "test", { kind: "charge", id: paid.charge });
    await env.SNAPSHOTS.delete(snapshotKey("test", paid.payment_intent));
    await erasePerson(deps, { paymentIntentId: paid.payment_intent }, ANNA);
    await control("/events", { environment: "test", hold: false });
    await quiet();
    expect(await textOf(paid.payment_intent)).toContain(paid.charge);
    expect(await textOf(paid.payment_intent)).not.toMatch(NAMES);
  });

  it("an order reference empties all payments with it, of whatever partner, and no others", async () => {
    const same = await Promise.all([1, 2].map(() => pay(["TestUsd1"], { email: newBuyer(), client_reference_id: "shared-order" })));
    const other = await pay(["TestUsd1"], { email: newBuyer(), client_reference_id: "other-order" });
    await quiet();
    expect(await erasePerson(deps, { clientReferenceId: "shared-order" }, ANNA)).toMatchObject({ payments: 2 });
    for (const paid of same) expect(await textOf(paid.payment_intent)).not.toMatch(NAMES);
    expect(await textOf(other.payment_intent)).toMatch(NAMES);
    const about = (target: string, text: string) => addNote(deps, { target, text }, ANNA);
    const kept = await about("partner/acme", "Asks about other-order");
    await about("bank/01abc", "Paid in rubles");
    await about("partner/acme", "Asks about Shared-Order");
    await about(same[0]?.payment_intent ?? "", "Wants it back");
    expect(
      await erasePerson(deps, { clientReferenceId: "shared-order", orders: [{ id: "01abc", partnerId: "acme" }] }, ANNA),
    ).toMatchObject({
      notes: 3,
    });
    expect(await rowsOf(notes)).toMatchObject([{ id: kept?.id }]);
    await emptyTables(notes);
    expect(await erasePerson(deps, { clientReferenceId: "no-order" }, ANNA)).toEqual({
      id: expect.any(String),
      partners: [],
      orderIds: [],
      payments: 0,
      subscriptions: 0,
      orders: 0,
      auditEntries: 0,
      notes: 0,
    });
  });

  it("leaves an entry at each order before it empties one, and none with the reference or the address", async () => {
    const email = newBuyer();
    const paid = await pay(["TestUsd1"], { email, client_reference_id: "erased-half" });
    await quiet();
    const bucket = { get: () => Promise.reject(new Error("R2 is down")) };
    const broken = { ...deps, snapshotBucket: Object.assign(Object.create(env.SNAPSHOTS), bucket) };
    virtualTime();
    await expect(erasePerson(broken, { clientReferenceId: "erased-half" }, ANNA)).rejects.toThrow();
    realTime();
    const before = await rowsOf(auditLog, { action: "erase", target: paid.payment_intent });
    expect(before).toMatchObject([{ partner_id: "acme" }]);
    const { body } = await change("erase", { client_reference_id: "erased-half" });
    expect(body).toMatchObject({ partners: ["acme"], order_ids: [paid.payment_intent], payments: 1 });
    expect((await ops(`audit?target=${body.erasure}`)).body.data).toMatchObject([{ action: "erase" }]);
    expect(JSON.stringify(await rowsOf(auditLog))).not.toMatch(/erased-half|buyer-/);
  });

  it("an order reference that two partners have is erased for the partner that is named, and for none without one", async () => {
    const order = { client_reference_id: "two-owners" };
    const [own, foreign] = [
      await pay(["TestUsd1"], { email: newBuyer(), ...order }),
      await pay(["TestUsd1"], { email: newBuyer(), ...order }),
    ];
    await quiet();
    await updateRows(movements, { partner_id: "globex" }, { payment_intent_id: foreign.payment_intent });
    await updateRows(orders, { partner_id: "globex" }, { id: foreign.payment_intent });
    expect(await change("erase", order)).toMatchObject({ status: 409, body: { error: expect.stringContaining("acme, globex") } });
    for (const paid of [own, foreign]) expect(await textOf(paid.payment_intent)).toMatch(NAMES);
    expect((await change("erase", { ...order, partner: "acme" })).body).toMatchObject({ payments: 1 });
    expect(await textOf(own.payment_intent)).not.toMatch(NAMES);
    expect(await textOf(foreign.payment_intent)).toMatch(NAMES);
    expect((await change("erase", { email: newBuyer(), partner: "acme" })).status).toBe(400);
    expect((await change("erase", { ...order, partner: "nobody" })).status).toBe(404);
  });

  it.each([
    ["10", "Asked on 2026-10-01 about order-1010, plink_10 and 10.50 USD, at 09:10, in part-10", false],
    ["10", "Asks about 10.", true],
    ["10", "Order #10, and no other", true],
    ["Заказ", "Пишет про ЗАКАЗ", true],
    ["ann@shop", "Wrote joann@shop", false],
  ])("a note that has the reference %s only within another word stays: %s", async (reference, text, isNamed) => {
    await addNote(deps, { target: "partner/acme", text }, ANNA);
    expect(await erasePerson(deps, { clientReferenceId: reference }, ANNA)).toMatchObject({ notes: isNamed ? 1 : 0 });
    await emptyTables(notes);
  });

  it("a buyer empties what they paid, their subscriptions with all renewals, and the audit log's values", async () => {
    const email = newBuyer();
    const once = await pay(["TestUsd1"], { email });
    const subscribed = await pay(["TestMonthly"], { email });
    const renewed = await control<Paid>("/renew", { subscription: subscribed.subscription });
    const stranger = await pay(["TestUsd1"], { email: newBuyer() });
    await quiet();
    await runBatch(deps.db, [
      auditRow(
        deps.db,
        { actor: ANNA, action: "note.add", target: "x", after: { wrote: `to ${email.toUpperCase()} "at once"` } },
        Date.now(),
      ),
    ]);
    const kept = await addNote(deps, { target: stranger.payment_intent, text: "She asks again" }, ANNA);
    await addNote(deps, { target: once.payment_intent, text: "She asks for a refund" }, ANNA);
    await addNote(deps, { target: "partner/acme", text: `Wrote to ${email.toUpperCase()}` }, ANNA);
    const erased = await erasePerson(deps, { email }, ANNA);
    expect(erased).toMatchObject({ partners: ["acme"], payments: 3, subscriptions: 1, orders: 3, auditEntries: 1, notes: 2 });
    const objects = [once, subscribed, renewed].map(({ payment_intent }) => payment_intent);
    expect(erased).toMatchObject({ orderIds: objects.toSorted() });
    for (const target of [...objects, subscribed.subscription ?? ""])
      expect(await rowsOf(auditLog, { action: "erase", target })).toMatchObject([{ partner_id: "acme" }]);
    const again = await control<Paid>("/renew", { subscription: subscribed.subscription });
    await quiet();
    for (const paid of [once, subscribed, renewed, again]) {
      expect(await textOf(paid.payment_intent)).toContain(paid.charge);
      expect(await textOf(paid.payment_intent)).not.toContain(email);
    }
    expect(await textOf(subscribed.subscription ?? "")).not.toContain(email);
    expect(await textOf(stranger.payment_intent)).toMatch(NAMES);
    const log = JSON.stringify(await rowsOf(auditLog));
    expect(log.toLowerCase()).not.toContain(email);
    expect(await rowsOf(notes)).toMatchObject([{ id: kept?.id }]);
    // The processor still knows the address; it leads to nothing of ours.
    expect((await ops(`find?q=${email}`)).body.data).toEqual([]);
  });

  it("of a payment or a reference reaches the renewals that were declined, and notes at free checkouts and ruble orders", async () => {
    for (const by of ["payment", "reference"] as const) {
      const reference = `declined-${by}`;
      const subscribed = await pay(["TestMonthly"], { email: newBuyer(), client_reference_id: reference });
      await control("/renew", { subscription: subscribed.subscription, outcome: "failed" });
      await quiet();
      const ofSubscription = { subscription_id: subscribed.subscription ?? "" };
      const declined = (await rowsOf(orders, ofSubscription)).find(({ id }) => id !== subscribed.payment_intent);
      expect(declined).toMatchObject({ status: "failed" });
      await updateRows(orders, { email: newBuyer(), customer_name: "A buyer" }, { id: String(declined?.id) });
      const subject = by === "payment" ? { paymentIntentId: subscribed.payment_intent } : { clientReferenceId: reference };
      const note = await addNote(deps, { target: String(declined?.id), text: "She asks again" }, ANNA);
      await erasePerson(deps, subject, ANNA);
      expect((await rowsOf(orders, ofSubscription)).map(({ email }) => email)).toEqual([null, null]);
      expect(await textOf(String(declined?.id))).not.toMatch(NAMES);
      expect(await rowOf(notes, { id: note?.id ?? "" })).toBeNull();
    }
  });

  it("of a buyer reaches the subscription that a cancellation answers, which keeps what no person wrote", async () => {
    const email = newBuyer();
    const { subscription = "" } = await pay(["TestMonthly"], { email });
    await quiet();
    await changeObject(subscription, {
      description: "For Maria",
      cancellation_details: { comment: "I am Maria", feedback: null, reason: null },
    });
    const cancel = () =>
      send(`/webhook/cancel_subscription_at_period_end?subscription_id=${subscription}`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": keys.acme },
        body: "cancel_at_period_end=true",
      });
    expect((await cancel()).text).toContain("Maria");
    await erasePerson(deps, { email }, ANNA);
    const { status, body, text } = await cancel();
    expect([status, body.id, body.cancel_at_period_end, body.metadata.partner_id]).toEqual([200, subscription, true, "acme"]);
    expect(text).not.toContain("Maria");
  });
});
