import { describe, expect, it } from "vitest";
import { readBuyer } from "../../src/bank-payments/buyer.ts";
import { ServiceFailure } from "../../src/core/errors.ts";

const phoneOf = async (text: string) => (await readBuyer(undefined, text)).phone;
const emailOf = async (text: string) => (await readBuyer(text, undefined)).email;

describe("a buyer's phone", () => {
  it.each([
    ["+79031234567", "+79031234567"],
    ["+7 (903) 123-45-67", "+79031234567"],
    ["+7\u00a0903\u2013123\u201345\u201367", "+79031234567"],
    ["8 903 123 45 67", "+79031234567"],
    ["79031234567", "+79031234567"],
    ["9031234567", "+79031234567"],
    ["\u202a+79031234567\u202c", "+79031234567"],
    ["+7903\u200b1234567", "+79031234567"],
    ["+49 30 901820", "+4930901820"],
    ["0049 30 901820", "+4930901820"],
    ["+49 (0) 170 1234567", "+491701234567"],
    ["375291234567", "+375291234567"],
    ["+375 29 123-45-67", "+375291234567"],
    ["810 375 29 123 45 67", "+375291234567"],
    ["+81 3 1234 5678", "+81312345678"],
    ["905551234567", "+905551234567"],
    ["9031234500", "+79031234500"],
    ["375291200567", "+375291200567"],
    ["+4951234567", "+4951234567"],
  ])("%s is %s", async (text, wanted) => {
    expect(await phoneOf(text)).toBe(wanted);
  });

  it.each([
    "+",
    "abc",
    "+7903123456789012",
    "123456",
    "+0123456789",
    "7903+1234567",
    "+7903123456７",
    "00 0951234567",
    "123-45-67",
    "8 029 123 45 67",
    "+89031234567",
    "+7903123456",
    "+79031234567x",
    "+79031234567 доб. 5",
    "tel:+79031234567",
    "79031234567890123456",
    "890312345678",
    "8101234567",
    "+491234567890123456",
    "+1234567",
    "+0049 30 901820",
  ])("%j is none", async (text) => {
    await expect(readBuyer("a@example.com", text)).rejects.toThrow(ServiceFailure);
  });

  it("may have the prefix of calls at home behind its country's", async () => {
    expect(await readBuyer("a@example.com", "+7 (8) 9031234567")).toMatchObject({ phone: "+79031234567" });
  });

  it.each([
    ["8 (495) 123-45-67", "+74951234567"],
    ["4951234567", "+74951234567"],
    ["7 812 123 45 67", "+78121234567"],
    ["8\u202f495\u202f123\u202f45\u202f67", "+74951234567"],
    ["8\u2010903\u2212123\u201345\u201467", "+79031234567"],
    ["+7 ［903］ 123-45-67", "+79031234567"],
    ["3432123456", "+73432123456"],
    ["84 28 3822 1234", "+842838221234"],
  ])("%s is %s: Russian where nothing says otherwise", async (text, wanted) => {
    expect(await readBuyer(undefined, text)).toMatchObject({ phone: wanted });
  });

  it("that is no Russian one as people write them, and could be two, is refused, and both are named", async () => {
    // In Japan, or behind the prefix of calls abroad in Cuba.
    await expect(readBuyer(undefined, "810537424429")).rejects.toMatchObject({
      error: { field: "phone", message: expect.stringContaining("could be +81537424429 or +537424429") },
    });
  });

  it("names the phone where it is none", async () => {
    await expect(readBuyer(undefined, "x")).rejects.toMatchObject({
      error: { field: "phone", message: expect.stringContaining("international format") },
    });
  });
});

describe("a buyer's e-mail", () => {
  it("is short enough for the bank in the form that the bank gets", async () => {
    await expect(readBuyer(`${"a".repeat(38)}@${"я".repeat(20)}.рф`, undefined)).rejects.toMatchObject({
      error: { field: "email", message: expect.stringContaining("at most 64 characters") },
    });
  });

  it.each([
    ["a@example.com", "a@example.com"],
    [" a@example.com ", "a@example.com"],
    ["a@example.com\u200b", "a@example.com"],
    ["buyer@xn--e1afmkfd.xn--p1ai", "buyer@xn--e1afmkfd.xn--p1ai"],
    ["buyer@example.xn--p1ai", "buyer@example.xn--p1ai"],
    ["buyer@пример.рф", "buyer@xn--e1afmkfd.xn--p1ai"],
    ["a@EXAMPLE.com", "a@EXAMPLE.com"],
    ["a@x.com", "a@x.com"],
    [`${"a".repeat(52)}@example.com`, `${"a".repeat(52)}@example.com`],
    ["first.last+tag@shop.example.co.uk", "first.last+tag@shop.example.co.uk"],
  ])("%j is %s", async (text, wanted) => {
    expect(await emailOf(text)).toBe(wanted);
  });

  it.each([
    "a",
    "a@b",
    "a@",
    "@example.com",
    "a..b@example.com",
    ".a@example.com",
    "a@example.c",
    "a b@example.com",
    "a@exa mple.com",
    "a@-x.com",
    "a@example.com/x",
    "a@пример.рф/x",
  ])("%j is none", async (text) => {
    await expect(readBuyer(text, undefined)).rejects.toMatchObject({ error: { field: "email" } });
  });
});

// interface 9.3
it("is reached by e-mail, by phone, or by both, and by one of them at least; an empty text is as left out", async () => {
  expect(await readBuyer("a@example.com", undefined)).toEqual({ email: "a@example.com", phone: null });
  expect(await readBuyer("a@example.com", "")).toEqual({ email: "a@example.com", phone: null });
  expect(await readBuyer("", "+79031234567")).toEqual({ email: null, phone: "+79031234567" });
  expect(await readBuyer("a@example.com", "+79031234567")).toEqual({ email: "a@example.com", phone: "+79031234567" });
  for (const none of [undefined, "", " "]) {
    await expect(readBuyer(none, undefined)).rejects.toMatchObject({
      error: { field: "email", message: expect.stringContaining("a phone number or both") },
    });
  }
});
