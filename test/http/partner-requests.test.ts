import { afterEach, describe, expect, it } from "vitest";
import { refusedRequests } from "../../src/db/schema/index.ts";
import { type FieldTree, fieldsOf } from "../../src/http/fields.ts";
import { creations, withStatuses } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { KEPT_FIELDS } from "../../src/requests/redact-body.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keyFor, keys, LINK, link, PAYMENT, promotion, send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { DAY, pass, realTime } from "../support/later.ts";
import { ops } from "../support/ops.ts";
import { control } from "../support/stack.ts";
import { countOf, deleteRows, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** Partners look at their requests: what was created, and what was refused and why. */

const get = (path: string, key: string = keys.acme) => send(`/partner/${path}`, { headers: { "X-Partner-Api-Key": key } });
const idOf = (answer: { headers: Headers }) => answer.headers.get("X-Request-Id") ?? "";

/** What is kept of a request; it is written after the answer. */
async function kept(id: string) {
  await until(async () => expect(await countOf(refusedRequests, { id })).toBe(1));
  return (await get(`requests/${id}`)).body;
}

afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

describe("a refused request", () => {
  it("shows what was sent, what went wrong, the cure, and what a repeat does", async () => {
    const answer = await call(
      CART,
      cart({ items: [{ stripe_product_id: "prod_none", unit_amount: 1900, quantity: 1 }], client_token: "my-token" }),
    );
    expect(await kept(idOf(answer))).toEqual({
      request: idOf(answer),
      at: expect.any(String),
      operation: CART,
      outcome: "refused",
      code: "PRODUCT_NOT_FOUND",
      message: "There is no product prod_none.",
      field: "items[0].stripe_product_id",
      cure: "Check the product id; details names the item.",
      repeat: "After the correction, with the same token.",
      repeat_ru: null,
      state: null,
      key: null,
      result_ids: {},
      summary: {
        en: expect.stringMatching(
          /was refused \(.*\): There is no product prod_none\. Correct that, and send it again under the same token or key\.$/,
        ),
        ru: expect.any(String),
      },
      body: { items: [{ stripe_product_id: "prod_none", unit_amount: 1900, quantity: 1 }], client_token: "my-token" },
    });
    const { body } = await get(`requests?outcome=refused&operation=${CART}`);
    expect(body.data).toContainEqual(expect.objectContaining({ request: idOf(answer), code: "PRODUCT_NOT_FOUND", created: null }));
  });

  it.each([
    ["of operation 1", () => callV1(LINK, link({ stripe_product_id: "prod_none" })), "product_not_found"],
    ["of operation 2", () => callV1(CODE, promotion({ percent_off: 500 })), "invalid_input"],
    ["of a query", () => call(PAYMENT, { payment_intent_id: "pi_none" }), "PAYMENT_NOT_FOUND"],
    ["of a missing permission", () => call(CART, cart(), keyFor("balance_view")), "PERMISSION_DENIED"],
    [
      "with a real status",
      () =>
        send("/webhook/cancel_subscription_at_period_end?subscription_id=sub_none", {
          method: "POST",
          headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": keys.acme },
          body: "cancel_at_period_end=true",
        }),
      expect.any(String),
    ],
  ])("%s is kept, without the key", async (_what, refuse, code) => {
    const answer = await refuse();
    const entry = await kept(idOf(answer));
    expect(entry).toMatchObject({ outcome: "refused", code });
    expect(JSON.stringify(await rowsOf(refusedRequests, { id: idOf(answer) }))).not.toContain(keys.acme);
  });

  it("that the bank or the processor failed is kept with its outcome and the state of its token", async () => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 9, kind: "http_400" });
    const answer = await call(CART, cart({ client_token: "upstream-failed" }));
    const entry = await kept(idOf(answer));
    expect(entry).toMatchObject({ code: "INTEGRATION_UPSTREAM_ERROR", outcome: "refused", state: "failed", key: "upstream-failed" });
    expect(entry.repeat).toContain("PREVIOUS_ATTEMPT_FAILED");
  });

  it("keeps no personal value and no secret, wherever it was written", async () => {
    const personal = ["person@example.com", "+7 912 345-67-89", "4242424242424242", "whsec_test_0123456789abcdef", "Ivan Petrov"];
    const [mail = "", phone = "", card = "", secret = "", called = ""] = personal;
    const answers = [
      await call(BANK, bankCart({ items: [], customer_email: mail, customer_phone: phone, customer: { name: called } })),
      await call(CART, cart({ items: [], note: `${mail} ${phone} ${card} ${secret}`, [mail]: 1 })),
      await call(CART, cart({ [called]: phone })),
      await call(CART, cart({ items: [{ stripe_product_id: "prod_none", unit_amount: 1, quantity: 1, [called]: 1 }] })),
      await callV1(LINK, link({ stripe_product_id: `for ${mail}`, webhook_secret: secret, buyer: { full_name: called, tags: [called] } })),
    ];
    for (const answer of answers) {
      await kept(idOf(answer));
      const [row] = await rowsOf(refusedRequests, { id: idOf(answer) });
      for (const value of personal) expect(JSON.stringify(row)).not.toContain(value);
    }
    const [first] = await rowsOf(refusedRequests, { id: idOf(answers[0] as { headers: Headers }) });
    expect(JSON.parse(String(first?.body))).toMatchObject({
      customer_email: "(left out)",
      customer: { name: "(left out)" },
      environment: "test",
    });
  });

  it.each([
    ["metadata", { fio: "Ivan Petrov", passport: "4510 123456" }],
    ["tel", "79161234567"],
    ["pan", 4_111_111_111_111_111],
    ["quantity", 4_111_111_111_111_111],
    ["access_token", "eyJhbGciOiJIUzI1NiJ9.e30.abc"],
    ["auth", "Basic 0123456789=="],
    ["client_token", "a0000000-0000-4000-8000-000000000001"],
    ["abcdef12-1111-4222-8333-abcdefabcdef", 1],
    ["sk_live_0123456789abcdef", 1],
  ])("keeps of a field %s no value that could be a person's or a secret", async (name, value) => {
    const answer = await call(CART, cart({ items: [], [name]: value }));
    await kept(idOf(answer));
    const [row] = await rowsOf(refusedRequests, { id: idOf(answer) });
    const values = typeof value === "object" ? Object.values(value) : [String(value)];
    for (const one of values.filter((each) => each !== "1")) expect(JSON.stringify(row)).not.toContain(one);
    if (value === 1) expect(JSON.stringify(row)).not.toContain(name);
  });

  it("keeps the values of all fields that the operations have, but for addresses, phones, texts and URLs", () => {
    const names = new Set<string>();
    const walk = ({ fields }: FieldTree) => {
      for (const [name, inner] of fields) {
        names.add(name);
        walk(inner);
      }
    };
    for (const { input } of [...operations, ...creations, ...withStatuses]) walk(fieldsOf(input));
    for (const { query } of withStatuses) walk(fieldsOf(query));
    const leftOut = ["customer_email", "customer_phone", "description", "fail_url", "live_url", "success_url", "test_url"];
    expect([...KEPT_FIELDS, ...leftOut].toSorted()).toEqual([...names].toSorted());
  });

  it("without a partner, over a limit, or unreadable is kept as far as it can be: nothing, nothing, and no body", async () => {
    const before = await countOf(refusedRequests);
    await call(CART, cart(), crypto.randomUUID());
    await call(CART, cart(), null);
    expect(await countOf(refusedRequests)).toBe(before);
    const answer = await send(`/${CART}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme },
      body: JSON.stringify({ items: Array.from({ length: 600 }, () => ({ stripe_product_id: "prod_none" })) }),
    });
    expect((await kept(idOf(answer))).body).not.toBe(undefined);
  });

  it("is one of 200 a day and partner; another partner and another day have their own", async () => {
    await deleteRows(refusedRequests);
    const answer = await call(PAYMENT, { payment_intent_id: "pi_none" });
    await kept(idOf(answer));
    const [row] = await rowsOf(refusedRequests, { id: idOf(answer) });
    const { connectCell } = await import("../../src/db/client.ts");
    const { insertRefusal } = await import("../../src/requests/store.ts");
    const { cellOf } = await import("../support/cells.ts");
    const db = connectCell(cellOf("acme"));
    const again = (id: number, partnerId = "acme", at = Number(row?.at)) =>
      insertRefusal(db, { partnerId, at, id: String(id), operation: PAYMENT, code: "X", message: "", field: null, body: "" });
    const keptOnes = [];
    for (let count = 2; count <= 201; count += 1) keptOnes.push(await again(count));
    expect(keptOnes.filter(Boolean)).toHaveLength(199);
    expect(keptOnes.at(-1)).toBe(false);
    expect(await again(500, "globex")).toBe(true);
    expect(await again(501, "acme", Number(row?.at) + DAY)).toBe(true);
    await deleteRows(refusedRequests);
  });

  it("is kept for seven days", async () => {
    const answer = await call(PAYMENT, { payment_intent_id: "pi_none" });
    await kept(idOf(answer));
    await updateRows(refusedRequests, { at: Date.now() - 7 * DAY + 60_000 }, { id: idOf(answer) });
    await cron();
    expect(await countOf(refusedRequests, { id: idOf(answer) })).toBe(1);
    pass(2 * 60_000);
    await cron();
    expect(await countOf(refusedRequests, { id: idOf(answer) })).toBe(0);
  });
});

describe("what all partners were refused", () => {
  it("is listed for operators by code, operation, partner and time, newest first, page by page", async () => {
    await deleteRows(refusedRequests);
    const first = await call(PAYMENT, { payment_intent_id: "pi_none" });
    await kept(idOf(first));
    const other = await call(PAYMENT, { payment_intent_id: "pi_none" }, keys.globex);
    await until(async () => expect(await countOf(refusedRequests, { id: idOf(other) })).toBe(1));
    const cartOf = await call(CART, cart({ items: [{ stripe_product_id: "prod_none", unit_amount: 1900, quantity: 1 }] }));
    await kept(idOf(cartOf));
    const listed = async (query = "") => (await ops(`requests${query}`)).body.data.map(({ request }: { request: string }) => request);
    expect(await listed()).toEqual([cartOf, other, first].map(idOf));
    expect((await ops("requests?code=PRODUCT_NOT_FOUND")).body.data).toMatchObject([
      {
        request: idOf(cartOf),
        partner_id: "acme",
        operation: CART,
        code: "PRODUCT_NOT_FOUND",
        cure: "Check the product id; details names the item.",
      },
    ]);
    expect(await listed(`?operation=${PAYMENT}`)).toEqual([other, first].map(idOf));
    expect(await listed("?partner=globex")).toEqual([idOf(other)]);
    expect(await listed("?partner=acme")).toEqual([cartOf, first].map(idOf));
    const page = (await ops("requests?limit=2")).body;
    const rest = (await ops(`requests?limit=2&cursor=${page.next}`)).body;
    expect([...page.data, ...rest.data].map(({ request }) => request)).toEqual([cartOf, other, first].map(idOf));
    expect(rest.next).toBeNull();
    const today = new Date().toISOString().slice(0, 10);
    expect(await listed(`?since=${today}&until=${today}`)).toHaveLength(3);
    expect(await listed("?until=2020-01-01")).toEqual([]);
    expect(await listed("?since=2999-01-01")).toEqual([]);
    expect((await ops("requests?operation=none")).status).toBe(400);
    expect((await ops("requests?partner=nobody")).status).toBe(404);
  });
});

describe("what was created", () => {
  it("is listed with refusals, newest first, page by page, each once", async () => {
    const since = new Date().toISOString();
    const made = [
      idOf(await callV1(LINK, link())),
      idOf(await callV1(CODE, promotion())),
      idOf(await call(CART, cart())),
      idOf(await call(BANK, bankCart())),
    ];
    const refused = idOf(await call(PAYMENT, { payment_intent_id: "pi_none" }));
    await kept(refused);
    const found: { request: string; outcome: string; operation: string; created: string | null; repeat: string }[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await get(`requests?environment=test&since=${since}&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(body.data.length).toBeLessThanOrEqual(2);
      found.push(...body.data);
      cursor = body.next;
    }
    expect(found.map(({ request }) => request)).toEqual([refused, ...made.toReversed()]);
    expect(found.map(({ outcome }) => outcome)).toEqual(["refused", "created", "created", "created", "created"]);
    expect(found.at(-1)).toMatchObject({
      operation: LINK,
      created: expect.stringMatching(/^plink_/),
      repeat: expect.stringContaining("same result"),
    });
    const only = async (query: string) => {
      const { data, count } = (await get(`requests?environment=test&since=${since}&${query}`)).body;
      return [data.map(({ request }: { request: string }) => request), count];
    };
    expect(await only("limit=1")).toEqual([[refused], 5]);
    expect(await only("outcome=created")).toEqual([made.toReversed(), 4]);
    expect(await only("outcome=refused")).toEqual([[refused], 1]);
    expect(await only("code=PAYMENT_NOT_FOUND")).toEqual([[refused], 1]);
    expect(await only("code=INVALID_INPUT")).toEqual([[], 0]);
    for (const [place, operation] of [LINK, CODE, CART, BANK].entries()) {
      expect(await only(`operation=${operation}`)).toEqual([[made[place]], 1]);
    }
    expect((await get(`requests?environment=live&since=${since}&outcome=created`)).body).toMatchObject({ data: [], count: 0 });
    expect((await get(`requests?environment=live&since=${since}`)).body.count).toBe(1);
    expect((await get(`requests?until=${since}&environment=test`)).body.count).toBe(
      (await get("requests?environment=test")).body.count - 5,
    );
  });

  it("is found behind many others of another kind", async () => {
    const since = new Date().toISOString();
    const old = idOf(await callV1(LINK, link()));
    for (let count = 0; count < 4; count += 1) await call(CART, cart());
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await get(
        `requests?environment=test&operation=${LINK}&since=${since}&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      found.push(...body.data.map(({ request }: { request: string }) => request));
      cursor = body.next;
    }
    expect(found).toEqual([old]);
  });

  it("whose attempt failed behind its link is no creation", async () => {
    const since = new Date().toISOString();
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.line_items", times: 99, kind: "http_500" });
    const failed = await call(CART, cart());
    realTime();
    expect(failed.body.success).toBe(false);
    const { body } = await get(`requests?environment=test&outcome=created&since=${since}`);
    expect(body.data.filter(({ outcome }: { outcome: string }) => outcome === "created")).toEqual([]);
  });

  it("is shown by its request id, with its key, its ids and the effect of a repeat", async () => {
    const answer = await call(CART, cart({ client_token: "shown-token" }));
    const { body, text } = await get(`requests/${idOf(answer)}`);
    expect(body).toMatchObject({
      outcome: "created",
      state: "completed",
      key: "shown-token",
      result_ids: { paymentLinkId: answer.body.payment_link_id },
      body: null,
    });
    expect(body.repeat).toContain("A repeat gives the same result");
    expect(body.repeat_ru).toContain("Повтор даёт тот же результат");
    expect(text).not.toContain("/checkout/");
  });

  it("is shown to operators too, by its id or by the one that the search found, and to no other partner", async () => {
    const answer = await call(CART, cart({ client_token: "shown-to-operators" }));
    const [found] = (await ops("find?q=shown-to-operators")).body.data;
    expect(found).toMatchObject({ kind: "request", partner_id: "acme" });
    for (const id of [idOf(answer), found.id]) {
      const { status, body } = await ops(`partners/acme/requests/${id}`);
      expect([status, body]).toMatchObject([200, { outcome: "created", key: "shown-to-operators" }]);
      expect((await ops(`partners/globex/requests/${id}`)).status).toBe(404);
      expect((await get(`requests/${id}`, keys.globex)).status).toBe(404);
    }
    const refused = await call(PAYMENT, { payment_intent_id: "pi_none" });
    await kept(idOf(refused));
    expect((await ops(`partners/acme/requests/${idOf(refused)}`)).body).toMatchObject({ outcome: "refused", code: "PAYMENT_NOT_FOUND" });
    expect((await ops(`story?q=${idOf(refused)}`)).body.entries).toMatchObject([
      {
        kind: "request",
        id: idOf(refused),
        says: `acme asked for ${PAYMENT}, which was refused.`,
        wrong: expect.stringMatching(/^PAYMENT_NOT_FOUND: /),
        command: `requests show acme ${idOf(refused)}`,
      },
    ]);
    expect((await ops("partners/nobody/requests/x")).status).toBe(404);
  });
});

describe("a key", () => {
  it("sees only requests of operations that it may call", async () => {
    const made = await call(CART, cart());
    const refused = await call(PAYMENT, { payment_intent_id: "pi_none" });
    await kept(idOf(refused));
    const seen = async (key: string) => (await get("requests?environment=test&limit=100", key)).text;
    expect(await seen(keyFor("balance_view"))).toContain(idOf(refused));
    expect(await seen(keyFor("balance_view"))).not.toContain(idOf(made));
    expect(await seen(keyFor("product_create"))).toContain(idOf(made));
    expect(await seen(keys.globex)).not.toContain(idOf(made));
    expect((await get(`requests/${idOf(made)}`, keyFor("balance_view"))).status).toBe(404);
    expect((await get(`requests/${idOf(made)}`, keys.globex)).status).toBe(404);
    expect((await get(`requests?operation=${CART}`, keyFor("balance_view"))).status).toBe(403);
    expect((await get("requests?operation=nothing")).status).toBe(400);
  });
});
