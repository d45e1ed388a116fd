import { expect, it } from "vitest";
import { idCodeSchema } from "../../src/core/cell-code-schema.ts";
import { bankReceiptRegistered } from "../../src/webhooks/outbox/events/bank-receipt-registered.ts";

const receipt = {
  kind: "refund" as const,
  fn: "9999",
  document: "1345",
  sign: "18",
  register: "0012",
  registeredAt: "2026-11-20T11:31:05+03:00",
  amount: 500,
  url: "https://receipts.example/1",
};
const facts = { partnerId: "acme", environment: "test" as const, paymentId: 7, orderId: "01ab", externalOrderId: "1042", receipt };
const make = (more: object = {}) => bankReceiptRegistered.make(idCodeSchema.parse("01"), { ...facts, ...more });

it("the event of a fiscal receipt has its payment and its numbers, and not its address", async () => {
  const event = await make();
  expect(JSON.parse(event.payload)).toEqual({
    Payment: { PaymentId: 7, OrderId: "01ab", Data: { ep_order: "1042" } },
    Receipt: {
      Type: "refund",
      FnNumber: "9999",
      FiscalDocumentNumber: "1345",
      FiscalDocumentAttribute: "18",
      EcrRegNumber: "0012",
      ReceiptDatetime: "2026-11-20T11:31:05+03:00",
      Amount: 500,
    },
  });
  expect([event.recipient, event.cause]).toEqual([{ partnerId: "acme", environment: "test" }, "bank.receipt.registered:01ab:9999:1345"]);
  const envelope = { id: event.id, event: event.name, environment: "test", created_at: "2026-11-20T08:30:00.000Z" };
  const parse = (more: object) => bankReceiptRegistered.schema.safeParse({ ...envelope, ...JSON.parse(event.payload), ...more }).success;
  expect([parse({}), parse({ Payment: { PaymentId: 7, OrderId: "01ab", Data: {} } })]).toEqual([true, false]);
  const { Receipt } = JSON.parse(event.payload);
  expect(["payment", "refund", "other"].map((Type) => parse({ Receipt: { ...Receipt, Type } }))).toEqual([true, true, false]);
});

it("one document of an order makes one event", async () => {
  const { id } = await make();
  expect((await make({ externalOrderId: null })).id).toBe(id);
  for (const other of [{ orderId: "01ac" }, { receipt: { ...receipt, fn: "1" } }, { receipt: { ...receipt, document: "1" } }])
    expect((await make(other)).id).not.toBe(id);
});
