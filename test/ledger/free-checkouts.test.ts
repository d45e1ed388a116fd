import { beforeAll, expect, it } from "vitest";
import { orders } from "../../src/db/schema/index.ts";
import { CART, CODE, call, callV1, cart, keys, promotion, REGISTER, send } from "../support/api.ts";
import { change, ops } from "../support/ops.ts";
import { line, movementOf, type Paid, quiet, receivedEvents } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { rowOf } from "../support/tables.ts";

const INBOX = "free";
beforeAll(async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/${INBOX}` });
  await control("/events", { environment: "test", hold: false, duplicate: 2, shuffle: true });
});

/** A customer types a code of so many per cent at the checkout of a new cart of two units. */
async function payWithCode(percent_off: number, client_reference_id: string) {
  const code = `OFF${percent_off}`;
  expect(
    (await callV1(CODE, promotion({ code, percent_off, environment: "test", stripe_product_ids: ["prod_acmeTestUsd1"] }))).body,
  ).toMatchObject({
    success: true,
  });
  const { body } = await call(CART, cart({ items: [line("TestUsd1", 2)], allow_promotion_codes: true }));
  const paid = await control<Paid>("/pay", { short_url: body.short_url, client_reference_id, promotion_code: code });
  await quiet();
  return { code, paid };
}

const eventsOf = (name: string, reference: string) =>
  receivedEvents(INBOX).filter(
    ({ event, checkout, transaction }) =>
      event === `Processor.${name}` && [checkout?.client_reference_id, transaction?.client_reference_id].includes(reference),
  );

// interface W.3
it("an order at 100 % off has one event, with what was ordered, the reference and the code", async () => {
  const { code } = await payWithCode(100, "order-free");
  await expect.poll(() => eventsOf("checkout.completed", "order-free")).toHaveLength(1);
  expect(eventsOf("checkout.completed", "order-free")[0]).toEqual({
    id: expect.stringMatching(/^evt_/),
    event: "Processor.checkout.completed",
    environment: "test",
    created_at: expect.stringMatching(/Z$/),
    checkout: {
      session_id: expect.stringMatching(/^cs_/),
      payment_link_id: expect.stringMatching(/^plink_/),
      client_reference_id: "order-free",
      amount_total: 0,
      currency: "USD",
      items: [{ processor_product_id: "prod_acmeTestUsd1", processor_price_id: expect.stringMatching(/^price_/), quantity: 2 }],
      promotion_code: code,
      promotion_code_id: expect.stringMatching(/^promo_/),
    },
  });
  expect(eventsOf("payment.succeeded", "order-free")).toEqual([]);
});

it("an order at 100 % off that is erased stays so, whatever the processor is asked again", async () => {
  const email = "free-erased@example.com";
  const code = "OFF100E";
  await callV1(CODE, promotion({ code, percent_off: 100, environment: "test", stripe_product_ids: ["prod_acmeTestUsd1"] }));
  const { body } = await call(CART, cart({ items: [line("TestUsd1", 2)], allow_promotion_codes: true }));
  await control<Paid>("/pay", { short_url: body.short_url, client_reference_id: "order-erased", promotion_code: code, email });
  await quiet();
  const known = await rowOf(orders, { client_reference_id: "order-erased" });
  expect(known).toMatchObject({ id: expect.stringMatching(/^cs_/), email });
  expect((await change("erase", { email })).body).toMatchObject({ orders: 1 });
  const id = String(known?.id);
  expect(await rowOf(orders, { id })).toMatchObject({ email: null, status: "paid" });
  expect((await change("ledger/refresh", { environment: "test", id })).status).toBe(200);
  expect(await rowOf(orders, { id })).toMatchObject({ email: null, customer_name: null, status: "paid" });
});

// interface W.3
it("an order at 25 % off has the event of its payment alone, which says what was taken off", async () => {
  const { code, paid } = await payWithCode(25, "order-cheaper");
  await expect.poll(() => eventsOf("payment.succeeded", "order-cheaper")).toHaveLength(1);
  expect(eventsOf("payment.succeeded", "order-cheaper")[0]).toMatchObject({
    transaction: { amount: 28.5 },
    discount: { amount: 9.5, promotion_code: code, promotion_code_id: expect.stringMatching(/^promo_/) },
  });
  expect(await movementOf(paid)).toMatchObject({ amount: 2850 });
  expect(eventsOf("checkout.completed", "order-cheaper")).toEqual([]);
});

it("an order at 100 % off has its event in its story, for its partner and for operators, and a summary", async () => {
  const session = eventsOf("checkout.completed", "order-free")[0]?.checkout.session_id;
  const headers = { "X-Partner-Api-Key": keys.acme };
  const told = [(await send(`/partner/orders/${session}`, { headers })).body, (await ops(`orders/${session}`)).body];
  for (const { timeline, deliveries, summary } of told) {
    expect(deliveries).toMatchObject([{ state: expect.stringMatching(/./), attempts: 1 }]);
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(["payment_link", "event"]));
    expect(summary.en).toMatch(
      /^Completed on .*: there was nothing to pay for 2 × acmeTestUsd1\. Your server took its event\. It is of the test environment\.$/,
    );
  }
  expect((await ops("story?q=order-free")).body.summaries).toMatchObject([
    { about: session, summary: told[1].summary, to_customer: told[1].to_customer },
  ]);
});
