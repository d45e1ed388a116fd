import { describe, expect, it } from "vitest";
import { findProduct } from "../../src/catalogue/admin/store.ts";
import { resubmitProduct } from "../../src/catalogue/submissions.ts";
import { limits } from "../../src/core/limits.ts";
import { ANNA } from "../support/actor.ts";
import { BANK, bankCart, call, callV1, keys, LINK, link, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { quiet } from "../support/payments.ts";
import { control } from "../support/stack.ts";

/** A partner submits its products itself, and moderation decides about them. */

const ask = (method: string, path: string, body?: object, key: string = keys.acme) =>
  send(`/partner/${path}`, {
    method,
    headers: { "X-Partner-Api-Key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const card = (name: string, more: object = {}) => ({
  kind: "card",
  environment: "test",
  type: "one_time",
  name,
  currency: "EUR",
  amount: 49.9,
  ...more,
});
const ruble = (name: string, more: object = {}) => ({ kind: "ruble", name, amount: 990.5, ...more });
const submit = async (body: object, key?: string) => (await ask("POST", "products", body, key)).body;
const listed = async (query: string) => {
  const found: { product_id: string; kind: string; environment: string | null; moderation: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await ask("GET", `products?limit=100&${query}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    found.push(...body.data);
    cursor = body.next;
  }
  return found;
};

describe("a submitted card product", () => {
  it("waits for moderation, and is sold by its id from the approval on", async () => {
    const made = await ask("POST", "products", card("Course of languages", { description: "Ten evenings" }));
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      kind: "card",
      id: null,
      product_id: expect.stringMatching(/^card_[0-9a-f]{32}$/),
      environment: "test",
      name: "Course of languages",
      description: "Ten evenings",
      type: "one_time",
      interval: null,
      interval_count: null,
      currency: "EUR",
      amount: 49.9,
      vat: null,
      moderation: "in_review",
      rejection_reason: null,
      is_changeable: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { product_id } = made.body;
    expect((await ask("GET", `products/${product_id}`)).body).toEqual(made.body);
    expect(await auditOf(`card/${product_id}`)).toMatchObject([
      {
        action: "product.submit",
        partner_id: "acme",
        actor: "holder of key_a1",
        after: { name: "Course of languages", unit_amount: 4990 },
      },
    ]);
    expect((await ops("products?limit=100")).body.data).toContainEqual(expect.objectContaining({ id: product_id, unit_amount: 4990 }));
    const approved = await change(`products/card/${product_id}/approve`, { seen_revision: 1 });
    expect(approved.status).toBe(200);
    const { body } = await ask("GET", `products/${product_id}`);
    expect(body).toMatchObject({ id: product_id.replace("card_", "prod_"), moderation: "approved", is_changeable: false });
    expect((await ask("GET", `products/${body.id}`)).body).toEqual(body);
    expect((await callV1(LINK, link({ stripe_product_id: body.id, price: { unit_amount: 4990 } }))).body).toMatchObject({ success: true });
    const { short_url } = approved.body.first_link;
    await control("/pay", { short_url });
    await quiet();
    const links = (await ask("GET", `links?product=${body.id}`)).body.data;
    expect(links.find((one: { short_url: string }) => one.short_url === short_url)).toMatchObject({
      source: "moderation",
      items: [{ product_id: body.id, name: "Course of languages", quantity: 1, unit_amount: 4990 }],
      amount: 49.9,
      interval: null,
      sold: [{ currency: expect.any(String), orders: 1, net: expect.any(Number) }],
      last_sold_at: expect.any(String),
    });
  });

  it("of a subscription has a period", async () => {
    expect(await submit(card("Magazine", { type: "subscription", interval: "month" }))).toMatchObject({
      type: "subscription",
      interval: "month",
      interval_count: 1,
    });
  });

  it("is one product, however often it is sent while it waits", async () => {
    const [one, other] = await Promise.all([submit(card("Sent twice")), submit(card("Sent twice"))]);
    expect(other.product_id).toBe(one.product_id);
    expect((await submit(card("Sent twice", { amount: 49.91 }))).product_id).not.toBe(one.product_id);
    expect((await submit(card("Sent twice", { description: "Another" }))).product_id).not.toBe(one.product_id);
    expect((await submit(card("Sent twice", { environment: "live" }))).product_id).not.toBe(one.product_id);
    await change(`products/card/${one.product_id}/reject`);
    expect((await submit(card("Sent twice"))).product_id).not.toBe(one.product_id);
  });

  it("is corrected and submitted again after a rejection, which an operator's old view does not approve", async () => {
    const { product_id } = await submit(card("Unclear"));
    await change(`products/card/${product_id}/reject`, { reason: "What is it?" });
    expect((await ask("GET", `products/${product_id}`)).body).toMatchObject({ moderation: "rejected", rejection_reason: "What is it?" });
    const seen = (await ops(`products/card/${product_id}`)).body;
    const again = await ask("PUT", `products/${product_id}`, card("Clear", { amount: 59 }));
    expect(again.body).toMatchObject({
      name: "Clear",
      amount: 59,
      environment: "test",
      moderation: "in_review",
      rejection_reason: null,
      is_changeable: true,
    });
    expect((await change(`products/card/${product_id}/approve`, { seen_revision: seen.revision })).status).toBe(409);
    expect((await auditOf(`card/${product_id}`))[0]).toMatchObject({
      action: "product.submit",
      before: { name: "Unclear" },
      after: { name: "Clear" },
    });
  });

  it("stays in its environment: its first link may have been made there", async () => {
    const { product_id } = await submit(card("Stays"));
    expect(await ask("PUT", `products/${product_id}`, card("Stays", { environment: "live" }))).toMatchObject({
      status: 400,
      body: { error_message: expect.stringMatching(/^environment: must stay test/) },
    });
    expect((await ask("GET", `products/${product_id}`)).body).toMatchObject({ environment: "test" });
  });

  it("is changed by moderation alone once it was sold, or is decided meanwhile", async () => {
    const { product_id } = await submit(card("Sold"));
    const stale = await findProduct(cellDeps().directory, "card", product_id);
    await change(`products/card/${product_id}/approve`, { first_link: false });
    const refused = { status: 409, body: { error_message: expect.stringContaining("ask support") } };
    expect(await ask("PUT", `products/${product_id}`, card("Other"))).toMatchObject(refused);
    await change(`products/card/${product_id}/reject`);
    expect((await ask("GET", `products/${product_id}`)).body.is_changeable).toBe(false);
    expect(await ask("PUT", `products/${product_id}`, card("Other"))).toMatchObject(refused);
    if (stale === undefined) throw new Error("it was submitted");
    await expect(resubmitProduct(cellDeps(), stale, { name: "Late", unitAmount: 1, vat: null }, ANNA)).rejects.toThrow(
      /changed in the meantime/,
    );
  });

  it.each([
    [{ amount: 0.49 }, "amount"],
    [{ amount: 1_000_000 }, "amount"],
    [{ amount: 19.999 }, "amount"],
    [{ amount: "19" }, "amount"],
    [{ currency: "RUB" }, "currency"],
    [{ name: " " }, "name"],
    [{ type: "subscription" }, "interval"],
    [{ interval: "month" }, "interval"],
    [{ payment_method_types: ["card"] }, "payment_method_types"],
    [{ environment: undefined }, "environment"],
    [{ kind: "coin" }, "kind"],
  ])("with %j is refused, and not added", async (wrong, field) => {
    expect(await ask("POST", "products", card("Wrong", wrong))).toMatchObject({
      status: 400,
      body: { error_code: "INVALID_INPUT", error_message: expect.stringMatching(new RegExp(`^${field}:`)) },
    });
    expect((await listed("moderation=in_review")).map((one) => Reflect.get(one, "name"))).not.toContain("Wrong");
  });
});

describe("a submitted ruble product", () => {
  it("is approved when moderation has given it a terminal and VAT", async () => {
    const made = await submit(ruble("Курс языка"));
    expect(made).toMatchObject({ kind: "ruble", id: made.product_id, environment: null, vat: null, amount: 990.5, currency: "RUB" });
    expect((await submit(ruble("Курс языка"))).product_id).toBe(made.product_id);
    expect((await submit(ruble("Курс языка", { vat: "vat20" }))).product_id).not.toBe(made.product_id);
    const early = await change(`products/ruble/${made.product_id}/approve`);
    expect(early).toMatchObject({ status: 409, body: { error: expect.stringContaining("no terminal and no vat") } });
    await change(`products/ruble/${made.product_id}`, { terminal: "first", vat: "none" }, "PATCH");
    // Its partner has changed it: the decision names what was read.
    await ask("PUT", `products/${made.product_id}`, ruble("Курс языка", { amount: 991 }));
    expect(await change(`products/ruble/${made.product_id}/approve`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("--seen_revision 3") },
    });
    expect((await change(`products/ruble/${made.product_id}/approve`, { seen_revision: 3 })).status).toBe(200);
    const items = [{ product_id: Number(made.product_id), quantity: 1 }];
    expect((await call(BANK, bankCart({ items }))).body).toMatchObject({ success: true });
  });

  it("keeps the VAT that moderation has set, unless it names another", async () => {
    const { product_id } = await submit(ruble("С НДС"));
    await change(`products/ruble/${product_id}`, { terminal: "first", vat: "vat20" }, "PATCH");
    expect((await ask("PUT", `products/${product_id}`, ruble("С НДС, иначе"))).body).toMatchObject({ vat: "vat20" });
    expect((await ask("PUT", `products/${product_id}`, ruble("С НДС, иначе", { vat: null }))).body).toMatchObject({ vat: null });
  });

  it("stays one of its kind, and can be changed after a rejection", async () => {
    const { product_id } = await submit(ruble("Отклонён"));
    await change(`products/ruble/${product_id}/reject`);
    expect(await ask("PUT", `products/${product_id}`, card("Card"))).toMatchObject({
      status: 400,
      body: { error_message: expect.stringMatching(/^kind:/) },
    });
    expect((await ask("PUT", `products/${product_id}`, ruble("Принят", { vat: "vat10" }))).body).toMatchObject({
      name: "Принят",
      vat: "vat10",
      moderation: "in_review",
    });
  });

  it.each([[{ amount: 0 }], [{ vat: "20%" }], [{ currency: "RUB" }]])("with %j is refused", async (wrong) => {
    expect((await ask("POST", "products", ruble("Wrong", wrong))).status).toBe(400);
  });
});

describe("the list", () => {
  it("has those of an environment, with ruble products, and those in a state", async () => {
    const all = await listed("");
    const live = await listed("environment=live");
    const rejected = await listed("moderation=rejected");
    const idsOf = (rows: typeof all) => rows.map(({ product_id }) => product_id);
    expect(idsOf(live)).toEqual(idsOf(all.filter(({ environment }) => environment !== "test")));
    expect(idsOf(rejected)).toEqual(idsOf(all.filter(({ moderation }) => moderation === "rejected")));
    expect([live.length, rejected.length].every((count) => count > 0 && count < all.length)).toBe(true);
  });
});

it(`no more than ${limits.submissions.waiting} products of a partner wait at one time`, async () => {
  const key = keys.globex;
  const made = [];
  for (let count = 0; count <= limits.submissions.waiting; count += 1)
    made.push(await ask("POST", "products", ruble(`Товар ${count}`), key));
  const last = made.findIndex(({ status }) => status !== 201);
  expect(made[last]).toMatchObject({ status: 409, body: { error_message: expect.stringContaining("as many as may") } });
  // An equal one that waits is answered again, and another partner has its own room.
  expect((await ask("POST", "products", ruble("Товар 0"), key)).body).toEqual(made[0]?.body);
  expect((await ask("POST", "products", card("Own room"))).status).toBe(201);
  // A rejected one has no room to come back, until another is decided.
  const [back, other] = made.map(({ body }) => body.product_id);
  await change(`products/ruble/${back}/reject`);
  expect((await ask("POST", "products", ruble("Ещё один"), key)).status).toBe(201);
  expect((await ask("PUT", `products/${back}`, ruble("Снова"), key)).status).toBe(409);
  await change(`products/ruble/${other}/reject`);
  expect((await ask("PUT", `products/${back}`, ruble("Снова"), key)).status).toBe(200);
  const waiting = (await ops("partners/globex/products?limit=100")).body.data.filter(
    ({ moderation }: { moderation: string }) => moderation === "in_review",
  );
  expect(waiting).toHaveLength(limits.submissions.waiting);
});
