import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditLog, dismissals, events, movements, namedOwners, processorEvents, refreshes } from "../../src/db/schema/index.ts";
import { countFailure } from "../../src/ledger/processor-events.ts";
import { sweepUnattributedMovements } from "../../src/ledger/unattributed.ts";
import { CART, call, cart, REGISTER } from "../support/api.ts";
import { readAuditLog } from "../support/audited.ts";
import { cellDeps } from "../support/cells.ts";
import { HOUR, pass, realTime } from "../support/later.ts";
import { changeObject } from "../support/objects.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { line, listed, movementOf, type Paid, quiet } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf, emptyTables, rowOf, rowsOf, updateRows } from "../support/tables.ts";

beforeEach(async () => {
  await readAuditLog();
  await emptyTables(auditLog, movements, processorEvents, refreshes, dismissals, namedOwners, events);
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/waiting`, client_token: "waiting" });
});
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

/** A payment through a link that names a partner that there is none of. */
async function payNobody(): Promise<Paid & { movement: string }> {
  const { payment_link_id } = (await call(CART, cart({ items: [line("TestUsd1")] }))).body;
  await changeObject(payment_link_id, { payment_intent_data: { metadata: { partner_id: "somebody" } } });
  const paid = await control<Paid>("/pay", { payment_link_id });
  await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: null });
  await quiet();
  return { ...paid, movement: `processor:${paid.balance_transaction}` };
}

const waiting = async (query = "") => (await ops(`ledger/unattributed${query}`)).body;
const reason = "the shop's own link";
const assign = (id: string, partner_id = "globex") => change(`ledger/unattributed/${id}/assign`, { partner_id, reason });

describe("a movement without a partner", () => {
  it("is listed, newest first, page by page", async () => {
    expect(await waiting()).toEqual({ data: [], next: null });
    const ids = [];
    for (const _ of [1, 2, 3]) ids.push((await payNobody()).movement);
    for (const [index, id] of ids.entries()) await updateRows(movements, { transaction_date: 1_000 * index }, { id });
    const first = await waiting("?limit=2");
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    const second = await waiting(`?limit=2&cursor=${first.next}`);
    expect([second.data.map(({ id }: { id: string }) => id), second.next]).toEqual([[ids[0]], null]);
  });

  it("is given to a partner, who gets all of its payment with its events, and nobody else", async () => {
    const paid = await payNobody();
    await control("/refund", { payment_intent: paid.payment_intent });
    await expect.poll(() => countOf(movements, { partner_id: null })).toBe(2);
    await quiet();
    const answer = await assign(paid.movement);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body.found).toEqual(
      expect.arrayContaining([{ id: paid.movement, partner_id: "globex" }, expect.objectContaining({ partner_id: "globex" })]),
    );
    expect(await countOf(movements, { partner_id: null })).toBe(0);
    expect(await waiting()).toEqual({ data: [], next: null });
    const theirs = await rowsOf(events, {}, { columns: ["partner_id", "name"] });
    expect(theirs.map(({ partner_id, name }) => `${partner_id}: ${name}`).toSorted()).toEqual([
      "globex: Processor.payment.succeeded",
      "globex: Processor.refund.succeeded",
    ]);
    expect((await listed({ environment: "test" })).count).toBe(0);
    expect(await auditOf(paid.movement)).toMatchObject([
      { action: "movement.assign", partner_id: "globex", actor: "Maria", after: { partnerId: "globex", reason } },
    ]);
  });

  it("has its later refunds with the same partner", async () => {
    const paid = await payNobody();
    await assign(paid.movement);
    await control("/refund", { payment_intent: paid.payment_intent });
    await expect.poll(() => countOf(movements, { partner_id: "globex" })).toBe(2);
  });

  it("is not given to a partner where the evidence is whole: it names the owner by itself", async () => {
    const { body } = await call(CART, cart({ items: [line("TestUsd1")] }));
    const paid = await control<Paid>("/pay", { payment_link_id: body.payment_link_id });
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme" });
    await quiet();
    expect((await assign(`processor:${paid.balance_transaction}`)).status).toBe(404);
    await cellDeps().directory.insert(namedOwners).values({ subject: paid.payment_intent, partnerId: "globex", at: 1 });
    await change("ledger/refresh", { environment: "test", id: paid.payment_intent });
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
  });

  it("stays named while the processor is away, and the call is repeated", async () => {
    const paid = await payNobody();
    await control("/faults", { target: "processor", call: "payment_intents.retrieve", times: 9, kind: "http_500" });
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 9, kind: "http_500" });
    expect((await assign(paid.movement)).status).toBe(502);
    expect(await movementOf(paid)).toMatchObject({ partner_id: null });
    await control("/faults", undefined, "DELETE");
    expect((await assign(paid.movement)).status).toBe(200);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "globex" });
  });

  it("is refused to whom there is not, and where there is no payment", async () => {
    const paid = await payNobody();
    expect((await assign(paid.movement, "nobody")).status).toBe(404);
    expect((await assign("processor:txn_none")).status).toBe(404);
    expect((await change(`ledger/unattributed/${paid.movement}/assign`, { partner_id: "globex" })).status).toBe(400);
    await updateRows(movements, { payment_intent_id: null, subscription_id: null }, { id: paid.movement });
    expect((await assign(paid.movement)).status).toBe(409);
    expect(await countOf(namedOwners)).toBe(0);
  });

  it("has its subscription's other payments with the same partner, which the cron looks up, and keeps the link", async () => {
    const first = await payNobody();
    const other = await payNobody();
    const [of, one, two] = ["sub_shared", { id: first.movement }, { id: other.movement }];
    for (const id of [one, two]) await updateRows(movements, { subscription_id: of }, id);
    expect((await assign(first.movement)).status).toBe(200);
    expect(await movementOf(other)).toMatchObject({ partner_id: null });
    expect(await sweepUnattributedMovements(cellDeps().inDirectory())).toBe(1);
    expect(await rowsOf(namedOwners, { subject: of })).toHaveLength(1);
  });

  it("is not given to a second partner: another movement of its payment is somebody's already", async () => {
    const paid = await payNobody();
    await cellDeps().db.insert(movements).values({
      id: "processor:txn_owned",
      partnerId: "acme",
      environment: "test",
      amount: 1,
      currency: "USD",
      status: "completed",
      transactionDate: 1,
      isSubscription: false,
      paymentIntentId: paid.payment_intent,
      updatedAt: 1,
    });
    const refused = await assign(paid.movement);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining("partly acme's")]);
    expect(await countOf(namedOwners)).toBe(0);
  });

  it("is dismissed with a reason, and stays in the ledger", async () => {
    const [one, other] = [await payNobody(), await payNobody()];
    const dismiss = (body: object) => change(`ledger/unattributed/${one.movement}/dismiss`, body);
    expect((await dismiss({})).status).toBe(400);
    expect((await dismiss({ reason })).body).toEqual({ success: true, id: one.movement });
    expect((await waiting()).data.map(({ id }: { id: string }) => id)).toEqual([other.movement]);
    expect((await ops("ledger")).body.unattributed.count).toBe(1);
    expect(await movementOf(one)).toMatchObject({ partner_id: null });
    expect(await auditOf(one.movement)).toMatchObject([{ action: "movement.dismiss", after: { reason } }]);
    expect((await change("ledger/unattributed/processor:txn_none/dismiss", { reason })).status).toBe(404);
    // It is still looked up again, in case its owner is known by now.
    expect(await sweepUnattributedMovements(cellDeps().inDirectory())).toBe(0);
  });
});

describe("what is parked", () => {
  const park = async (...subjects: string[]) => {
    for (const [index, subject] of subjects.entries()) {
      await cellDeps()
        .db.insert(refreshes)
        .values({
          subject,
          environment: "test",
          state: "parked",
          attempts: 14,
          nextAttemptAt: Date.now(),
          lastError: "away",
          since: 1_000 * index,
        });
    }
  };
  const parked = async (query = "") => (await ops(`ledger/parked${query}`)).body;

  it("is listed, newest first, page by page", async () => {
    await park("pi_1", "pi_2", "pi_3");
    const first = await parked("?limit=2");
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(["pi_3", "pi_2"]);
    expect((await parked(`?limit=2&cursor=${first.next}`)).data.map(({ id }: { id: string }) => id)).toEqual(["pi_1"]);
  });

  it("is dismissed with a reason, until it is parked again", async () => {
    await park("pi_1", "pi_2");
    expect((await change("ledger/parked/pi_1/dismiss", {})).status).toBe(400);
    expect((await change("ledger/parked/pi_1/dismiss", { reason })).body).toEqual({ success: true, id: "pi_1" });
    expect((await parked()).data.map(({ id }: { id: string }) => id)).toEqual(["pi_2"]);
    expect((await ops("ledger")).body.parked.count).toBe(1);
    expect(await auditOf("pi_1")).toMatchObject([{ action: "parked.dismiss", after: { reason } }]);
    expect(await rowOf(refreshes, { subject: "pi_1" })).toMatchObject({ state: "parked" });
    pass(HOUR);
    await updateRows(refreshes, { next_attempt_at: Date.now() }, { subject: "pi_1" });
    expect((await parked()).data).toHaveLength(2);
    expect((await change("ledger/parked/pi_none/dismiss", { reason })).status).toBe(404);
  });
});

it("what is parked by its last failure can be dismissed at once", async () => {
  const { db } = cellDeps();
  const due = {
    subject: "pi_failing",
    environment: "test",
    state: "due",
    attempts: 13,
    nextAttemptAt: 0,
    lastError: null,
    since: 1,
    failure: null,
  } as const;
  await db.insert(refreshes).values(due);
  await countFailure(cellDeps(), due, [], { kind: "internal", message: "away" }, "later");
  expect((await ops("ledger/parked")).body.data).toMatchObject([{ id: "pi_failing", attempts: 14 }]);
  expect((await change("ledger/parked/pi_failing/dismiss", { reason })).status).toBe(200);
  expect((await ops("ledger/parked")).body.data).toEqual([]);
});

it("bank notifications that were not applied are listed page by page, as the others are", async () => {
  expect((await ops("bank/notifications")).body).toEqual({ data: [], next: null });
  expect((await ops("bank/notifications?cursor=x")).status).toBe(400);
});
