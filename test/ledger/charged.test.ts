import { beforeEach, expect, it } from "vitest";
import { movements } from "../../src/db/schema/index.ts";
import { CART, call, callV1, cart, LINK, link, REGISTER } from "../support/api.ts";
import { line, listed, type Paid, payment, quiet, receivedEvents } from "../support/payments.ts";
import { control, SANDBOX, settled } from "../support/stack.ts";
import { emptyTables } from "../support/tables.ts";
import { until } from "../support/until.ts";

beforeEach(async () => {
  await emptyTables(movements);
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/charged`, client_token: "charged" });
});

const fieldsOf = (transaction: any) => ({
  type: transaction.type.replace("processor_", ""),
  payment_link_id: transaction.payment_link_id,
  subscription_id: transaction.subscription_id,
  charged: [transaction.charged_amount, transaction.charged_currency],
});

it("a payment, its refund and its dispute say by which link they were paid, and what was charged: in lists, alone and in events", async () => {
  const { payment_link_id, short_url } = (await call(CART, cart({ items: [line("TestUsd1", 2)] }))).body;
  const paid = await control<Paid>("/pay", { short_url });
  await control("/refund", { payment_intent: paid.payment_intent, amount: 450 });
  await control("/dispute", { payment_intent: paid.payment_intent });
  await quiet();
  const of = (type: string, charged: number) => ({ type, payment_link_id, subscription_id: null, charged: [charged, "USD"] });
  const wanted = [of("payment_in", 38), of("refund", -4.5), of("dispute_freeze", -38)];
  const { transactions } = await listed({ environment: "test" });
  expect(transactions.map(fieldsOf)).toEqual(expect.arrayContaining(wanted));
  expect(fieldsOf((await payment(paid.payment_intent)).payment)).toEqual(wanted[0]);
  await settled();
  await until(() => {
    const events = receivedEvents("charged").flatMap(({ transaction }) => (transaction === undefined ? [] : [fieldsOf(transaction)]));
    expect(events).toEqual(expect.arrayContaining(wanted));
  });
});

it("a renewal bears the link that the subscription was started by", async () => {
  const made = (await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly" }))).body;
  const first = await control<Paid>("/pay", { short_url: made.short_url });
  await quiet();
  const renewed = await control<Paid>("/renew", { subscription: first.subscription });
  await quiet();
  const { transactions } = await listed({ environment: "test" });
  const [link_id] = transactions.map(({ payment_link_id }: { payment_link_id: string }) => payment_link_id);
  expect(link_id).toMatch(/^plink_/);
  expect(transactions.map(fieldsOf)).toEqual(
    [renewed, first].map(() => ({
      type: "payment_in",
      payment_link_id: link_id,
      subscription_id: first.subscription,
      charged: [25, "USD"],
    })),
  );
});
