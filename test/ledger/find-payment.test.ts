import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import { movements } from "../../src/db/schema/index.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import { call, keyFor, keys, PAYMENT } from "../support/api.ts";
import { cellDeps, cellOf } from "../support/cells.ts";
import { changeObject } from "../support/objects.ts";
import { listed, pay, payment, quiet } from "../support/payments.ts";
import { forget } from "../support/snapshots.ts";
import { control, world } from "../support/stack.ts";
import { deleteRows, rowsOf, updateRows } from "../support/tables.ts";

const db = connectCell(env.CELL_1);

describe("a payment", () => {
  // interface L.1, 6.2, 6.3
  it("comes with the processor's objects around it, and nothing of the checkout's address", async () => {
    const paid = await pay(["TestUsd1"], { client_reference_id: "whole", email: "buyer@example.com" });
    await quiet();
    const answer = await call(PAYMENT, { payment_intent_id: paid.payment_intent });
    expect(answer.body).toEqual({
      success: true,
      payment: { ...(await listed({ client_reference_id: "whole" })).transactions[0], snapshot: expect.any(Object) },
      related_movements: [],
      count: 1,
    });
    const { snapshot } = answer.body.payment;
    expect(Object.keys(snapshot).toSorted()).toEqual(["balance_transaction", "charge", "checkout_session", "payment_intent"]);
    expect(snapshot).toMatchObject({
      payment_intent: { id: paid.payment_intent, object: "payment_intent" },
      charge: { id: paid.charge, payment_intent: paid.payment_intent, balance_transaction: paid.balance_transaction },
      checkout_session: { object: "checkout.session", client_reference_id: "whole" },
      balance_transaction: { id: paid.balance_transaction },
    });
    expect(answer.text).not.toMatch(/checkout\/plink|"url"|_url"|client_secret/);
  });

  // interface P.6, 6.3
  it("of a subscription has its invoice and the subscription as well; a renewal has no checkout", async () => {
    const paid = await pay(["TestMonthly"], { client_reference_id: "subscribed" });
    const renewed = await control<{ payment_intent: string }>("/renew", { subscription: paid.subscription });
    await quiet();
    const first = (await payment(paid.payment_intent)).payment;
    expect(first).toMatchObject({ is_subscription: true, client_reference_id: "subscribed" });
    expect(Object.keys(first.snapshot).toSorted()).toEqual([
      "balance_transaction",
      "charge",
      "checkout_session",
      "invoice",
      "payment_intent",
      "subscription",
    ]);
    const second = (await payment(renewed.payment_intent)).payment;
    expect(second).toMatchObject({ is_subscription: true, client_reference_id: null });
    expect(Object.keys(second.snapshot)).not.toContain("checkout_session");
    expect(second.snapshot).toMatchObject({ subscription: { id: paid.subscription }, invoice: { billing_reason: "subscription_cycle" } });
  });

  // interface 6.2, 6.3
  it("comes with its refunds and disputes, and the newest of each in its snapshot", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    await control("/events", { environment: "test", hold: true });
    const refund = (amount: number, fail = false) =>
      control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, amount, fail });
    await refund(100);
    const newest = await refund(200);
    await refund(300, true);
    const dispute = await control<{ dispute: string }>("/dispute", { payment_intent: paid.payment_intent });
    // The processor counts in seconds, and these were made within one.
    await changeObject(newest.refund, { created: Number(world.state.objects[newest.refund]?.created) + 5 });
    await control("/events", { environment: "test", hold: false });
    await quiet();
    const body = await payment(paid.payment_intent);
    expect(body.count).toBe(6);
    expect(body.related_movements).toHaveLength(5);
    for (const movement of body.related_movements) {
      expect(Object.keys(movement)).toEqual(["id", "type", "amount", "currency", "status", "transaction_date"]);
    }
    expect(body.payment.snapshot).toMatchObject({
      charge: { id: paid.charge },
      balance_transaction: { id: paid.balance_transaction },
      refund: { id: newest.refund },
      dispute: { id: dispute.dispute },
    });
  });

  it("is the try that succeeded, where one before it was counted and failed", async () => {
    const common = {
      partnerId: "acme",
      environment: "test",
      currency: "USD",
      isSubscription: false,
      paymentIntentId: "pi_tries",
      updatedAt: 0,
    } as const;
    const type = "processor_payment_in";
    await db.insert(movements).values([
      { ...common, type, id: "processor:txn_first", amount: 100, status: "failed", transactionDate: 1, sourceId: "py_first" },
      {
        ...common,
        type: "processor_payment_failure",
        id: "processor:txn_back",
        amount: -100,
        status: "failed",
        transactionDate: 2,
        sourceId: "py_first",
      },
      { ...common, type, id: "processor:txn_second", amount: 100, status: "completed", transactionDate: 3, sourceId: "ch_second" },
      { ...common, type, id: "processor:txn_third", amount: 100, status: "failed", transactionDate: 4, sourceId: "ch_third" },
    ]);
    const body = await payment("pi_tries");
    expect(body.payment).toMatchObject({ id: "processor:txn_second", snapshot: {} });
    expect(body.related_movements.map(({ id }: { id: string }) => id)).toEqual([
      "processor:txn_first",
      "processor:txn_back",
      "processor:txn_third",
    ]);
    await db.delete(movements);
  });

  // interface 6.4
  it("that has no movement of its own is stood in for by the earliest there is, with its own refund", async () => {
    const paid = await pay(["TestUsd1"]);
    const first = await control<{ refund: string; balance_transaction: string }>("/refund", {
      payment_intent: paid.payment_intent,
      amount: 100,
    });
    const second = await control<{ refund: string; balance_transaction: string }>("/refund", {
      payment_intent: paid.payment_intent,
      amount: 200,
    });
    await quiet();
    const order = (await payment(paid.payment_intent)).related_movements as { id: string }[];
    const refunds = order.map(({ id }) => [first, second].find((refund) => `processor:${refund.balance_transaction}` === id));
    await deleteRows(movements, { id: `processor:${paid.balance_transaction}` });
    const body = await payment(paid.payment_intent);
    expect(body).toMatchObject({ count: 2, payment: { id: `processor:${refunds[0]?.balance_transaction}`, type: "processor_refund" } });
    expect(body.payment.snapshot).toMatchObject({
      refund: { id: refunds[0]?.refund },
      balance_transaction: { id: refunds[0]?.balance_transaction },
      charge: { id: paid.charge },
    });
    expect(body.related_movements).toMatchObject([{ id: `processor:${refunds[1]?.balance_transaction}` }]);
  });
});

it("two refunds of one second come in the order in which they were heard of, and the later is the newest", async () => {
  const paid = await pay(["TestUsd1"]);
  const made: string[] = [];
  for (const amount of [100, 300, 200]) {
    const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, amount });
    made.push(refund);
    const stored = world.state.objects[refund];
    const moved = world.state.objects[String(stored?.balance_transaction)];
    if (stored !== undefined && moved !== undefined) stored.created = moved.created = 1_795_000_000;
    await quiet();
    await deleteRows(movements, { source_id: refund });
    await forget(paid.payment_intent, refund);
    await refresh(cellDeps(), "test", { kind: "refund", id: refund });
  }
  const body = await payment(paid.payment_intent);
  const refunds = body.related_movements.filter(({ type }: { type: string }) => type === "processor_refund");
  expect(refunds.map(({ amount }: { amount: number }) => amount)).toEqual([-1, -3, -2]);
  expect(body.payment.snapshot.refund.id).toBe(made[2]);
});

it("a balance transaction that is looked at by itself keeps its place in the snapshot", async () => {
  const paid = await pay(["TestUsd1"]);
  await quiet();
  await control("/faults", { target: "processor", call: "charges.retrieve", times: 5, kind: "http_400" });
  await refresh(cellDeps(), "test", { kind: "balance_transaction", id: paid.balance_transaction });
  await control("/faults", undefined, "DELETE");
  expect((await payment(paid.payment_intent)).payment.snapshot.balance_transaction).toMatchObject({ id: paid.balance_transaction });
  expect(await payment(paid.payment_intent)).toMatchObject({ count: 1, payment: { type: "processor_payment_in", status: "completed" } });
});

describe("a payment that is not the caller's", () => {
  // interface E.6, K.7
  it("is answered like one that does not exist", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const wanted = { success: false, error_code: "PAYMENT_NOT_FOUND", error_message: expect.any(String) };
    const foreign = await call(PAYMENT, { payment_intent_id: paid.payment_intent }, keys.globex);
    const missing = await call(PAYMENT, { payment_intent_id: "pi_missing" }, keys.globex);
    expect(foreign.status).toBe(200);
    expect(foreign.body).toEqual(wanted);
    expect(missing.body).toEqual(foreign.body);
    await updateRows(movements, { partner_id: null }, { payment_intent_id: paid.payment_intent });
    expect((await call(PAYMENT, { payment_intent_id: paid.payment_intent })).body).toEqual(wanted);
  });

  // interface K.7
  it("stays hidden where a part of it is somebody's", async () => {
    const paid = await pay(["TestUsd1"]);
    await control("/refund", { payment_intent: paid.payment_intent, amount: 100 });
    await quiet();
    const refund = (await rowsOf(movements, { payment_intent_id: paid.payment_intent })).find(({ amount }) => amount < 0);
    await deleteRows(movements, { id: refund?.id });
    const given = { ...refund, partner_id: "globex" };
    await cellOf("globex")
      .prepare(
        `INSERT INTO movements (${Object.keys(given).join()}) VALUES (${Object.keys(given)
          .map(() => "?")
          .join()})`,
      )
      .bind(...Object.values(given))
      .run();
    expect(await payment(paid.payment_intent)).toMatchObject({ count: 1, payment: { amount: 19 } });
    expect(await payment(paid.payment_intent, keys.globex)).toMatchObject({ count: 1, payment: { amount: -1 } });
  });
});

// interface 6.1
describe("the id", () => {
  it.each([
    undefined,
    null,
    "",
    7,
    ["pi_1"],
    { id: "pi_1" },
    "ch_1",
    "txn_1",
    "processor:txn_1",
    "pi_",
    "PI_1",
    "pi_1 ",
    " pi_1",
    "pi_1,pi_2",
    "pi_1\n",
    "pi_é",
    `pi_${"x".repeat(251)}`,
  ])("%j is refused", async (payment_intent_id) => {
    expect((await call(PAYMENT, { payment_intent_id })).body).toEqual({
      success: false,
      error_code: "INVALID_INPUT",
      error_message: expect.stringContaining("payment_intent_id"),
      details: { field: "payment_intent_id" },
    });
  });

  // interface G.7, K.3
  it("may stand beside an idempotency key, which means nothing, and the key in the body", async () => {
    const body = { payment_intent_id: "pi_missing", idempotency_key: "x", api_key: keyFor("balance_view") };
    expect((await call(PAYMENT, body, null)).body).toMatchObject({ error_code: "PAYMENT_NOT_FOUND" });
  });
});
