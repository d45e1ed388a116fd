import { beforeAll, describe, expect, it } from "vitest";
import { bankTerminals } from "../../sandbox/local-settings.ts";
import { bankPayments } from "../../src/db/schema/index.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { bankPaymentOf, kept, type Opened, openPayment, tell } from "../support/bank.ts";
import { bodiesOf } from "../support/deliveries.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { updateRows } from "../support/tables.ts";

/** The fiscal receipts of ruble payments, as the bank reports them. */

beforeAll(async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/receipts` });
});

const RECEIPT = { Type: "Income", FnNumber: "9999078900004792", FiscalDocumentNumber: 1345, FiscalDocumentAttribute: 1832594741 };
const registered = (payment: Opened, more: object = {}, terminal = bankTerminals.test.first) =>
  tell(
    payment,
    "RECEIPT",
    { ...RECEIPT, ReceiptDatetime: "2026-11-20T11:31:05+03:00", Url: "https://receipts.example/1", ...more },
    terminal,
  );
const eventsOf = (payment: Opened, document = 1345) => bodiesOf(`bank.receipt.registered:${payment.order_id}:9999078900004792:${document}`);
const receiptsOf = async ({ order_id }: Opened): Promise<any[]> => {
  const { body } = await send(`/partner/bank-payments?order=${order_id}`, { headers: { "X-Partner-Api-Key": keys.acme } });
  return body.data[0].receipts;
};

describe("a fiscal receipt", () => {
  it("is shown with its payment, and has one event, however often the bank reports it", async () => {
    const payment = await openPayment({ external_order_id: "receipted" });
    expect(await receiptsOf(payment)).toEqual([]);
    for (let again = 0; again < 3; again += 1) expect(await registered(payment)).toMatchObject({ status: 200, text: "OK" });
    const shown = {
      type: "payment",
      fn_number: "9999078900004792",
      fiscal_document_number: "1345",
      fiscal_document_attribute: "1832594741",
      registered_at: "2026-11-20T11:31:05+03:00",
      amount_kopecks: payment.amount_kopecks,
      amount_rub: payment.amount_kopecks / 100,
      url: "https://receipts.example/1",
    };
    expect(await receiptsOf(payment)).toEqual([shown]);
    expect(await eventsOf(payment)).toMatchObject([
      {
        event: "Bank.receipt.registered",
        environment: "test",
        Payment: { PaymentId: payment.payment_id, OrderId: payment.order_id, Data: { ep_order: "receipted" } },
        Receipt: { Type: "payment", FiscalDocumentNumber: "1345", Amount: payment.amount_kopecks },
      },
    ]);
    expect(JSON.stringify(await eventsOf(payment))).not.toContain("receipts.example");
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW", paid_at: null });
  });

  it("of a refund is another one", async () => {
    const payment = await openPayment();
    await registered(payment);
    await registered(payment, { Type: "IncomeReturn", FiscalDocumentNumber: 1346, Amount: 500 });
    expect((await receiptsOf(payment)).map(({ type, amount_kopecks }) => [type, amount_kopecks])).toEqual([
      ["payment", payment.amount_kopecks],
      ["refund", 500],
    ]);
    expect(await eventsOf(payment, 1346)).toHaveLength(1);
  });

  it.each([
    ["failed", { Success: false }],
    ["without a number", { FiscalDocumentNumber: "" }],
    ["with a number that is none", { FnNumber: "99'--" }],
    ["of another kind", { Type: "Expense" }],
  ])("that is %s is acknowledged and kept as a message, and has no event", async (_what, more) => {
    const payment = await openPayment();
    expect(await registered(payment, more)).toMatchObject({ status: 200 });
    expect(await receiptsOf(payment)).toEqual([]);
    expect((await kept(payment)).map(({ status, problem }) => [status, problem])).toEqual([["RECEIPT", null]]);
  });

  it("keeps its numbers and loses its address when the buyer is erased", async () => {
    const [payment, other] = [await openPayment({ external_order_id: "erased-receipt" }), await openPayment()];
    for (const one of [payment, other]) {
      await registered(one);
      await registered(one, { Type: "IncomeReturn", FiscalDocumentNumber: 1346, Amount: 500 });
    }
    const before = await receiptsOf(payment);
    const erased = await send("/ops/erase", {
      method: "POST",
      headers: { Authorization: "Bearer ops-local", "Content-Type": "application/json" },
      body: JSON.stringify({ client_reference_id: "erased-receipt" }),
    });
    expect(erased.status).toBe(200);
    expect(await receiptsOf(payment)).toEqual(before.map((receipt) => ({ ...receipt, url: null })));
    expect((await receiptsOf(other)).map(({ url }) => url)).toEqual(["https://receipts.example/1", "https://receipts.example/1"]);
    await registered(payment);
    expect((await receiptsOf(payment)).map(({ url }) => url)).toEqual([null, null]);
    // Nor does a receipt that is registered later bring one back.
    await registered(payment, { Type: "IncomeReturn", FiscalDocumentNumber: 1347, Amount: 600 });
    expect((await receiptsOf(payment)).map(({ url }) => url)).toEqual([null, null, null]);
  });

  it("of another terminal is not of this payment", async () => {
    const payment = await openPayment();
    await registered(payment, {}, bankTerminals.test.second);
    expect(await receiptsOf(payment)).toEqual([]);
    expect(await eventsOf(payment)).toEqual([]);
  });

  it("has no address that is not https, and none of fifty-one is kept", async () => {
    const payment = await openPayment();
    await registered(payment, { Url: "javascript:alert(1)" });
    expect((await receiptsOf(payment))[0]).toMatchObject({ url: null });
    const [one] = JSON.parse(String((await bankPaymentOf(payment))?.receipts));
    const fifty = Array.from({ length: 50 }, (_, index) => ({ ...one, document: String(index) }));
    await updateRows(bankPayments, { receipts: JSON.stringify(fifty) }, { order_id: payment.order_id });
    await registered(payment, { FiscalDocumentNumber: 7777 });
    expect(await receiptsOf(payment)).toHaveLength(50);
    expect(await eventsOf(payment, 7777)).toEqual([]);
  });

  it("is registered by the sandbox, for a partner's own tests", async () => {
    const payment = await openPayment();
    const { document } = await control<{ document: string }>("/bank/receipt", { order_id: payment.order_id });
    expect((await receiptsOf(payment)).map(({ fiscal_document_number: number }) => number)).toEqual([document]);
  });
});
