import { describe, expect, it } from "vitest";
import { viewAtProcessor } from "../../src/http/objects/processor-url.ts";
import { keys, send } from "../support/api.ts";
import { ops } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";

const settings = (dashboard: string | null) => ({
  processor: { base: "", checkoutOrigins: null, keys: { live: "", test: "" }, eventSecrets: { live: "", test: "" }, dashboard },
});
const there = settings("https://dashboard.example");

describe("an object's page at the processor", () => {
  it.each([
    ["live", "pi_1", "https://dashboard.example/payments/pi_1"],
    ["test", "pi_1", "https://dashboard.example/test/payments/pi_1"],
    ["live", "sub_1", "https://dashboard.example/subscriptions/sub_1"],
    ["live", "plink_1", "https://dashboard.example/payment-links/plink_1"],
    ["live", "promo_1", "https://dashboard.example/promotion_codes/promo_1"],
    ["live", "prod_1", "https://dashboard.example/products/prod_1"],
    ["live", "pi_a/b", "https://dashboard.example/payments/pi_a%2Fb"],
    ["live", "cs_1", null],
    ["live", "01abc", null],
    ["live", null, null],
  ] as const)("in %s, of %s, is %s", (environment, id, url) => {
    expect(viewAtProcessor(there, environment, id)).toEqual({ processor_url: url });
    expect(viewAtProcessor(settings(null), environment, id)).toEqual({ processor_url: null });
  });

  it("is in operators' answers and in no partner's", async () => {
    const { payment_intent } = await pay(["TestUsd1"]);
    await quiet();
    expect((await ops(`orders/${payment_intent}`)).body).toHaveProperty("processor_url", null);
    const own = await send(`/partner/orders/${payment_intent}`, { headers: { "X-Partner-Api-Key": keys.acme } });
    expect(own.status).toBe(200);
    expect(own.body).not.toHaveProperty("processor_url");
  });
});
