import { expect, it } from "vitest";
import scale from "../../docs/scale.md?raw";
import { deliveries } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, call, cart, REGISTER } from "../support/api.ts";
import { meterRows } from "../support/meter.ts";
import { line, type Paid, quiet, receivedEvents } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf } from "../support/tables.ts";

/** What a payment costs in D1, which is what it costs at all: docs/scale.md reckons with these figures. */

async function cost(work: () => Promise<Paid>, event: string) {
  let paid: Paid | undefined;
  return meterRows(async () => {
    paid = await work();
    await quiet();
    await expect
      .poll(
        () =>
          receivedEvents("footprint").filter((one) => one.event === event && one.transaction.payment_intent_id === paid?.payment_intent)
            .length,
      )
      .toBe(1);
  });
}

it("a link, a payment that comes with three events, its delivery, and a refund cost no more rows than docs/scale.md says", async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/footprint` });
  let link = "";
  const linked = await meterRows(async () => {
    link = (await call(CART, cart({ items: [line("TestUsd1")] }))).body.payment_link_id;
  });
  const paid: { last?: Paid } = {};
  const payment = await cost(async () => {
    paid.last = await control<Paid>("/pay", { payment_link_id: link });
    return paid.last;
  }, "Processor.payment.succeeded");
  const refund = await cost(async () => {
    await control("/refund", { payment_intent: paid.last?.payment_intent });
    return paid.last as Paid;
  }, "Processor.refund.succeeded");
  const rubles = await meterRows(async () => {
    const { order_id } = (await call(BANK, bankCart())).body;
    await control("/bank/pay", { order_id });
    await expect.poll(() => receivedEvents("footprint").filter(({ Payment }) => Payment?.OrderId === order_id).length).toBe(1);
    // The attempt is written down once the answer to it has come.
    await expect.poll(() => countOf(deliveries, { state: "sending" })).toBe(0);
  });
  const said = [...scale.matchAll(/^\| a (?:link|payment that comes|refund|ruble payment).*?\| (\d+) \|/gm)].map(([, figure]) =>
    Number(figure),
  );
  const found = [linked, payment, refund, rubles].map(({ rowsWritten }) => rowsWritten);
  expect(said).toHaveLength(4);
  for (const [index, rows] of found.entries()) {
    expect(rows).toBeLessThanOrEqual(said[index] ?? 0);
    expect(rows).toBeGreaterThanOrEqual((said[index] ?? 0) * 0.8);
  }
  expect(linked.rowsRead + payment.rowsRead + refund.rowsRead).toBeLessThanOrEqual(150);
});
