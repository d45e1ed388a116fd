import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { ChangedByAnother, moderateProduct } from "../../src/catalogue/admin/products.ts";
import { findProduct } from "../../src/catalogue/admin/store.ts";
import { paymentLinks } from "../../src/db/schema/index.ts";
import { correctProduct } from "../../src/moderation/approve-product.ts";
import { ANNA } from "../support/actor.ts";
import { CART, call, callV1, cart, keys, LINK, LIVE_LINKS, link, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { realTime } from "../support/later.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, objects } from "../support/stack.ts";
import { rowOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

afterEach(async () => {
  realTime();
  resetEffects();
  await control("/faults", undefined, "DELETE");
});

const card = (more: object = {}) => ({
  kind: "card",
  environment: "live",
  name: "Course",
  type: "one_time",
  currency: "USD",
  unit_amount: 2500,
  ...more,
});
const ruble = (more: object = {}) => ({ kind: "ruble", name: "Курс", unit_amount: 90_000, terminal: "first", vat: "none", ...more });
const add = async (product: object, partner = "acme") => (await change(`partners/${partner}/products`, product)).body;
const approve = (id: string | number, kind = "card", body: object = {}) => change(`products/${kind}/${id}/approve`, body);
const sell = (product: string) => callV1(LINK, link({ stripe_product_id: product }));
const slugOf = (url: string) => url.replace(/^.*\//, "");

describe("a card product", () => {
  it("is decided from an old queue only as the queue shows it", async () => {
    const { id, revision } = await add(card());
    const seen = { seen_revision: revision };
    expect((await approve(id, "card", seen)).status).toBe(200);
    for (const verb of ["approve", "reject"])
      expect(await change(`products/card/${id}/${verb}`, seen)).toMatchObject({
        status: 409,
        body: { error: "It was changed since, and is approved. Look at it again." },
      });
    const { body } = await ops(`products/card/${id}`);
    expect(body).toMatchObject({ moderation: "approved" });
    // The partner reads who made a link: the name of an operator is none of theirs.
    expect(await rowOf(paymentLinks, { source: "moderation" })).toMatchObject({ holder: null });
    expect((await change(`products/card/${id}/reject`, { seen_revision: body.revision })).body).toMatchObject({ moderation: "rejected" });
  });

  it("is sold from its approval on: made at the processor, with its first link at the catalogue price", async () => {
    const added = await add(card());
    expect(added).toMatchObject({ kind: "card", id: expect.stringMatching(/^card_/), moderation: "in_review", processor_product_id: null });
    expect((await ops("products?moderation=in_review&limit=100")).body.data).toContainEqual(expect.objectContaining(added));
    const approved = await approve(added.id);
    const { product, first_link } = approved.body;
    expect(approved.status).toBe(200);
    expect(product).toMatchObject({ id: added.id, moderation: "approved", processor_product_id: added.id.replace("card_", "prod_") });
    expect(await objects("products")).toContainEqual(expect.objectContaining({ id: product.processor_product_id, name: "Course" }));
    const { data } = { data: (await call(LIVE_LINKS, {})).body.links ?? (await call(LIVE_LINKS, {})).body };
    expect(JSON.stringify(data)).toContain(first_link.short_url);
    expect((await send(`/${slugOf(first_link.short_url)}`)).status).toBe(302);
    expect((await sell(product.processor_product_id)).body).toMatchObject({ success: true });
    expect(await auditOf(`card/${added.id}`)).toMatchObject([
      {
        action: "product.approve",
        partner_id: "acme",
        before: { moderation: "in_review", processor_product_id: null },
        after: { moderation: "approved", processor_product_id: product.processor_product_id },
      },
      { action: "product.create", after: { kind: "card", name: "Course", currency: "USD", unit_amount: 2500 } },
    ]);
  });

  it("gives the same product and the same link however often it is approved, and whatever answer is lost", async () => {
    const { id } = await add(card({ name: "Made once" }));
    virtualTime();
    for (const lost of ["products.create", "payment_links.create"]) {
      await control("/faults", { target: "processor", call: lost, times: 1, kind: "reset_after" });
      const answer = await approve(id);
      expect([200, 502]).toContain(answer.status);
    }
    const first = (await approve(id)).body;
    expect((await approve(id)).body).toEqual(first);
    const prices = (await objects("prices")).filter(({ product }) => product === first.product.processor_product_id);
    expect(prices).toHaveLength(1);
    expect((await objects("products")).filter(({ name }) => name === "Made once")).toHaveLength(1);
  });

  it("is not approved while the processor is out of reach, and nothing is half done", async () => {
    const { id } = await add(card());
    virtualTime();
    await control("/faults", { target: "processor", call: "products.create", times: 99, kind: "http_500" });
    expect(await approve(id)).toMatchObject({ status: 502, body: { success: false, error: expect.stringContaining("Try again") } });
    expect((await ops(`products/card/${id}`)).body).toMatchObject({ moderation: "in_review", processor_product_id: null });
    await control("/faults", undefined, "DELETE");
    expect((await approve(id)).status).toBe(200);
  });

  it("needs no first link, and may exist at the processor already", async () => {
    const { id } = await add(card({ processor_product_id: "prod_acmeExisting1" }));
    expect((await approve(id, "card", { first_link: false })).body).toMatchObject({
      product: { moderation: "approved", processor_product_id: "prod_acmeExisting1" },
      first_link: null,
    });
    expect((await ops("products/card/prod_acmeExisting1")).body).toMatchObject({ id });
    expect(await change("partners/acme/products", card({ processor_product_id: "prod_acmeExisting1" }))).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("processor_product_id") },
    });
  });

  it("of a subscription is billed by its own period", async () => {
    const { id } = await add(card({ type: "subscription", interval: "month", interval_count: 3 }));
    const { first_link } = (await approve(id)).body;
    const line = await env.CELL_1.prepare("SELECT mode, interval, interval_count FROM payment_links WHERE id = ?")
      .bind(first_link.payment_link_id)
      .first();
    expect(line).toEqual({ mode: "subscription", interval: "month", interval_count: 3 });
  });

  it("of another period gets another first link, which bills that period", async () => {
    const { id } = await add(card({ type: "subscription", interval: "month" }));
    const monthly = (await approve(id)).body.first_link.payment_link_id;
    await change(`products/card/${id}`, { interval: "year", interval_count: null }, "PATCH");
    const yearly = (await approve(id)).body.first_link.payment_link_id;
    const periods = await env.CELL_1.prepare("SELECT interval, interval_count FROM payment_links WHERE id IN (?, ?) ORDER BY interval")
      .bind(monthly, yearly)
      .all();
    expect(periods.results).toEqual([
      { interval: "month", interval_count: 1 },
      { interval: "year", interval_count: 1 },
    ]);
  });

  it("is not approved again with a link that was disabled", async () => {
    const { id } = await add(card());
    const { payment_link_id } = (await approve(id)).body.first_link;
    await change(`payment-links/${payment_link_id}/disable`);
    expect(await approve(id)).toMatchObject({ status: 409, body: { error: expect.stringContaining("payment-links enable") } });
    await change(`payment-links/${payment_link_id}/enable`);
    expect((await approve(id)).body.first_link.payment_link_id).toBe(payment_link_id);
    expect(await auditOf(payment_link_id)).toHaveLength(3);
  });

  it("that moderation alone has corrected is approved as it is", async () => {
    const { id } = await add(card());
    await change(`products/card/${id}`, { unit_amount: 2_900 }, "PATCH");
    expect((await approve(id)).body.product).toMatchObject({ moderation: "approved", unit_amount: 2_900 });
  });

  it("that was corrected between two approvals is shown to customers as it is now", async () => {
    const { id } = await add(card({ name: "Corse" }));
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "http_500" });
    expect((await approve(id)).status).toBe(502);
    await control("/faults", undefined, "DELETE");
    realTime();
    await change(`products/card/${id}`, { name: "Course" }, "PATCH");
    const { product } = (await approve(id)).body;
    expect(await objects("products")).toContainEqual(expect.objectContaining({ id: product.processor_product_id, name: "Course" }));
  });

  it.each(["kind", "environment", "type"])("keeps its %s for good", async (field) => {
    const { id } = await add(card());
    const { status, body } = await change(`products/card/${id}`, { [field]: "subscription" }, "PATCH");
    expect([status, body.error]).toEqual([400, `${field}: cannot be changed; add another product instead`]);
  });

  it("that was changed since it was read is not changed, nor is it on record", async () => {
    const { id } = await add(card());
    const { directory, clock } = cellDeps();
    const seen = await findProduct(directory, "card", id);
    if (seen === undefined) throw new Error("the product is gone");
    await change(`products/card/${id}/reject`);
    await expect(moderateProduct({ directory, clock }, seen, "approved", ANNA)).rejects.toThrow(ChangedByAnother);
    expect((await ops(`products/card/${id}`)).body).toMatchObject({ moderation: "rejected" });
    expect((await auditOf(`card/${id}`)).map(({ action }) => action)).toEqual(["product.reject", "product.create"]);
  });

  it("whose correction loses against a colleague's is shown to customers as it was", async () => {
    const { product } = (await approve((await add(card({ name: "As it was" }))).id)).body;
    const { directory } = cellDeps();
    const seen = await findProduct(directory, "card", product.id);
    if (seen === undefined) throw new Error("the product is gone");
    await change(`products/card/${product.id}`, { unit_amount: 2_900 }, "PATCH");
    await expect(correctProduct(cellDeps(), seen, { name: "Too late" }, ANNA)).rejects.toThrow(ChangedByAnother);
    const atProcessor = { id: product.processor_product_id, name: "As it was" };
    expect(await objects("products")).toContainEqual(expect.objectContaining(atProcessor));
    // The refusal is said also where the processor does not answer a second time.
    const names: (string | undefined)[] = [];
    const processor = () => ({
      ...cellDeps().processor("test"),
      changeProduct: async ({ name }: { name?: string }) => {
        names.push(name);
        if (names.length > 1) throw new Error("unreachable");
      },
    });
    await expect(correctProduct({ ...cellDeps(), processor }, seen, { name: "Too late" }, ANNA)).rejects.toThrow(ChangedByAnother);
    expect(names).toEqual(["Too late", "As it was"]);
  });

  it("that a colleague rejects, or makes dearer, while it is approved leaves no link that sells", async () => {
    for (const meanwhile of [
      (id: string) => change(`products/card/${id}/reject`),
      (id: string) => change(`products/card/${id}`, { unit_amount: 9900 }, "PATCH"),
    ]) {
      const { id } = await add(card());
      let isDone = false;
      aroundEffects(async (effect, perform) => {
        if (effect === "kv.put" && !isDone) {
          isDone = true;
          expect((await meanwhile(id)).status).toBe(200);
        }
        return perform();
      });
      expect(await approve(id)).toMatchObject({ status: 409, body: { error: expect.stringContaining("Another operator") } });
      resetEffects();
      const made = (await objects("payment_links")).at(-1);
      expect(made).toMatchObject({ active: false });
      expect(await rowOf(paymentLinks, { id: made?.id })).toMatchObject({ disabled_by: "operator" });
    }
  });

  it("is taken from sale when it is rejected", async () => {
    const { id } = await add(card());
    const { product } = (await approve(id)).body;
    expect((await change(`products/card/${product.processor_product_id}/reject`)).body).toMatchObject({ id, moderation: "rejected" });
    expect((await sell(product.processor_product_id)).body).toMatchObject({ success: false });
  });

  it("is corrected: a new price is that of the next link, and the first keeps its own", async () => {
    const { id } = await add(card({ description: "Old" }));
    const first = (await approve(id)).body;
    const changed = await change(`products/card/${id}`, { name: "Course 2", description: null, unit_amount: 3900 }, "PATCH");
    expect(changed.body).toMatchObject({ name: "Course 2", description: null, unit_amount: 3900, moderation: "approved" });
    expect(await objects("products")).toContainEqual(expect.objectContaining({ id: first.product.processor_product_id, name: "Course 2" }));
    const second = (await approve(id)).body;
    expect(second.first_link.payment_link_id).not.toBe(first.first_link.payment_link_id);
    expect(await auditOf(second.first_link.payment_link_id)).toMatchObject([
      { action: "payment_link.create_first", partner_id: "acme", after: { product: `card/${id}`, currency: "USD", unit_amount: 3900 } },
    ]);
    expect(await auditOf(`card/${id}`)).toMatchObject([
      {
        action: "product.change",
        before: { name: "Course", description: "Old", unit_amount: 2500 },
        after: { name: "Course 2", description: null, unit_amount: 3900 },
      },
      {},
      {},
    ]);
  });

  it("is read also where what is stored is damaged", async () => {
    const { id } = await add(card());
    await env.DIRECTORY.prepare("UPDATE card_products SET payment_method_types = 'nothing' WHERE id = ?").bind(id).run();
    expect((await ops(`products/card/${id}`)).body).toMatchObject({ payment_method_types: null });
    expect((await ops("partners/acme/products?limit=100")).status).toBe(200);
  });

  it.each([
    [{ unit_price: 1900 }, /unit_price: is not a field here; there are .*unit_amount/],
    [{ description: " " }, /^description: must not be empty/],
    [{ currency: "RUB" }, /^currency: must be one of/],
    [{ unit_amount: 49 }, /^unit_amount: must be at least 50/],
    [{ unit_amount: 19.5 }, /^unit_amount:/],
    [{ unit_amount: 100_000_000 }, /^unit_amount: must be at most/],
    [{ name: " " }, /^name: must not be empty/],
    [{ type: "rent" }, /^type:/],
    [{ environment: "prod" }, /^environment:/],
    [{ type: "subscription" }, /^interval: is missing/],
    [{ type: "subscription", interval: "year", interval_count: 4 }, /^interval_count: must be at most 3/],
    [{ interval: "month" }, /^interval: is only allowed for a subscription/],
    [{ payment_method_types: [] }, /^payment_method_types:/],
    [{ processor_product_id: "card_1" }, /^processor_product_id:/],
  ])("is not added with %j", async (wrong, error) => {
    expect(await change("partners/acme/products", card(wrong))).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(error) },
    });
  });

  it("is not changed into what it cannot be", async () => {
    const { id } = await add(card());
    for (const [change_, status] of [
      [{}, 400],
      [{ environment: "test" }, 400],
      [{ interval: "month" }, 400],
      [{ unit_amount: 1 }, 400],
    ] as const) {
      expect((await change(`products/card/${id}`, change_, "PATCH")).status).toBe(status);
    }
    const { product } = (await approve(id)).body;
    expect((await change(`products/card/${id}`, { processor_product_id: "prod_other" }, "PATCH")).status).toBe(409);
    expect((await ops(`products/card/${id}`)).body).toMatchObject(product);
    expect((await change("products/card/none", { name: "x" }, "PATCH")).status).toBe(404);
  });

  it("whose stored values are damaged is not approved until they are corrected", async () => {
    const damaged = await approve("prod_acmeCorrupt");
    expect(damaged).toMatchObject({ status: 409, body: { error: expect.stringContaining("products change") } });
    expect((await change("products/card/prod_acmeCorrupt", { interval: "week" }, "PATCH")).body).toMatchObject({ interval: "week" });
    expect((await approve("prod_acmeCorrupt", "card", { first_link: false })).status).toBe(200);
  });
});

describe("a ruble product", () => {
  it("gets the next number or its own, and is sold from its approval on", async () => {
    const [next, own] = [await add(ruble()), await add(ruble({ id: 7001 }))];
    expect([own.id, next.moderation]).toEqual([7001, "in_review"]);
    expect(next.id).toBeGreaterThan(1201);
    expect((await change("partners/globex/products", ruble({ id: 7001 }))).status).toBe(409);
    expect((await approve(7001, "ruble")).body).toMatchObject({ product: { moderation: "approved" }, first_link: null });
    expect((await change("products/ruble/7001", { unit_amount: 95_000 }, "PATCH")).body).toMatchObject({ unit_amount: 95_000 });
    expect((await change("products/ruble/7001/reject")).body).toMatchObject({ moderation: "rejected" });
    expect(await approve(1006, "ruble")).toMatchObject({ status: 409, body: { error: expect.stringContaining("products change") } });
    await change("products/ruble/1006", { currency: "RUB", terminal: "first", vat: "none" }, "PATCH");
    expect((await approve(1006, "ruble")).body).toMatchObject({ product: { currency: "RUB", moderation: "approved" } });
    for (const id of ["0", "x", "99999999"]) expect((await ops(`products/ruble/${id}`)).status).toBe(404);
  });

  it.each([
    [{ vat: "20%" }, /^vat:/],
    [{ terminal: "" }, /^terminal:/],
    [{ terminal: "third" }, /^terminal: must be a terminal of BANK_TERMINALS: first, second/],
    [{ unit_amount: 0 }, /^unit_amount:/],
    [{ currency: "USD" }, /^currency:/],
  ])("is not added with %j", async (wrong, error) => {
    expect(await change("partners/acme/products", ruble(wrong))).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(error) },
    });
  });
});

describe("the links of a product", () => {
  const approved = async (more: object = {}) => (await approve((await add(card(more))).id)).body;
  const openOf = async (product: string) =>
    (await ops(`payment-links?partner=acme&environment=live&product=${product}&state=open&limit=100`)).body.data;

  it("get one at a new price after a change, once per price, and those at the former price stay", async () => {
    const { product, first_link } = await approved({ name: "Dearer soon" });
    const make = () => change(`products/card/${product.id}/link`);
    expect((await make()).body).toMatchObject({ payment_link_id: first_link.payment_link_id, amount: 25 });
    await change(`products/card/${product.id}`, { unit_amount: 3_900 }, "PATCH");
    const { body } = await make();
    expect(body).toMatchObject({ currency: "USD", amount: 39, short_url: expect.stringContaining("/") });
    expect(body.payment_link_id).not.toBe(first_link.payment_link_id);
    expect((await make()).body).toEqual(body);
    const open = await openOf(product.processor_product_id);
    expect(open.map(({ amount }: { amount: number }) => amount)).toEqual([39, 25]);
    expect(await auditOf(body.payment_link_id)).toMatchObject([{ action: "payment_link.create_first", after: { unit_amount: 3_900 } }]);
    await change(`payment-links/${body.payment_link_id}/disable`);
    expect(await make()).toMatchObject({ status: 409, body: { error: expect.stringContaining("disabled") } });
  });

  it("are not made for a product that is not approved, nor kept for one that is rejected in the meantime", async () => {
    const { id } = await add(card({ name: "Waits for its link" }));
    expect(await change(`products/card/${id}/link`)).toMatchObject({ status: 409, body: { error: expect.stringContaining("approved") } });
    expect((await change("products/card/card_none/link")).status).toBe(404);
    const { product } = await approved({ name: "Rejected while it gets a link" });
    await change(`products/card/${product.id}`, { unit_amount: 4_900 }, "PATCH");
    aroundEffects(async (effect, perform) => {
      if (effect !== "kv.put") return perform();
      resetEffects();
      expect((await change(`products/card/${product.id}/reject`)).status).toBe(200);
      return perform();
    });
    expect(await change(`products/card/${product.id}/link`)).toMatchObject({ status: 409 });
    expect((await openOf(product.processor_product_id)).map(({ amount }: { amount: number }) => amount)).toEqual([25]);
  });

  it("stay open when it is rejected, and are closed with it where that is asked for, carts too, part by part", async () => {
    const { product } = await approved({ name: "Sold in many links" });
    const productId = product.processor_product_id;
    const make = (order: number) =>
      call(CART, cart({ items: [{ stripe_product_id: productId, unit_amount: 2_500, quantity: 1 }], client_token: `many-${order}` }));
    for (let order = 0; order < 21; order += 1) expect((await make(order)).body).toMatchObject({ success: true });
    const open = await openOf(productId);
    expect(open).toHaveLength(22);
    const reject = (body: object) => change(`products/card/${product.id}/reject`, { reason: "Withdrawn", ...body });
    expect((await reject({})).body).toMatchObject({ moderation: "rejected", closed_links: 0, links_left: 0 });
    expect(await openOf(productId)).toHaveLength(22);
    const seen = { seen_revision: product.revision, close_links: true };
    expect((await reject(seen)).body).toMatchObject({ closed_links: 20, links_left: 2 });
    expect((await reject(seen)).body).toMatchObject({ closed_links: 2, links_left: 0 });
    expect(await openOf(productId)).toEqual([]);
    const atProcessor = (await objects("payment_links")).filter(({ id }) =>
      open.some((one: { payment_link_id: string }) => one.payment_link_id === id),
    );
    expect(atProcessor.map(({ active }) => active)).toEqual(open.map(() => false));
    expect(await auditOf(open[0].payment_link_id)).toMatchObject([{ action: "payment_link.disable", actor: "Maria" }]);
  });

  it("are not opened again by the partner while one of their products is rejected, nor by taking their limits away", async () => {
    const { product, first_link } = await approved({ name: "Withdrawn for good" });
    const id = first_link.payment_link_id;
    const partner = async (path: string, body: object = {}) => {
      const headers = { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" };
      return send(`/partner/links/${id}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    };
    expect((await partner("disable")).status).toBe(200);
    expect((await change(`products/card/${product.id}/reject`, { close_links: true })).body).toMatchObject({ links_left: 0 });
    const refused = { status: 409, body: { error_message: expect.stringContaining("taken from sale: Withdrawn for good") } };
    expect(await partner("enable")).toMatchObject(refused);
    expect(await partner("limits", { completed_sessions: null })).toMatchObject(refused);
    expect((await approve(product.id, "card", { first_link: false })).status).toBe(200);
    expect((await partner("enable")).body).toMatchObject({ state: "open" });
    // An open link may be limited whatever became of its product.
    await change(`products/card/${product.id}/reject`);
    expect((await partner("limits", { completed_sessions: 5 })).status).toBe(200);
    // Moderation opens what it wants to.
    await partner("disable");
    expect((await change(`payment-links/${id}/enable`)).body).toMatchObject({ state: "open" });
  });

  it("are closed too where the approval was cut off after the first", async () => {
    const { id } = await add(card({ name: "Cut off" }));
    virtualTime();
    const broken = breakShortLinks();
    expect((await approve(id)).status).toBe(502);
    broken.mend();
    realTime();
    const [waiting] = (await ops("short-links?waiting=true")).body.data;
    await change(`payment-links/${waiting.payment_link_id}/short-link`);
    expect((await ops(`products/card/${id}`)).body).toMatchObject({ moderation: "in_review", processor_product_id: null });
    expect((await change(`products/card/${id}/reject`, { close_links: true })).body).toMatchObject({ closed_links: 1, links_left: 0 });
    expect((await ops(`payment-links/${waiting.payment_link_id}`)).body).toMatchObject({ state: "disabled" });
  });

  it("that the processor did not close stay open here too, and a repeat closes them", async () => {
    const { product, first_link } = await approved({ name: "Closed at the second attempt" });
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.update", times: 99, kind: "http_500" });
    expect((await change(`products/card/${product.id}/reject`, { close_links: true })).status).toBe(502);
    expect((await ops(`products/card/${product.id}`)).body).toMatchObject({ moderation: "rejected" });
    expect(await openOf(product.processor_product_id)).toHaveLength(1);
    await control("/faults", undefined, "DELETE");
    expect((await change(`products/card/${product.id}/reject`, { close_links: true })).body).toMatchObject({
      closed_links: 1,
      links_left: 0,
    });
    expect((await ops(`payment-links/${first_link.payment_link_id}`)).body).toMatchObject({ state: "disabled" });
  });
});

describe("the lists of products", () => {
  it("go through card products, then ruble products, each once", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await ops(`partners/acme/products?limit=70${cursor}`);
      seen.push(...body.data.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`));
      cursor = body.next === null ? "" : `&cursor=${body.next}`;
    } while (cursor !== "");
    const count = async (table: string) =>
      env.DIRECTORY.prepare(`SELECT count(*) AS count FROM ${table} WHERE partner_id = 'acme'`).first<number>("count");
    expect(seen).toHaveLength(((await count("card_products")) ?? 0) + ((await count("ruble_products")) ?? 0));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.findLastIndex((one) => one.startsWith("card"))).toBeLessThan(seen.findIndex((one) => one.startsWith("ruble")));
    expect((await ops("partners/nobody/products")).status).toBe(404);
  });

  it("of those that wait begin with the longest waiting, page by page, each once, and say how many wait", async () => {
    const waiting = async (limit: number) => {
      const found: { kind: string; id: string | number; updated_at: string }[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { body } = await ops(`products?moderation=in_review&limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
        found.push(...body.data);
        expect(body.count).toBeGreaterThanOrEqual(found.length);
        cursor = body.next;
      }
      return found;
    };
    const [first, second] = [await add(card({ name: "Waits" })), await add(ruble())];
    await change(`products/card/${first.id}`, { name: "Waits again" }, "PATCH");
    const all = await waiting(100);
    const places = all.map(({ kind, id }) => `${kind} ${id}`);
    expect(places.slice(-2)).toEqual([`ruble ${second.id}`, `card ${first.id}`]);
    expect(all.map((one) => one.updated_at)).toEqual(all.map((one) => one.updated_at).toSorted());
    expect((await waiting(3)).map(({ kind, id }) => `${kind} ${id}`)).toEqual(places);
    expect((await ops("products?moderation=in_review&limit=1")).body.count).toBe(all.length);
  });

  it("of all are searched by name, partner, state, kind, environment and price, the last changed one first", async () => {
    await change("partners", { id: "searched", name: "Searched" });
    const dear = await add(card({ name: "Search: dear", unit_amount: 90_000 }), "searched");
    const cheap = await add(card({ name: "Search: cheap", unit_amount: 500, environment: "test" }), "searched");
    const inRubles = await add(ruble({ name: "Поиск" }), "searched");
    await approve(cheap.id, "card", { first_link: false });
    await change(`products/card/${dear.id}/reject`, { reason: "Too dear" });
    const search = async (query: string) => {
      const { status, body } = await ops(`products?partner=searched${query}`);
      expect([status, body.count]).toEqual([200, body.data.length]);
      return body.data.map(({ id }: { id: string | number }) => id);
    };
    expect(await search("")).toEqual([dear.id, cheap.id, inRubles.id]);
    expect(await search("&name=search")).toEqual([dear.id, cheap.id]);
    expect(await search(`&name=${encodeURIComponent("поиск")}`)).toEqual([inRubles.id]);
    expect(await search("&moderation=in_review")).toEqual([inRubles.id]);
    expect(await search("&moderation=approved")).toEqual([cheap.id]);
    expect(await search("&moderation=rejected")).toEqual([dear.id]);
    expect(await search("&moderation=decided")).toEqual([dear.id, cheap.id]);
    expect(await search("&kind=ruble")).toEqual([inRubles.id]);
    expect(await search("&kind=card")).toEqual([dear.id, cheap.id]);
    expect(await search("&environment=test")).toEqual([cheap.id, inRubles.id]);
    expect(await search("&currency=RUB")).toEqual([inRubles.id]);
    expect(await search("&currency=USD&amount_from=5")).toEqual([dear.id, cheap.id]);
    expect(await search("&currency=USD&amount_from=5.01")).toEqual([dear.id]);
    expect(await search("&currency=USD&amount_to=900")).toEqual([dear.id, cheap.id]);
    expect(await search("&currency=USD&amount_to=899.99")).toEqual([cheap.id]);
    expect((await ops("products?amount_from=5")).status).toBe(400);
    const { body: first } = await ops("products?partner=searched&limit=2");
    const { body: second } = await ops(`products?partner=searched&limit=2&cursor=${first.next}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([dear.id, cheap.id, inRubles.id]);
    expect([first.count, second.next]).toEqual([3, null]);
    expect(first.data).toMatchObject([{ decided_by: "Maria", decided_at: expect.any(String), rejection_reason: "Too dear" }, {}]);
  });

  it("say what moderation looks at twice, and what the partner sees", async () => {
    await change("partners", { id: "flagged", name: "Flagged" });
    const { id } = await add(card({ name: "Twice" }), "flagged");
    const again = await add(card({ name: "twice " }), "flagged");
    const { body } = await ops("products?partner=flagged&moderation=in_review");
    expect(body.data.map(({ flags }: { flags: unknown[] }) => flags)).toEqual([
      [{ flag: "duplicate_name", says: `Its name is, or looks like, that of “twice” (card/${again.id}, 25.00 USD, in review).` }],
      [{ flag: "duplicate_name", says: `Its name is, or looks like, that of “Twice” (card/${id}, 25.00 USD, in review).` }],
    ]);
    const alone = await add(card({ name: "Not like the others" }), "flagged");
    const flagged = async (more = "") => (await ops(`products?partner=flagged&flagged=true${more}`)).body;
    expect((await flagged()).data.map((one: { id: string }) => one.id)).toEqual([id, again.id]);
    expect(await flagged()).toMatchObject({ next: null, count: null });
    const first = await flagged("&limit=1");
    expect(first.data).toMatchObject([{ id }]);
    expect(await flagged(`&limit=1&cursor=${first.next}`)).toMatchObject({ data: [{ id: again.id }], next: null });
    expect((await ops("products?flagged=true&moderation=approved")).body.error).toBe("flagged: only products in review have flags");
    await change(`products/card/${alone.id}/reject`, {});
    await change(`products/card/${again.id}/reject`, { reason: "You sell it already" });
    expect((await ops(`products/card/${id}`)).body).toMatchObject({ flags: [], decided_by: null });
    expect((await ops(`products/card/${again.id}`)).body).toMatchObject({
      flags: [],
      decided_by: "Maria",
      for_partner: { product_id: again.id, id: null, moderation: "rejected", rejection_reason: "You sell it already", is_changeable: true },
    });
  });

  it("have a partner's own products only", async () => {
    const { data } = (await ops("partners/globex/products?limit=100")).body;
    expect(new Set(data.map(({ partner_id }: { partner_id: string }) => partner_id))).toEqual(new Set(["globex"]));
    expect((await call(CART, cart(), keys.globex)).body.success).toBe(false);
  });
});
