import { describe, expect, it } from "vitest";
import { fiscalReceiptIn } from "../../src/bank/fiscal-receipt.ts";

/** A fiscal receipt in the bank's message about one. */

const message = {
  Type: "Income",
  FnNumber: "9999078900004792",
  FiscalDocumentNumber: 1345,
  FiscalDocumentAttribute: 1832594741,
  EcrRegNumber: "0000000001012345",
  ReceiptDatetime: "2026-11-20T11:31:05+03:00",
  Url: "https://receipts.example/1",
};
const read = (more: object = {}) => fiscalReceiptIn({ ...message, ...more }, 500);

describe("a fiscal receipt", () => {
  it("has its numbers as texts, with their zeros, and the amount of the message", () => {
    expect(read()).toEqual({
      kind: "payment",
      fn: "9999078900004792",
      document: "1345",
      sign: "1832594741",
      register: "0000000001012345",
      registeredAt: "2026-11-20T11:31:05+03:00",
      amount: 500,
      url: "https://receipts.example/1",
    });
    expect(read({ Type: "IncomeReturn" })?.kind).toBe("refund");
    expect(fiscalReceiptIn(message, null)?.amount).toBeNull();
  });

  it("may lack its register, its time and its address, or have others than these", () => {
    const none = { register: null, registeredAt: null, url: null };
    expect(read({ EcrRegNumber: undefined, ReceiptDatetime: undefined, Url: null })).toMatchObject(none);
    expect(read({ EcrRegNumber: "x", ReceiptDatetime: 7, Url: "http://receipts.example/1" })).toMatchObject(none);
    expect(read({ ReceiptDatetime: "x".repeat(41), Url: `https://${"x".repeat(493)}` })).toMatchObject({ registeredAt: null, url: null });
    expect(read({ ReceiptDatetime: "x".repeat(40), Url: `https://${"x".repeat(492)}` })).toMatchObject({
      registeredAt: "x".repeat(40),
      url: `https://${"x".repeat(492)}`,
    });
  });

  it.each(["FnNumber", "FiscalDocumentNumber", "FiscalDocumentAttribute"])("is none without a %s of 1 to 20 digits", (field) => {
    for (const wrong of [undefined, null, "", "x1", "1x", "1".repeat(21), -1, {}]) expect(read({ [field]: wrong })).toBeNull();
    for (const right of ["1", "1".repeat(20), 1]) expect(read({ [field]: right })).not.toBeNull();
  });

  it("is none of another kind, and none in what is no message", () => {
    for (const wrong of [{ Type: "Expense" }, { Type: undefined }]) expect(read(wrong)).toBeNull();
    for (const wrong of [null, "text", []]) expect(fiscalReceiptIn(wrong, 500)).toBeNull();
  });
});
