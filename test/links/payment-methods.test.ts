import { describe, expect, it } from "vitest";
import type { LinkCurrency } from "../../src/core/money.ts";
import {
  checkPaymentMethods,
  contentOfMethods,
  defaultPaymentMethods,
  FALLBACK_METHODS,
  isConnectedMethod,
  isListedMethod,
  isPossibleOnLinks,
  isVerifiedMethod,
  methodsCovering,
} from "../../src/links/payment-methods.ts";
import { failureOf } from "../support/failure.ts";

const CURRENCIES: readonly LinkCurrency[] = ["USD", "EUR", "GBP", "BRL"];
const fits = (method: string) => CURRENCIES.filter((currency) => failureOf(() => checkPaymentMethods([method], currency, "m")) === null);

describe("a method and the currencies that it supports (interface L.5, L.7)", () => {
  it.each([
    ["card", "USD EUR GBP BRL"],
    ["link", "USD EUR GBP BRL"],
    ["sepa_debit", "EUR"],
    ["pix", "BRL"],
    ["us_bank_account", "USD"],
  ])("%s is verified for %s", (method, currencies) => {
    expect([isVerifiedMethod(method), fits(method).join(" ")]).toEqual([true, currencies]);
  });

  it.each([
    ["ideal", "EUR"],
    ["bancontact", "EUR"],
    ["eps", "EUR"],
    ["multibanco", "EUR"],
    ["mb_way", "EUR"],
    ["giropay", "EUR"],
    ["p24", "EUR"],
    ["mobilepay", "EUR"],
    ["billie", "EUR"],
    ["boleto", "BRL"],
    ["cashapp", "USD"],
    ["affirm", "USD"],
    ["acss_debit", "USD"],
    ["crypto", "USD"],
    ["amazon_pay", "USD EUR GBP"],
    ["customer_balance", "USD EUR GBP"],
    ["revolut_pay", "EUR GBP"],
    ["afterpay_clearpay", "USD GBP"],
    ["alipay", "USD EUR GBP"],
    ["wechat_pay", "USD EUR GBP"],
    ["klarna", "USD EUR GBP"],
    ["paypal", "USD EUR GBP"],
    ["pay_by_bank", "EUR GBP"],
    ["blik", ""],
    ["konbini", ""],
    ["oxxo", ""],
    ["naver_pay", ""],
    ["a_new_one", "USD EUR GBP BRL"],
  ])("%s is passed on for %s", (method, currencies) => {
    expect([isVerifiedMethod(method), isConnectedMethod(method), fits(method).join(" ")]).toEqual([false, true, currencies]);
  });

  it.each(["acss_debit", "amazon_pay", "crypto", "customer_balance", "revolut_pay"])("%s is on no link", (method) => {
    expect([isPossibleOnLinks(method), isPossibleOnLinks("klarna"), isPossibleOnLinks("a_new_one")]).toEqual([false, true, true]);
  });

  // interface L.6
  it("zip and bacs_debit are not connected", () => {
    expect([isConnectedMethod("zip"), isConnectedMethod("bacs_debit"), isVerifiedMethod("zip")]).toEqual([false, false, false]);
  });

  it("names the first method that does not fit, its currency and its place", () => {
    expect(failureOf(() => checkPaymentMethods(["card", "pix", "sepa_debit"], "USD", "methods"))).toEqual({
      kind: "invalid_input",
      message: "the payment method pix cannot be used with USD",
      field: "methods[1]",
    });
    expect(failureOf(() => checkPaymentMethods([], "USD", "methods"))).toBeNull();
  });
});

describe("the default set (interface L.10)", () => {
  const sold = (...sets: (string[] | null)[]) => sets.map((paymentMethodTypes) => ({ paymentMethodTypes, type: "one_time" as const }));

  it.each<[string, (string[] | null)[], LinkCurrency, readonly string[]]>([
    ["one product's own", [["klarna", "card"]], "USD", ["klarna", "card"]],
    ["card and link for a product without one", [null], "USD", FALLBACK_METHODS],
    [
      "what all products share, in the first one's order",
      [
        ["klarna", "card", "link"],
        ["link", "card"],
      ],
      "USD",
      ["card", "link"],
    ],
    ["nothing that only a later product has", [["card"], ["card", "klarna"]], "USD", ["card"]],
    ["with a product without a set, card and link of the others", [["klarna", "link"], null], "USD", ["link"]],
    ["only what supports the currency", [["card", "pix"]], "USD", ["card"]],
    ["card and link where nothing is shared", [["klarna"], ["paypal"]], "USD", FALLBACK_METHODS],
    ["card and link where nothing supports the currency", [["pix"]], "EUR", FALLBACK_METHODS],
    ["card and link where there is no product", [], "EUR", FALLBACK_METHODS],
  ])("is %s", (_what, sets, currency, wanted) => {
    expect(defaultPaymentMethods(sold(...sets), currency)).toEqual(wanted);
  });

  it("has none that a link cannot have", () => {
    expect(defaultPaymentMethods(sold(["amazon_pay", "card"]), "USD")).toEqual(["card"]);
  });

  it("of a subscription has none that can be charged only once, nor has that of a cart with one", () => {
    const set = { paymentMethodTypes: ["pix", "card", "boleto"] };
    expect(defaultPaymentMethods([{ ...set, type: "one_time" }], "BRL")).toEqual(["pix", "card", "boleto"]);
    expect(defaultPaymentMethods([{ ...set, type: "subscription" }], "BRL")).toEqual(["card", "boleto"]);
    expect(defaultPaymentMethods([{ paymentMethodTypes: ["alipay"], type: "subscription" }], "USD")).toEqual(FALLBACK_METHODS);
    const mixed = [{ ...set, type: "one_time" } as const, { ...set, type: "subscription" } as const];
    expect(defaultPaymentMethods(mixed, "BRL")).toEqual(["card", "boleto"]);
  });
});

it("names that are no methods of the processor have one that includes them", () => {
  expect(methodsCovering(["visa", "apple_pay", "iban", "ach", "card", "klarna", ""])).toStrictEqual({
    visa: "card",
    apple_pay: "card",
    iban: "sepa_debit",
    ach: "us_bank_account",
  });
});

it("a method is listed, or new to this service", () => {
  expect([isListedMethod("card"), isListedMethod("a_new_one")]).toEqual([true, false]);
});

it("methods are alike in any order and number, and none were sent is none", () => {
  expect([contentOfMethods(["link", "card", "link"]), contentOfMethods([]), contentOfMethods(undefined)]).toEqual([
    ["card", "link"],
    [],
    null,
  ]);
});
