import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import scale from "../../docs/scale.md?raw";
import { deliveryAttempts, events } from "../../src/db/schema/index.ts";
import { deleteExpiredInCell } from "../../src/runners/expire-rows.ts";
import { BANK, bankCart, CART, call, callV1, cart, LINK, link, REGISTER } from "../support/api.ts";
import { cellDeps, FURTHER_CELLS } from "../support/cells.ts";
import { counting, drawAsUsual } from "../support/drawn.ts";
import { DAY, pass, realTime } from "../support/later.ts";
import { meterRows, type RowCounts } from "../support/meter.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { line, type Paid } from "../support/payments.ts";
import { isFull } from "../support/scale.ts";
import { control, objects, SANDBOX, settled, world } from "../support/stack.ts";
import { countOf, fieldOf } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** What a payment costs, which is what the service costs at all: docs/scale.md reckons with these figures. */

/** The figure that a row of the table says. */
const said = (what: string) => Number(new RegExp(`^\\| ${what}[^|]*\\| (\\d+) \\|`, "m").exec(scale)?.[1]);

let spy: MockInstance | undefined;
beforeEach(() => counting(false));
afterEach(() => {
  spy?.mockRestore();
  drawAsUsual();
  resetEffects();
});

/** What the queue says of a batch; the product does not read it. */
const NOTHING_SENT: QueueSendBatchResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };

/** Lets the events of a payment come together: what wakes for them is sent by `release`, when all are stored. */
const gather = () => {
  const prototype = Object.getPrototypeOf(env.PROCESSOR_EVENTS) as { sendBatch: typeof env.PROCESSOR_EVENTS.sendBatch };
  const send = prototype.sendBatch;
  const sent = { events: 0, deliveries: 0 };
  const kept: (() => Promise<unknown>)[] = [];
  spy = vi.spyOn(prototype, "sendBatch").mockImplementation(function counted(this: Queue, messages, options) {
    const batch = [...messages];
    const isOfEvents = !batch.some(({ body }) => (body as { id: string }).id.startsWith("evt_"));
    sent[isOfEvents ? "events" : "deliveries"] += batch.length;
    const toSend = () => send.call(this, batch, options);
    if (!isOfEvents) return toSend();
    kept.push(toSend);
    return Promise.resolve(NOTHING_SENT);
  });
  const release = async () => {
    await settled();
    await Promise.all(kept.splice(0).map((toSend) => toSend()));
  };
  return { sent, release };
};

const delivered = async (cause: string) => {
  const id = await fieldOf(events, "id", { cause });
  expect(await fieldOf(events, "state", { cause })).toBe("succeeded");
  expect(await countOf(deliveryAttempts, { event_id: id })).toBe(1);
};
const paidFor = async (payment_link_id: string, release: () => Promise<void>): Promise<Paid> => {
  const paid = await control<Paid>("/pay", { payment_link_id });
  await release();
  await until(() => delivered(`payment.succeeded:processor:${paid.balance_transaction}`));
  return paid;
};
const newLink = async () => (await call(CART, cart({ items: [line("TestUsd1")] }))).body.payment_link_id as string;

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/footprint` }));

/** Exactly what docs/scale.md says, so that neither the product nor the page changes alone. */
const expectWritten = (what: string, { rowsWritten }: Pick<RowCounts, "rowsWritten">) =>
  expect([what, rowsWritten]).toEqual([what, said(what)]);

/** Without the row of the index by which a lost link is searched: one link in sixty has it, by the end of its id. */
async function withoutSample({ rowsWritten }: RowCounts) {
  const newest = (await objects("payment_links")).at(-1);
  return { rowsWritten: rowsWritten - (newest?.id.endsWith("a") ? 1 : 0) };
}

it("a link writes the rows that docs/scale.md says, however many lines it has", async () => {
  const one = await meterRows(async () => {
    expect((await call(CART, cart({ items: [line("TestUsd1")] }))).body.success).toBe(true);
  });
  const ofOne = await withoutSample(one);
  expectWritten("a link of one line", ofOne);
  const lines = Array.from({ length: 20 }, (_, index) => ({
    stripe_product_id: `prod_acmeBulk${String(index + 1).padStart(2, "0")}`,
    unit_amount: 1000,
    quantity: 1,
  }));
  const twenty = await meterRows(async () => {
    expect((await call(CART, cart({ items: lines }))).body.success).toBe(true);
  });
  const ofTwenty = await withoutSample(twenty);
  expectWritten("a link of twenty lines", ofTwenty);
  const product = await meterRows(async () => {
    expect((await callV1(LINK, link({ stripe_product_id: "prod_acmeLiveUsd1" }))).body.success).toBe(true);
  });
  expectWritten("a live link of one product", await withoutSample(product));
  expect(ofOne.rowsWritten).toBeLessThanOrEqual(9);
  expect(ofTwenty.rowsWritten).toBeLessThanOrEqual(28);
});

it("a payment that comes with three events, its delivery and a refund write the rows that docs/scale.md says", async () => {
  const id = await newLink();
  const { release } = gather();
  const before = world.state.order.event?.length ?? 0;
  let paid: Paid | undefined;
  const payment = await meterRows(async () => {
    paid = await paidFor(id, release);
  });
  expect((world.state.order.event?.length ?? 0) - before).toBeGreaterThanOrEqual(3);
  expectWritten("a payment with three events, and its delivery", payment);
  expect(payment.rowsWritten).toBeLessThanOrEqual(26);
  const refund = await meterRows(async () => {
    const { balance_transaction } = await control<Paid>("/refund", { payment_intent: paid?.payment_intent });
    await release();
    await until(() => delivered(`refund.succeeded:processor:${balance_transaction}`));
  });
  expectWritten("a refund, and its delivery", refund);
  expect(refund.rowsWritten).toBeLessThanOrEqual(20);
  // 163, and a few more where random ids lie so that a range of an index has a neighbour. A scan would be far above.
  expect(payment.rowsRead + refund.rowsRead).toBeLessThanOrEqual(200);
});

it("a payment takes the round trips, calls and messages that docs/scale.md says", async () => {
  const calls: Record<string, number> = {};
  const count: Parameters<typeof aroundEffects>[0] = (effect, perform) => {
    calls[effect] = (calls[effect] ?? 0) + 1;
    return perform();
  };
  aroundEffects(count);
  const id = await newLink();
  const { processor: forLink = 0 } = calls;
  resetEffects();
  const { sent, release } = gather();
  let trips = 0;
  aroundEffects((effect, perform) => {
    if (effect === "d1") trips += 1;
    return count(effect, perform);
  });
  const paid = await control<Paid>("/pay", { payment_link_id: id });
  await release();
  const cause = `payment.succeeded:processor:${paid.balance_transaction}`;
  // The tests ask D1 too, so they wait for the receiver first.
  await until(() => expect(world.state.inboxes.footprint?.received.some(({ body }) => body.includes(paid.payment_intent))).toBe(true));
  const asked = trips;
  resetEffects();
  await until(() => delivered(cause));
  // The result of the delivery is written once the receiver has answered.
  // A payment that is new in its cell is looked for in the others too.
  expect([asked, asked + 1]).toContain(said("D1 round trips") + FURTHER_CELLS);
  expect(calls.processor).toBe(said("calls to the processor"));
  expect(forLink).toBe(2);
  expect(sent.events + sent.deliveries).toBe(said("queue messages"));
  expect(said("D1 round trips")).toBeLessThanOrEqual(8);
  expect(said("calls to the processor")).toBeLessThanOrEqual(5);
  expect(said("queue messages")).toBeLessThanOrEqual(4);
});

it("a ruble payment of two lines, its two notifications and its delivery write the rows that docs/scale.md says", async () => {
  const rubles = await meterRows(async () => {
    const { order_id } = (await call(BANK, bankCart())).body;
    await control("/bank/pay", { order_id });
    await until(() => delivered(`bank.payment.succeeded:${order_id}`));
  });
  expectWritten("a ruble payment of two lines, its two notifications, and its delivery", rubles);
});

describe("in bytes, a payment", () => {
  const PAYMENTS = isFull ? 100 : 30;
  const sizeOf = async () => (await env.CELL_1.prepare("SELECT 1 -- by the test").run()).meta.size_after;

  it("takes no more than docs/scale.md says, at first and after expired rows are deleted", async () => {
    const before = await sizeOf();
    const count = await countOf(events, { state: "succeeded" });
    for (let number = 0; number < PAYMENTS; number += 1) {
      await control("/pay", { payment_link_id: await newLink(), client_reference_id: `order-${number}` });
    }
    await until(async () => expect(await countOf(events, { state: "succeeded" })).toBe(count + PAYMENTS));
    const atFirst = ((await sizeOf()) - before) / PAYMENTS;
    pass(200 * DAY);
    await deleteExpiredInCell(cellDeps());
    const later = ((await sizeOf()) - before) / PAYMENTS;
    realTime();
    const saidOf = (what: string) => Number(new RegExp(`^\\| ${what} \\| ([\\d,]+) \\|`, "m").exec(scale)?.[1]?.replace(",", ""));
    const saidAtFirst = saidOf("a payment with its link, three events and one delivery, at first");
    const saidLater = saidOf("the same, after \\[expired rows\\]\\(deploy.md#what-is-kept-how-long\\) are deleted");
    // The sizes are whole pages, which fill differently with each run's random ids: a third more would be many standard deviations.
    for (const [size, usual] of [
      [atFirst, saidAtFirst],
      [later, saidLater],
    ] as const) {
      expect([usual, size / usual > 0.6 && size / usual < 1.4 ? "as said" : size]).toEqual([usual, "as said"]);
    }
    expect(saidAtFirst).toBeLessThanOrEqual(4_096);
    expect(saidLater).toBeLessThanOrEqual(2_400);
  });
});
