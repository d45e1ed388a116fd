import { beforeAll, describe, expect, it } from "vitest";
import { BANK, bankCart, CODE, call, callV1, keys, LINK, link, promotion } from "../support/api.ts";
import { change, ops } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";

/** What operators browse: lists of one partner's objects, or of all partners'. */

const list = async (path: string) => (await ops(path)).body;
const dataOf = async (path: string) => (await list(path)).data;

beforeAll(async () => {
  await pay(["TestUsd1"], { client_reference_id: "listed-1" });
  await pay(["TestUsd2"], { client_reference_id: "listed-2" });
  await pay(["TestMonthly"], { client_reference_id: "listed-3" });
  await quiet();
});

describe("payments", () => {
  it("are those of all partners, newest first, each with its partner and its amounts in major units", async () => {
    const data = await dataOf("payments?environment=test");
    expect(data.map((row: any) => row.client_reference_id).toSorted()).toEqual(["listed-1", "listed-2", "listed-3"]);
    const times = data.map((row: any) => row.transaction_date);
    expect(times).toEqual(times.toSorted().toReversed());
    const first = data.find((row: any) => row.client_reference_id === "listed-1");
    expect(first).toMatchObject({ partner_id: "acme", amount: 19, currency: "USD", environment: "test" });
    expect(await dataOf("payments?environment=live")).toEqual([]);
  });

  it("are pages: the cursor leads from one to the next, and each row comes once", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: any = await list(`payments?environment=test&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(1);
      seen.push(...page.data.map((row: any) => row.client_reference_id));
      cursor = page.next;
    }
    expect(seen.toSorted()).toEqual(["listed-1", "listed-2", "listed-3"]);
  });

  it.each([
    ["status=failed", 0],
    ["status=completed", 3],
    ["currency=EUR", 0],
    ["reference=listed-2", 1],
    ["partner=acme", 3],
    ["partner=globex", 0],
    ["since=2999-01-01", 0],
    ["until=2000-01-01", 0],
    ["currency=usd&amount_from=1", 3],
    ["currency=usd&amount_from=1000", 0],
  ])("with %s are %d", async (filter, count) => {
    expect(await dataOf(`payments?environment=test&${filter}`)).toHaveLength(count);
  });

  it("of a partner that does not exist are none, and an amount without a currency means nothing", async () => {
    expect((await ops("payments?partner=nobody")).status).toBe(404);
    expect((await ops("payments?amount_from=1")).body.error).toMatch(/^amount_from: needs/);
  });

  it.each(["", "0x10", "1e3", "%201", "1,5"])("an amount must be a plain number, and %o is none", async (amount) => {
    const { status, body } = await ops(`payments?currency=USD&amount_to=${amount}`);
    expect([status, body.error]).toEqual([400, "amount_to: must be a number"]);
  });
});

describe("links, codes, subscriptions and ruble payments", () => {
  it("are listed with their partner, and shown one by one", async () => {
    const [first] = await dataOf("payment-links?environment=test&state=open");
    expect(first).toMatchObject({ partner_id: "acme", environment: "test", disabled_at: null });
    expect(await dataOf("payment-links?environment=test&state=disabled")).toEqual([]);
    const { body: made } = await callV1(LINK, link());
    const shown = (await ops(`payment-links/${made.processor_payment_link_id}`)).body;
    expect(shown).toMatchObject({ payment_link_id: made.processor_payment_link_id, partner_id: "acme", paid: [], disabled_by: null });
    expect(shown.product_ids).toHaveLength(1);
    expect((await ops("payment-links/plink_none")).status).toBe(404);
  });

  it("have what was paid through a link", async () => {
    const [{ payment_link_id }] = await dataOf("payments?environment=test&reference=listed-1");
    const { paid } = (await ops(`payment-links/${payment_link_id}`)).body;
    expect(paid).toMatchObject([{ type: "processor_payment_in", status: "completed", currency: "USD", count: 1, amount: 19 }]);
  });

  it("have promotion codes", async () => {
    const { body: made } = await callV1(CODE, promotion());
    const id = made.stripe_promotion_code_id;
    const data = [...(await dataOf("promotion-codes")), ...(await dataOf("promotion-codes?environment=test"))];
    expect(data).toContainEqual(expect.objectContaining({ promotion_code_id: id, partner_id: "acme" }));
    expect((await ops(`promotion-codes/${id}`)).body).toMatchObject({ promotion_code_id: id, deactivated_at: null });
    expect((await ops("promotion-codes/promo_none")).status).toBe(404);
  });

  it("have subscriptions, by status", async () => {
    const [found] = await dataOf("subscriptions?environment=test&status=active");
    expect(found).toMatchObject({ partner_id: "acme", client_reference_id: "listed-3" });
    expect(await dataOf("subscriptions?environment=test&partner=acme")).toHaveLength(1);
    expect(await dataOf("subscriptions?environment=test&status=past_due")).toEqual([]);
    expect(await dataOf("subscriptions?environment=live")).toEqual([]);
    expect((await ops(`subscriptions/${found.subscription_id}`)).body).toMatchObject(found);
    expect((await ops("subscriptions/sub_none")).status).toBe(404);
  });

  it("have ruble payments, by the partner's own number too", async () => {
    const { body: made } = await call(BANK, bankCart({ external_order_id: "ruble-listed" }));
    const environment = (await dataOf("bank/orders?environment=test")).length > 0 ? "test" : "live";
    for (const filter of ["", "&order=ruble-listed", "&partner=acme", "&status=NEW"]) {
      expect(await dataOf(`bank/orders?environment=${environment}${filter}`)).toContainEqual(
        expect.objectContaining({ order_id: made.order_id, partner_id: "acme", external_order_id: "ruble-listed" }),
      );
    }
    expect(await dataOf(`bank/orders?environment=${environment}&partner=globex&order=ruble-listed`)).toEqual([]);
  });
});

describe("notes", () => {
  it("are written for colleagues about anything, and deleted; the audit log has no text", async () => {
    const { body: note, status } = await change("notes", { target: "partner/acme", text: "  Asked for a refund  " });
    expect([status, note]).toMatchObject([201, { target: "partner/acme", text: "Asked for a refund", author: "Maria" }]);
    expect(await dataOf("notes?target=partner/acme")).toEqual([note]);
    expect(await dataOf("notes?target=partner/globex")).toEqual([]);
    expect(JSON.stringify(await dataOf("audit?target=partner/acme"))).not.toContain("refund");
    expect((await ops(`notes/${note.id}`, { method: "DELETE" })).body).toEqual(note);
    expect((await ops(`notes/${note.id}`, { method: "DELETE" })).status).toBe(404);
    expect((await dataOf("audit?target=partner/acme")).map((row: any) => row.action)).toEqual(["note.delete", "note.add"]);
    expect((await change("notes", { target: "partner/acme", text: " " })).status).toBe(400);
    // A place that could name a person is none.
    for (const target of ["buyer@example.com", "order-2041", "Mr Miller"])
      expect((await change("notes", { target, text: "x" })).body.error).toMatch(/^target: must be pi_/);
  });

  it("about one object are a hundred at most", async () => {
    for (let count = 0; count < 100; count += 1) await change("notes", { target: "partner/many", text: String(count) });
    expect((await change("notes", { target: "partner/many", text: "one more" })).status).toBe(409);
  });
});

describe("a partner's dashboard, as an operator sees it", () => {
  const view = (path: string) => ops(`partners/acme/view/partner/${path}`);

  it("opens once the audit log notes it, for eight hours, to whoever looked", async () => {
    expect((await view("session")).status).toBe(403);
    const { body } = await change("partners/acme/views", {});
    expect(body).toEqual({ page: "/ops/console/view/acme/" });
    expect((await view("session")).body).toMatchObject({
      partner: { id: "acme", name: "Acme" },
      viewed_by_operator: true,
      permissions: expect.arrayContaining(["owner", "balance_view"]),
    });
    expect((await ops("partners/acme/view/partner/session", { headers: { "X-Operator": "Other" } })).status).toBe(403);
    expect(await dataOf("audit?partner=acme&target=acme")).toContainEqual(
      expect.objectContaining({ action: "partner.view", actor: "Maria" }),
    );
  });

  it("shows nothing at all to an operator who has not opened it", async () => {
    const other = { headers: { "X-Operator": "Other" } };
    for (const path of ["payments", "people", "sessions", "requests"])
      expect([path, (await ops(`partners/acme/view/partner/${path}`, other)).status]).toEqual([path, 403]);
    // What operators list by calls of their own needs no view.
    expect((await ops("partners/acme/requests?outcome=created", other)).status).toBe(200);
  });

  it("shows what the partner sees, and changes nothing", async () => {
    expect((await view("payments?environment=test")).body.data).toHaveLength(3);
    expect((await view("keys")).body.data.length).toBeGreaterThan(0);
    for (const [path, method] of [
      ["keys", "POST"],
      ["webhooks/test/resume", "POST"],
      ["webhooks/test/secret", "POST"],
    ] as const)
      expect([path, (await ops(`partners/acme/view/partner/${path}`, { method, body: {} })).status]).toEqual([
        path,
        path === "keys" ? 405 : 404,
      ]);
    expect((await view("passkeys")).status).toBe(404);
    expect((await ops("partners/nobody/view/partner/payments")).status).toBe(403);
  });

  it("has no signature that a receiver would believe", async () => {
    await call("register-partner-notifications-webhook", { test_url: "http://sandbox.test:8788/inbox/view", client_token: "view" });
    const [{ event }] = (await view("deliveries?environment=test")).body.data;
    expect((await view(`deliveries/${event}`)).body.request).toMatchObject({ headers: null });
  });

  it("is for operators alone", async () => {
    expect(
      (await ops("partners/acme/view/partner/payments", { headers: { Authorization: "", "X-Partner-Api-Key": keys.acme } })).status,
    ).toBe(401);
  });
});
