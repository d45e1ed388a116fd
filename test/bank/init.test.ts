import { describe, expect, it } from "vitest";
import { checkOpened, idSchema, openedSchema, toInit, webUrlSchema } from "../../src/bank/init.ts";
import type { NewOrder } from "../../src/bank/port.ts";
import { PLAIN_RECEIPT } from "../../src/core/receipts.ts";
import type { BankTerminal } from "../../src/core/settings.ts";

const terminal = { terminalKey: "t", password: "p", taxation: "osn", settlementDays: 1, receipt: PLAIN_RECEIPT };
const order: NewOrder = {
  orderId: "order",
  amount: 1500,
  description: "Cake",
  lines: [{ name: "Cake", price: 500, quantity: 3, amount: 1500, vat: "vat20" }],
  buyer: { email: "a@example.com", phone: null },
  data: {},
  notificationUrl: "https://api.example/ingest/bank",
  expiresAt: Date.UTC(2026, 0, 1, 22, 0, 5, 999),
  successUrl: null,
  failUrl: null,
};

describe("the message that opens a payment", () => {
  it("has what the bank documents, and nothing that was not given", () => {
    expect(toInit(order, terminal)).toEqual({
      Amount: 1500,
      OrderId: "order",
      Description: "Cake",
      PayType: "O",
      Language: "ru",
      NotificationURL: "https://api.example/ingest/bank",
      RedirectDueDate: "2026-01-02T01:00:05+03:00",
      Receipt: {
        Email: "a@example.com",
        Taxation: "osn",
        Items: [{ Name: "Cake", Price: 500, Quantity: 3, Amount: 1500, Tax: "vat20" }],
      },
    });
  });

  const settledAs = (line: object, receipt: Partial<BankTerminal["receipt"]>) => {
    const { Receipt } = toInit(
      { ...order, lines: order.lines.map((one) => ({ ...one, ...line })) },
      { ...terminal, receipt: { ...PLAIN_RECEIPT, ...receipt } },
    ) as { Receipt: { FfdVersion?: string; Items: { PaymentObject?: string; PaymentMethod?: string; MeasurementUnit?: string }[] } };
    const { PaymentObject, PaymentMethod, MeasurementUnit } = Receipt.Items[0] ?? {};
    return [Receipt.FfdVersion, PaymentObject, PaymentMethod, MeasurementUnit];
  };

  it("says the subject and the method of a line as its product does, otherwise as its terminal does, otherwise as the bank assumes", () => {
    expect(settledAs({}, {})).toEqual([undefined, undefined, undefined, undefined]);
    expect(settledAs({}, { subject: "service", method: "advance" })).toEqual([undefined, "service", "advance", undefined]);
    expect(settledAs({ subject: "job", method: "prepayment", unit: "ч" }, { subject: "service", method: "advance" })).toEqual([
      undefined,
      "job",
      "prepayment",
      undefined,
    ]);
  });

  it("says all of a line with FFD 1.2, which must have it", () => {
    expect(settledAs({}, { ffdVersion: "1.2" })).toEqual(["1.2", "commodity", "full_payment", "шт"]);
    expect(settledAs({}, { ffdVersion: "1.2", subject: "service", unit: "ед" })).toEqual(["1.2", "service", "full_payment", "ед"]);
    expect(settledAs({ subject: "job", method: "advance", unit: "ч" }, { ffdVersion: "1.2", unit: "ед" })).toEqual([
      "1.2",
      "job",
      "advance",
      "ч",
    ]);
  });

  it("has all that was given", () => {
    const full = {
      ...order,
      buyer: { email: null, phone: "+79031234567" },
      data: { ep_order: "1" },
      successUrl: "https://a.example/s",
      failUrl: "https://a.example/f",
    };
    const message = toInit(full, terminal);
    expect(message).toMatchObject({ SuccessURL: "https://a.example/s", FailURL: "https://a.example/f", DATA: { ep_order: "1" } });
    expect(message.Receipt).toMatchObject({ Phone: "+79031234567" });
    expect(message.Receipt).not.toHaveProperty("Email");
  });

  it("cuts a name to 128 characters", () => {
    const name = (length: number) => {
      const long = { ...order, lines: [{ ...order.lines[0], name: "x".repeat(length) }] } as NewOrder;
      return (toInit(long, terminal).Receipt as { Items: { Name: string }[] }).Items[0]?.Name;
    };
    expect(name(128)).toBe("x".repeat(128));
    expect(name(129)).toBe(`${"x".repeat(127)}…`);
  });
});

describe("the bank's answer", () => {
  const opened = openedSchema.parse({
    TerminalKey: "t",
    PaymentId: 7,
    OrderId: "order",
    Amount: 1500,
    PaymentURL: "https://pay.example/7",
  });

  it("is the payment that was asked for", () => {
    expect(checkOpened(opened, order, terminal)).toEqual({ bankPaymentId: "7", paymentUrl: "https://pay.example/7" });
  });

  it.each([
    ["terminal", { TerminalKey: "other" }],
    ["order", { OrderId: "other" }],
    ["amount", { Amount: 1501 }],
  ])("of another %s may have opened a payment all the same", (_what, other) => {
    expect(() => checkOpened({ ...opened, ...other }, order, terminal)).toThrow(
      expect.objectContaining({ sideEffects: "unknown", error: expect.objectContaining({ kind: "upstream_failed", upstream: "bank" }) }),
    );
  });
});

it("takes ids as texts or numbers, and addresses that are some", () => {
  expect([idSchema.parse("7"), idSchema.parse(7)]).toEqual(["7", "7"]);
  for (const wrong of ["", -1, 1.5, null]) expect(idSchema.safeParse(wrong).success).toBe(false);
  expect([webUrlSchema.safeParse("https://a.example").success, webUrlSchema.safeParse("javascript:1").success]).toEqual([true, false]);
});
