import { describe, expect, it } from "vitest";
import { redactText } from "../../src/core/redact.ts";

describe("redact", () => {
  it.each([
    ["Invalid API Key provided: sk_live_abc***xyz.", "Invalid API Key provided: …."],
    ["signed with whsec_test_4f7d1c0b", "signed with …"],
    ["keys rk_test_1, pk_live_2 and risk_3", "keys …, … and risk_3"],
    ["plain http://a.example/b too", "plain … too"],
    ["see https://buy.example/checkout/1?x=2 for more", "see … for more"],
    ["a receipt to ann.b+c@shop.example, or <d@e.co>", "a receipt to …, or <…>"],
    ["call +7 (999) 555-01-23 or +79995550123, not 79995550123", "call … or …, not 79995550123"],
    ["ring 8 (912) 345-67-89 or 8-912-345-67-89 now", "ring … or … now"],
    ["order 8123456789012 of 2026", "order 8123456789012 of 2026"],
    ["key a0000000-0000-4000-8000-000000000001 was refused", "key … was refused"],
    ["card 4242 4242 4242 4242 or 4242424242424242, not 4242424242424241", "card … or …, not 4242424242424241"],
    ["paid from DE89 3704 0044 0532 0130 00 and GB29NWBK60161331926819.", "paid from … and …."],
    ["card 4242424242424242 12/29 or 100 4242424242424242 or 4242.4242.4242.4242", "card …/29 or … or …"],
    ["to a@b.com,c@d.com;e@f.io or alice%40shop.example", "to …,…;… or …"],
    ["IBAN NO9386011117947, or de89 3704 0044 0532 0130 00", "IBAN …, or …"],
    ["tel +7.903.123.45.67, +(7) 903 123-45-67, 0044 20 7946 0018, 89031234567", "tel …, …, …, …"],
    ["HTTPS://shop.example/x", "…"],
    [
      "at 1795132800000, pi_3PqLk2, 2026-11-20 2026-11-21, OR2026ABCD1234EFGH5678",
      "at 1795132800000, pi_3PqLk2, 2026-11-20 2026-11-21, OR2026ABCD1234EFGH5678",
    ],
    ["PaymentId 481516234210042, UTC+2026-11-22, +0300 12345678", "PaymentId 481516234210042, UTC+2026-11-22, +0300 12345678"],
    ["@here and a@b", "@here and a@b"],
    ["ivan@почта.рф wrote", "… wrote"],
    ["No such price: 'price_1'", "No such price: 'price_1'"],
    ["x".repeat(900), "x".repeat(500)],
    [`${"a".repeat(490)} b@c.example`, `${"a".repeat(490)} …`],
    ["DE00 and DE89 3704 0044 0532 0130 00 a b, DE89370400440532013000-x", "DE00 and … a b, …-x"],
    ["MT84MALT011000012345MTLCAST001S", "…"],
    ["AA00AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_ x", "AA00AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_ x"],
    ["ring +7\u202f903\u2212123\u201045\u201067", "ring …"],
    [`https://${"a".repeat(1_979)} alice@example.com`, "…"],
    [`${"a".repeat(480)} https://${"b".repeat(600)} tail`, `${"a".repeat(480)} … tail`],
    [`${"a".repeat(480)} https://${"b".repeat(1_506)} tail`, `${"a".repeat(480)} … tail`],
    [`${"a".repeat(480)} https://${"b".repeat(1_000)} ${"c".repeat(600)} d`, `${"a".repeat(480)} …`],
    [`ab ${"c".repeat(3_000)}`, `ab ${"c".repeat(497)}`],
    [`https://${"u".repeat(492)} ${"c".repeat(3_000)}`, "…"],
    ["order 14242424242424242426 or 424242424242424242420", "order 14242424242424242426 or 424242424242424242420"],
    ["card 5555555555554444, 378282246310005 or 6011 0009 9013 9424", "card …, … or …"],
    ["card 4242  4242  4242  4242", "card …"],
    ["code AB12", "code AB12"],
    ["DE89370400440532013000-ab-cd and AB12_x DE89370400440532013000.", "…-ab-cd and AB12_x …."],
    ["AA211234567890 and more, AA9012345678901 too", "AA211234567890 and more, … too"],
    ["AB9312345678901234567890ABCDEFGHIJ", "…"],
  ])("%s", (text, wanted) => {
    expect(redactText(text)).toBe(wanted);
  });
});
