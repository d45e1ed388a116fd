import { expect, it } from "vitest";
import { cardProducts, paymentLinks } from "../../src/db/schema/index.ts";
import { CART, call, callV1, keyFor, keys, LINK, LIVE_LINKS, link, send } from "../support/api.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { updateRows } from "../support/tables.ts";

const FIRST = {
  product_name: "acmeLiveUsd1",
  price: 19,
  unit_amount: 1900,
  currency: "USD",
  description: null,
  payment_link_short: "http://localhost:8787/01acmeLiveUsd1First",
  processor_product_id: "prod_acmeLiveUsd1",
};
const products = async (key: string = keys.acme) => (await call(LIVE_LINKS, {}, key)).body;

// interface G.10, 7.1, 7.2
it("lists the live links of single products, newest first, and no other", async () => {
  expect(await products()).toEqual({ success: true, products: [FIRST], count: 1 });
  await callV1(LINK, link({ stripe_product_id: "prod_acmeTestUsd1" }));
  await call(CART, { items: [{ stripe_product_id: "prod_acmeLiveEur1", unit_amount: 1700, quantity: 2 }] });
  const brl = { stripe_product_id: "prod_acmeLiveUsd2", price: { unit_amount: 9950, currency: "BRL" } };
  const { body } = await callV1(LINK, link(brl));
  expect(await products()).toEqual({
    success: true,
    products: [
      {
        product_name: "acmeLiveUsd2",
        price: 99.5,
        unit_amount: 9950,
        currency: "BRL",
        description: null,
        payment_link_short: body.short_url,
        processor_product_id: "prod_acmeLiveUsd2",
      },
      FIRST,
    ],
    count: 2,
  });
});

// interface K.7
it("shows each partner its own", async () => {
  expect(await products(keys.globex)).toEqual({ success: true, products: [], count: 0 });
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_globexLiveUsd1" }), keys.globex);
  expect((await products(keys.globex)).products).toMatchObject([{ payment_link_short: body.short_url }]);
  expect(JSON.stringify(await products())).not.toContain("globex");
});

// interface 7.1
it("leaves out a link whose payments are made, or whose time is over", async () => {
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeLiveUsd2" }));
  const isListed = async () => JSON.stringify(await products()).includes(body.short_url);
  const set = (values: object) => updateRows(paymentLinks, values, { id: body.processor_payment_link_id });
  for (const [values, is] of [
    [{ closes_at: Date.now() + 60_000 }, true],
    [{ closes_at: Date.now() - 1 }, false],
    [{ closes_at: null, closed_at: Date.now() }, false],
    [{ closed_at: null }, true],
  ] as const) {
    await set(values);
    expect([values, await isListed()]).toEqual([values, is]);
  }
});

// interface 7.1, 7.2
it("leaves out a link without a short link, and one whose product is not approved any more", async () => {
  const { count } = await products();
  const broken = breakShortLinks();
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeLiveUsd3" }));
  broken.mend();
  expect(body).toMatchObject({ error_code: "short_url_unavailable" });
  expect(await products()).toMatchObject({ count });
  const moderate = (state: string) =>
    updateRows(cardProducts, { moderation: state, description: "A fine thing" }, { processor_product_id: "prod_acmeLiveUsd1" });
  await moderate("rejected");
  expect(JSON.stringify(await products())).not.toContain("01acmeLiveUsd1First");
  await moderate("approved");
  expect((await products()).products).toContainEqual({ ...FIRST, description: "A fine thing" });
});

// interface K.3
it("may be asked without a body, and then only with the key in the header", async () => {
  const ask = (headers: Record<string, string>, body: string | null = null) => send(`/${LIVE_LINKS}`, { method: "POST", headers, body });
  const json = { "Content-Type": "application/json" };
  for (const headers of [{}, json]) {
    expect((await ask({ ...headers, "X-Partner-Api-Key": keys.globex })).body).toMatchObject({ success: true });
    expect((await ask(headers)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
  }
  expect((await ask({ ...json, "X-Partner-Api-Key": keys.globex }, "{")).body).toMatchObject({ error_code: "INVALID_INPUT" });
  expect((await ask({ ...json, "X-Partner-Api-Key": keys.globex }, "x".repeat(65 * 1024))).body).toMatchObject({
    error_code: "INVALID_INPUT",
  });
});

// interface K.3, L.1
it("takes the key in the body too, and never shows the checkout's own address", async () => {
  const answer = await call(LIVE_LINKS, { api_key: keyFor("products_view") }, null);
  expect(answer.body).toMatchObject({ success: true });
  expect(answer.text).not.toContain("/checkout/");
  expect(answer.text).not.toContain("plink_");
});
