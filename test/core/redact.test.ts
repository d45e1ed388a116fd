import { describe, expect, it } from "vitest";
import { redact } from "../../src/core/redact.ts";

describe("redact", () => {
  it.each([
    ["Invalid API Key provided: sk_live_abc***xyz.", "Invalid API Key provided: …."],
    ["signed with whsec_test_4f7d1c0b", "signed with …"],
    ["keys rk_test_1, pk_live_2 and risk_3", "keys …, … and risk_3"],
    ["plain http://a.example/b too", "plain … too"],
    ["see https://buy.example/checkout/1?x=2 for more", "see … for more"],
    ["a receipt to ann.b+c@shop.example, or <d@e.co>", "a receipt to …, or <…>"],
    ["call +7 (999) 555-01-23 or +79995550123, not 79995550123", "call … or …, not 79995550123"],
    ["@here and a@b", "@here and a@b"],
    ["ivan@почта.рф wrote", "… wrote"],
    ["No such price: 'price_1'", "No such price: 'price_1'"],
    ["x".repeat(900), "x".repeat(500)],
  ])("%s", (text, wanted) => {
    expect(redact(text)).toBe(wanted);
  });
});
