import { describe, expect, it } from "vitest";
import { readBuyer } from "../../src/bank-payments/buyer.ts";
import { ServiceFailure } from "../../src/core/errors.ts";

describe("a buyer's phone", () => {
  it.each([
    ["+79031234567", "+79031234567"],
    ["+7 (903) 123-45-67", "+79031234567"],
    ["+7\u00a0903\u2013123\u201345\u201367", "+79031234567"],
    ["8 903 123 45 67", "+79031234567"],
    ["79031234567", "+79031234567"],
    ["9031234567", "+79031234567"],
    ["+49 30 901820", "+4930901820"],
    ["0049 30 901820", "+4930901820"],
    ["375291234567", "+375291234567"],
    ["810 375 29 123 45 67", "+375291234567"],
    ["+81 3 1234 5678", "+81312345678"],
    ["+4951234567", "+4951234567"],
    ["498101234567890", "+498101234567890"],
    ["4981234567890", "+4981234567890"],
    ["905551234567", "+905551234567"],
  ])("%s is %s", (text, wanted) => {
    expect(readBuyer(undefined, text)).toEqual({ email: null, phone: wanted });
  });

  it.each([
    "",
    "+",
    "abc",
    "+7903123456789012",
    "123456",
    "+0123456789",
    "7903+1234567",
    "+7903123456７",
    "4951234567",
    "00 0951234567",
    "123-45-67",
    "4951234",
    "+89031234567",
    "+7 (8) 9031234567",
    "+7903123456",
    "+810375291234567",
    "+79031234567x",
    "79031234567890123456",
    "890312345678",
    "8903123456789012",
    "8101234567",
    "+491234567890123456",
  ])("%j is none", (text) => {
    expect(() => readBuyer("a@example.com", text)).toThrow(ServiceFailure);
  });
});

it("is reached by e-mail, by phone, or by both, and by one of them at least", () => {
  expect(readBuyer("a@example.com", undefined)).toEqual({ email: "a@example.com", phone: null });
  expect(readBuyer("a@example.com", "+79031234567")).toEqual({ email: "a@example.com", phone: "+79031234567" });
  expect(() => readBuyer(undefined, undefined)).toThrow(
    expect.objectContaining({
      error: expect.objectContaining({ field: "email", message: expect.stringContaining("a phone number or both") }),
    }),
  );
});

it("names the phone where it is none", () => {
  expect(() => readBuyer(undefined, "x")).toThrow(
    expect.objectContaining({
      error: expect.objectContaining({ field: "phone", message: expect.stringContaining("international format") }),
    }),
  );
});
