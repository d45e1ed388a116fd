import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bankTerminals } from "../../sandbox/local-settings.ts";
import { bankNotifications, bankPayments, orders } from "../../src/db/schema/index.ts";
import { BANK, call, keys, REGISTER, send } from "../support/api.ts";
import { bankPaymentOf, deliver, eventsOf, kept, notification, openPayment, refundEventsOf, TERMINAL, tell } from "../support/bank.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { isConsuming } from "../support/old-messages.ts";
import { receivedEvents } from "../support/payments.ts";
import { isFull } from "../support/scale.ts";
import { control, settled } from "../support/stack.ts";
import { countOf, fieldOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

beforeAll(async () => {
  for (const [key, inbox] of [
    [keys.acme, "acme"],
    [keys.globex, "globex"],
  ] as const) {
    await call(REGISTER, { test_url: `http://sandbox.test:8788/inbox/${inbox}` }, key);
  }
});
afterEach(resetEffects);

const OK = { status: 200, text: "OK" };

describe("a payment that the bank confirms", () => {
  // interface 9.4
  it("is paid once, and its partner notified once, with the order number", async () => {
    const payment = await openPayment({ external_order_id: "order-7" });
    const answer = await control<object>("/bank/pay", { order_id: payment.order_id });
    expect(answer).toMatchObject({ order_id: payment.order_id, payment_id: payment.bankPaymentId, status: "CONFIRMED" });
    await until(() => expect(receivedEvents("acme").map(({ Payment }) => Payment.OrderId)).toContain(payment.order_id));
    const event = receivedEvents("acme").find(({ Payment }) => Payment.OrderId === payment.order_id);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      event: "Bank.payment.succeeded",
      environment: "test",
      created_at: expect.stringMatching(/Z$/),
      Payment: {
        PaymentId: payment.payment_id,
        OrderId: payment.order_id,
        Amount: 300_000,
        Status: "CONFIRMED",
        Data: { ep_order: "order-7", ep_product_id: null },
      },
    });
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "CONFIRMED", paid_at: expect.any(Number), next_poll_at: null });
    const heard = (await kept(payment)).map(({ status, problem }) => `${status} ${problem}`);
    expect(new Set(heard)).toEqual(new Set(["AUTHORIZED null", "CONFIRMED null"]));
    const before = await bankPaymentOf(payment);
    for (let again = 0; again < 3; again += 1) expect(await tell(payment, "CONFIRMED")).toMatchObject(OK);
    expect(await eventsOf(payment)).toHaveLength(1);
    expect(await bankPaymentOf(payment)).toMatchObject({ paid_at: before?.paid_at, status: "CONFIRMED" });
  });

  it("is sent to nobody but its partner", async () => {
    const payment = await openPayment();
    const { body } = await call(
      BANK,
      { items: [{ product_id: 1005, quantity: 1 }], customer_email: "a@example.com", environment: "test" },
      keys.globex,
    );
    await control("/bank/pay", { order_id: body.order_id });
    await until(() => expect(receivedEvents("globex").map(({ Payment }) => Payment.OrderId)).toEqual([body.order_id]));
    expect(receivedEvents("acme").some(({ Payment }) => Payment.OrderId === body.order_id)).toBe(false);
    expect(await eventsOf(payment)).toEqual([]);
  });

  it("has null for an order number that was not given", async () => {
    const payment = await openPayment();
    await tell(payment, "CONFIRMED");
    expect((await eventsOf(payment))[0].Payment.Data).toEqual({ ep_order: null, ep_product_id: null });
  });

  it("is paid once however many say so at once", async () => {
    const payment = await openPayment();
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(payment, "CONFIRMED")));
    for (const answer of answers) expect(answer).toMatchObject(OK);
    expect(await eventsOf(payment)).toHaveLength(1);
    expect(await kept(payment)).toHaveLength(1);
  });
});

it("comes to the same end whatever the order, and however often each comes", async () => {
  const course = fc.constantFrom<string[]>(
    ["AUTHORIZED", "CONFIRMED"],
    ["REJECTED", "AUTHORIZED", "CONFIRMED"],
    ["AUTHORIZED", "CONFIRMED", "PARTIAL_REFUNDED"],
    ["AUTHORIZED", "CONFIRMED", "PARTIAL_REFUNDED", "REFUNDED"],
    ["AUTHORIZED", "CONFIRMED", "REFUNDED"],
    ["REJECTED"],
    ["CANCELED"],
    ["DEADLINE_EXPIRED"],
  );
  await fc.assert(
    fc.asyncProperty(course, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), async (statuses, random) => {
      const payment = await openPayment();
      const twice = [...statuses, ...statuses].map((status, index) => ({ status, at: random[index] ?? 0 }));
      for (const { status } of twice.toSorted((left, right) => left.at - right.at)) {
        expect(await tell(payment, status, status === "PARTIAL_REFUNDED" ? { Amount: 100 } : {})).toMatchObject(OK);
      }
      const paid = statuses.includes("CONFIRMED");
      expect(await bankPaymentOf(payment)).toMatchObject({ status: statuses.at(-1), paid_at: paid ? expect.any(Number) : null });
      expect(await eventsOf(payment)).toHaveLength(paid ? 1 : 0);
      expect(await kept(payment)).toHaveLength(statuses.length);
    }),
    { numRuns: isFull ? 25 : 8 },
  );
});

describe("what else the bank tells", () => {
  it.each(["REJECTED", "CANCELED", "DEADLINE_EXPIRED", "REVERSED", "AUTH_FAIL", "AUTHORIZED"])(
    "%s is stored, and sent to nobody",
    async (status) => {
      const payment = await openPayment();
      expect(await tell(payment, status)).toMatchObject(OK);
      expect(await bankPaymentOf(payment)).toMatchObject({ status, paid_at: null });
      expect(await eventsOf(payment)).toEqual([]);
    },
  );

  it("a refund is stored, and told once with its amount: a part, and then the rest", async () => {
    const payment = await openPayment();
    await control("/bank/pay", { order_id: payment.order_id });
    await control("/bank/refund", { order_id: payment.order_id, amount: 100_000 });
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "PARTIAL_REFUNDED", paid_at: expect.any(Number) });
    expect(await refundEventsOf(payment)).toMatchObject([
      {
        Payment: { Status: "PARTIAL_REFUNDED", Amount: payment.amount_kopecks, PaymentId: payment.payment_id },
        Refund: { Amount: 100_000 },
      },
    ]);
    await control("/bank/refund", { order_id: payment.order_id });
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "REFUNDED" });
    expect(await eventsOf(payment)).toHaveLength(1);
    const told = await refundEventsOf(payment);
    expect(told.map(({ Payment, Refund }) => [Payment.Status, Refund.Amount])).toEqual([
      ["PARTIAL_REFUNDED", 100_000],
      ["REFUNDED", payment.amount_kopecks - 100_000],
    ]);
    expect(told[1].Refund.Id).toBe(`${payment.order_id}:refund`);
    // The bank says it again, and the poll sees it too.
    await tell(payment, "REFUNDED");
    expect(await refundEventsOf(payment)).toHaveLength(2);
  });

  it("a message about a part of it that comes again is counted once, and waits for a person: two equal parts look alike", async () => {
    const payment = await openPayment();
    await control("/bank/pay", { order_id: payment.order_id });
    const message = await notification(payment, "PARTIAL_REFUNDED", { Amount: 5_000 });
    const problems = async () => (await kept(payment)).filter(({ status }) => status === "PARTIAL_REFUNDED").map(({ problem }) => problem);
    await deliver(message);
    expect(await problems()).toEqual([null]);
    for (let again = 0; again < 2; again += 1) {
      await deliver(message);
      expect(await problems()).toEqual(["refund_repeated"]);
    }
    expect(await refundEventsOf(payment)).toMatchObject([{ Refund: { Amount: 5_000 } }]);
    await tell(payment, "CONFIRMED");
    expect((await kept(payment)).filter(({ problem }) => problem !== null)).toHaveLength(1);
  });

  it("a message about a part that was not given back after all may come again without a word", async () => {
    const payment = await openPayment();
    await control("/bank/pay", { order_id: payment.order_id });
    const failed = await notification(payment, "PARTIAL_REFUNDED", { Amount: 5_000, Success: false });
    for (let again = 0; again < 2; again += 1) await deliver(failed);
    expect((await kept(payment)).filter(({ problem }) => problem !== null)).toEqual([]);
    expect(await refundEventsOf(payment)).toEqual([]);
  });

  it("a message about a part of it that comes again is the same refund, also with the event gone", async () => {
    const payment = await openPayment();
    await control("/bank/pay", { order_id: payment.order_id });
    const message = await notification(payment, "PARTIAL_REFUNDED", { Amount: 5_000 });
    await deliver(message);
    expect(await refundEventsOf(payment)).toMatchObject([{ Refund: { Amount: 5_000 } }]);
    await env.CELL_1.prepare("DELETE FROM events WHERE name = 'Bank.payment.refunded'").run();
    await deliver(message);
    expect(await refundEventsOf(payment)).toEqual([]);
  });

  it("a payment that was wholly refunded before it was seen as paid is over, and asks nobody to wait", async () => {
    const payment = await openPayment();
    await tell(payment, "REFUNDED");
    expect(await fieldOf(orders, "status", { id: payment.order_id })).toBe("expired");
  });

  it("a wholly refunded payment that was never reported as paid is not sent as paid, unless that comes too", async () => {
    const payment = await openPayment();
    await tell(payment, "REFUNDED");
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "REFUNDED", paid_at: null });
    expect(await eventsOf(payment)).toEqual([]);
    await tell(payment, "CONFIRMED");
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "REFUNDED", paid_at: expect.any(Number) });
    expect(await eventsOf(payment)).toMatchObject([{ Payment: { Status: "REFUNDED" } }]);
    expect(await refundEventsOf(payment)).toMatchObject([{ Payment: { Status: "REFUNDED" }, Refund: { Amount: payment.amount_kopecks } }]);
  });

  it("a refund that failed changes nothing and troubles nobody", async () => {
    const payment = await openPayment();
    await tell(payment, "CONFIRMED");
    expect(await tell(payment, "CONFIRMED", { Success: false, ErrorCode: "3002" })).toMatchObject(OK);
    expect((await kept(payment)).map(({ problem }) => problem)).toEqual([null, null]);
  });

  it("a receipt is kept, and is no state of the payment", async () => {
    const payment = await openPayment();
    const answer = await tell(payment, "RECEIPT", {
      FiscalNumber: 7,
      ShiftNumber: 1,
      Receipt: { Items: [{ Name: "Товар" }] },
      Type: "Income",
    });
    expect(answer).toMatchObject(OK);
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW" });
    expect(await kept(payment)).toMatchObject([{ status: "RECEIPT", problem: null }]);
  });

  it("a card that a customer has saved is of no order, kept and acknowledged", async () => {
    const payment = await openPayment();
    const body = await notification(payment, "COMPLETED", { OrderId: undefined, RequestKey: "13021e10", CustomerKey: "c" });
    expect(await deliver(body)).toMatchObject(OK);
  });

  it("is kept without what it says of the customer and the card", async () => {
    const payment = await openPayment();
    const card = { Pan: "430000******0777", ExpDate: "1230", CardId: 10452089, RebillId: 3207469334 };
    await tell(payment, "CONFIRMED", { ...card, Data: { Phone: "+79031234567" }, ErrorCode: 0 });
    await tell(payment, "RECEIPT", { Receipt: { Email: "buyer@example.com" }, Url: "https://check.example/1", FiscalNumber: 42 });
    const stored = (await kept(payment)).map(({ payload }): unknown => JSON.parse(payload));
    const harmless = {
      TerminalKey: TERMINAL.terminal_key,
      OrderId: payment.order_id,
      PaymentId: Number(payment.bankPaymentId),
      Success: true,
      Amount: 300_000,
    };
    expect(stored).toHaveLength(2);
    expect(stored).toContainEqual({ ...harmless, Status: "CONFIRMED", ErrorCode: 0 });
    expect(stored).toContainEqual({ ...harmless, Status: "RECEIPT", ErrorCode: "0", FiscalNumber: 42 });
  });

  it("of another payment for the order is no matter as long as it moves no money", async () => {
    const payment = await openPayment();
    for (const status of ["CANCELED", "REJECTED", "DEADLINE_EXPIRED"]) {
      expect(await tell({ ...payment, bankPaymentId: "42" }, status)).toMatchObject(OK);
    }
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW" });
    expect((await kept(payment)).map(({ problem }) => problem)).toEqual([null, null, null]);
  });
});

describe("what fits no payment of ours is acknowledged, kept for an operator, and changes nothing", () => {
  it.each<[string, string, (payment: Awaited<ReturnType<typeof openPayment>>) => Promise<unknown>]>([
    ["of another order", "unknown_order", (payment) => tell({ ...payment, order_id: `${payment.order_id.slice(0, -1)}x` }, "CONFIRMED")],
    ["of another payment", "payment_mismatch", (payment) => tell({ ...payment, bankPaymentId: "42" }, "CONFIRMED")],
    ["of less money", "amount_mismatch", (payment) => tell({ ...payment, amount_kopecks: 299_999 }, "CONFIRMED")],
    ["of more money", "amount_mismatch", (payment) => tell({ ...payment, amount_kopecks: 300_001 }, "CONFIRMED")],
    ["of no amount", "amount_mismatch", (payment) => tell(payment, "CONFIRMED", { Amount: undefined })],
    ["that it failed", "not_successful", (payment) => tell(payment, "CONFIRMED", { Success: false })],
    ["in a word that nobody knows", "unknown_status", (payment) => tell(payment, "PAID_TWICE")],
    ["by the live terminal", "terminal_mismatch", (payment) => tell(payment, "CONFIRMED", {}, bankTerminals.live.first)],
    ["by another test terminal", "terminal_mismatch", (payment) => tell(payment, "CONFIRMED", {}, bankTerminals.test.second)],
  ])("%s: %s", async (_what, problem, deed) => {
    const payment = await openPayment();
    expect(await deed(payment)).toMatchObject(OK);
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW", paid_at: null });
    expect(await eventsOf(payment)).toEqual([]);
    const { results } = await env.CELL_1.prepare("SELECT problem FROM bank_notifications WHERE problem = ?").bind(problem).all();
    expect(results.length).toBeGreaterThan(0);
  });

  it("and is followed when it comes again and fits by then", async () => {
    const payment = await openPayment();
    const body = await notification(payment, "CONFIRMED");
    await updateRows(bankPayments, { order_id: "elsewhere" }, { order_id: payment.order_id });
    expect(await deliver(body)).toMatchObject(OK);
    expect(await kept(payment)).toMatchObject([{ problem: "unknown_order" }]);
    await updateRows(bankPayments, { order_id: payment.order_id }, { order_id: "elsewhere" });
    expect(await deliver(body)).toMatchObject(OK);
    expect(await kept(payment)).toMatchObject([{ problem: null }]);
    expect(await eventsOf(payment)).toHaveLength(1);
  });
});

describe("authentication", () => {
  it("is closed to what carries no right token", async () => {
    const payment = await openPayment();
    const good = JSON.parse(await notification(payment, "CONFIRMED")) as Record<string, unknown>;
    const forged: object[] = [
      { ...good, Token: undefined },
      { ...good, Token: "" },
      { ...good, Token: "0".repeat(64) },
      { ...good, Token: [good.Token] },
      { ...good, Amount: 1 },
      { ...good, OrderId: "other" },
      { ...good, PaymentId: 1 },
      { ...good, Status: "REFUNDED" },
      { ...good, Success: "yes" },
      { ...good, TerminalKey: bankTerminals.live.first.terminal_key },
      { ...good, TerminalKey: "nobody" },
      { ...good, TerminalKey: "__proto__" },
      { ...good, TerminalKey: undefined },
      { ...good, Extra: "unsigned" },
      { ...good, Status: undefined },
    ];
    const before = await countOf(bankNotifications);
    for (const message of forged) {
      const answer = await deliver(JSON.stringify(message));
      expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.any(String) }]);
    }
    for (const body of ["", "null", "[]", "7", '"OK"', "{", "TerminalKey=x", "\u0000"]) expect((await deliver(body)).status).toBe(400);
    expect(await countOf(bankNotifications)).toBe(before);
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW" });
  });

  it("takes the token of all scalars that came, whatever they are", async () => {
    const payment = await openPayment();
    expect(
      await tell(payment, "CONFIRMED", { Extra: "новое", Flag: false, Ratio: 1.5, Nothing: null, Deep: { not: "signed" } }),
    ).toMatchObject(OK);
    expect(await eventsOf(payment)).toHaveLength(1);
  });

  it("takes values as texts or numbers, whatever the body calls itself", async () => {
    const payment = await openPayment();
    const texts = { Success: "true", PaymentId: payment.bankPaymentId, Amount: "300000", ErrorCode: 0 };
    const body = await notification(payment, "CONFIRMED", texts);
    expect(await deliver(body, { "Content-Type": "text/plain" })).toMatchObject(OK);
    expect(await eventsOf(payment)).toHaveLength(1);
  });

  it("answers with the two letters alone, as text", async () => {
    const answer = await tell(await openPayment(), "AUTHORIZED");
    expect(answer.text).toBe("OK");
    expect(answer.headers.get("Content-Type")).toContain("text/plain");
  });

  it("takes POST alone, and a mebibyte at most", async () => {
    const got = await send("/ingest/bank");
    expect([got.status, got.headers.get("Allow")]).toEqual([405, "POST"]);
    const large = JSON.stringify({ TerminalKey: TERMINAL.terminal_key, filler: "x".repeat(1024 * 1024) });
    expect((await deliver(large)).status).toBe(413);
  });
});

describe("a notification whose storing fails", () => {
  it.each([0, 1])("at round trip %i is not acknowledged, and the bank's repetition makes it good", async (step) => {
    const payment = await openPayment();
    let trips = 0;
    aroundEffects((effect, perform) => {
      if (effect !== "d1" || isConsuming()) return perform();
      trips += 1;
      if (trips - 1 === step) throw new Error("D1_ERROR: Network connection lost.");
      return perform();
    });
    const failed = await tell(payment, "CONFIRMED");
    resetEffects();
    expect([failed.status, failed.text === "OK"]).toEqual([500, false]);
    expect(await eventsOf(payment)).toEqual([]);
    expect(await tell(payment, "CONFIRMED")).toMatchObject(OK);
    expect(await eventsOf(payment)).toHaveLength(1);
  });

  it("is sent again by the sandbox's bank as by the real one", async () => {
    const payment = await openPayment();
    let failures = 0;
    aroundEffects((effect, perform) => {
      if (effect !== "d1" || isConsuming()) return perform();
      failures += 1;
      throw new Error("D1_ERROR: Network connection lost.");
    });
    await control("/bank/pay", { order_id: payment.order_id });
    expect(failures).toBeGreaterThanOrEqual(2);
    resetEffects();
    await settled();
    expect(await eventsOf(payment)).toHaveLength(1);
  });
});
