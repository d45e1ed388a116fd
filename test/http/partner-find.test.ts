import { beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/core/digest.ts";
import { bankPayments, disputes, events, movements, orders, payouts, statements } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keyFor, keys, LINK, link, promotion, REGISTER, send } from "../support/api.ts";
import type { Person } from "../support/authenticator.ts";
import { change } from "../support/ops.ts";
import { line, type Paid, quiet } from "../support/payments.ts";
import { signedIn } from "../support/people.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { deleteRows, fieldOf, insertRow, rowOf, rowsOf, updateRows } from "../support/tables.ts";

const TODAY = new Date().toISOString().slice(0, 10);

/** A partner finds what of its own anything belongs to that it can read. */

const find = async (q: string, key: string = keys.acme) =>
  (await send(`/partner/find?q=${encodeURIComponent(q)}`, { headers: { "X-Partner-Api-Key": key } })).body.data as {
    kind: string;
    id: string;
    environment: string | null;
    title: string | null;
    state: string | null;
    amount: number | null;
  }[];
const ids = async (q: string, key?: string) => (await find(q, key)).map(({ kind, id }) => `${kind} ${id}`);

let made: { payment_link_id: string; short_url: string };
let request = "";
let paid: Paid;
let subscription = "";
let code: { stripe_promotion_code_id: string };
let bank: { order_id: string };
beforeAll(async () => {
  const answer = await call(CART, cart({ items: [{ ...line("TestUsd1"), unit_amount: 77_31 }], client_token: "token-of-find" }));
  made = answer.body;
  request = answer.headers.get("X-Request-Id") ?? "";
  paid = await control<Paid>("/pay", { short_url: made.short_url, client_reference_id: "ORDER_2041_Find", email: "found@shop.example" });
  const monthly = (await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }))).body;
  ({ subscription } = await control<{ subscription: string }>("/pay", { short_url: monthly.short_url }));
  code = (await callV1(CODE, promotion({ code: "SEARCH", stripe_product_ids: ["prod_acmeTestUsd1"] }))).body;
  bank = (await call(BANK, bankCart({ external_order_id: "bank-of-find" }))).body;
  await quiet();
  await updateRows(orders, { customer_name: "Greta Found" }, { id: paid.payment_intent });
});

describe("an order is found by", () => {
  it.each([
    ["its payment", () => paid.payment_intent],
    ["its payment with the prefix in capitals", () => paid.payment_intent.replace("pi_", "PI_")],
    ["its order reference", () => "ORDER_2041_Find"],
    ["its customer's address in any case", () => "Found@Shop.example"],
    ["its customer's name in any case", () => "greta FOUND"],
    ["the beginning of its customer's name", () => "Greta"],
    ["what was charged", () => "77.31"],
    ["what was charged, with a comma", () => " 77,31 "],
    ["what was charged, as a page shows it", () => "$77.31 USD"],
    ["what was charged, as a Russian page shows it", () => "77,31\u00a0$\u00a0USD"],
  ])("%s", async (_name, q) => {
    expect(await find(q())).toContainEqual({
      kind: "order",
      id: paid.payment_intent,
      environment: "test",
      title: "found@shop.example",
      state: "paid",
      currency: "USD",
      amount: 77.31,
      at: expect.any(String),
      summary: { en: expect.stringContaining("Paid $77.31 for acmeTestUsd1"), ru: expect.stringContaining("Оплачено 77,31") },
    });
  });

  it("its ids, and its reference, in any case, where nothing has them as they are typed", async () => {
    for (const q of [paid.payment_intent.toUpperCase(), "order_2041_find", "ORDER_2041_FIND"])
      expect([q, await ids(q)]).toEqual([q, [`order ${paid.payment_intent}`]]);
    expect(await ids(paid.payment_intent.toUpperCase(), keys.globex)).toEqual([]);
    // An id may have no digit.
    await updateRows(orders, { client_reference_id: "Order_of_Greta" }, { id: paid.payment_intent });
    expect(await ids("ORDER_OF_GRETA")).toEqual([`order ${paid.payment_intent}`]);
    await updateRows(orders, { client_reference_id: "ORDER_2041_Find" }, { id: paid.payment_intent });
    // A part of one is not an id.
    expect(await ids("ORDER_2041_FIN")).toEqual([]);
  });

  it("a name in the case of its letters that people write, although the database knows Latin letters alone", async () => {
    for (const stored of ["Иван Петров", "ИВАН ПЕТРОВ", "иван петров"]) {
      await updateRows(orders, { customer_name: stored }, { id: bank.order_id });
      for (const q of ["иван петров", "Иван", "ИВАН"]) expect([stored, await ids(q)]).toEqual([stored, [`order ${bank.order_id}`]]);
    }
    // Two letters begin too many names.
    expect(await ids("Ив")).toEqual([]);
  });

  it("says that a refund failed, as its page does", async () => {
    const failing = await control<Paid>("/pay", { short_url: made.short_url, client_reference_id: "refund-of-find" });
    await control("/refund", { payment_intent: failing.payment_intent, fail: true });
    await quiet();
    const [found] = (await find("refund-of-find")) as unknown as { summary: { en: string } }[];
    expect(found?.summary.en).toContain("A refund of $77.31 failed");
  });

  it("the amount of a refund in part, and of all that was refunded, by its owner alone", async () => {
    const refunded = await control<Paid>("/pay", { short_url: made.short_url });
    for (const amount of [1_17, 2_19]) await control("/refund", { payment_intent: refunded.payment_intent, amount });
    await quiet();
    for (const q of ["1.17", "2.19", "3.36"]) expect([q, await ids(q)]).toEqual([q, [`order ${refunded.payment_intent}`]]);
    for (const q of ["1.17", "3.36"]) expect(await ids(q, keys.globex)).toEqual([]);
  });

  it("the amount that a customer was given back in another currency than the account's", async () => {
    const [movement] = await rowsOf(movements, { payment_intent_id: paid.payment_intent, type: "processor_payment_in" });
    await updateRows(movements, { charged_amount: 417_13, charged_currency: "BRL" }, { id: movement?.id });
    expect(await ids("417.13")).toEqual([`order ${paid.payment_intent}`]);
    await updateRows(
      movements,
      { charged_amount: movement?.charged_amount, charged_currency: movement?.charged_currency },
      { id: movement?.id },
    );
  });

  it("zero where nothing was charged, and not where nothing was refunded", async () => {
    expect(await ids("0.00")).toEqual([`order ${bank.order_id}`]);
  });

  it("a reference that is a number before all that cost as much", async () => {
    const { id: _, ...row } = (await rowOf(orders, { id: paid.payment_intent })) ?? expect.fail("the order is not there");
    const same = Array.from({ length: 25 }, (_one, index) => `pi_samePrice${String(index).padStart(2, "0")}`);
    for (const id of same)
      await insertRow(orders, { ...row, id, charged: 555_00, client_reference_id: id, created_at: row.created_at + 1 });
    await updateRows(orders, { client_reference_id: "555" }, { id: paid.payment_intent });
    const found = await ids("555");
    expect(found[0]).toBe(`order ${paid.payment_intent}`);
    expect(found.length).toBeGreaterThan(10);
    await updateRows(orders, { client_reference_id: "ORDER_2041_Find" }, { id: paid.payment_intent });
    for (const id of same) await deleteRows(orders, { id });
  });

  it("the number, or the sign, of a fiscal receipt, and no other of its numbers", async () => {
    const receipt = { kind: "payment", fn: "9960440300000001", document: "40217", sign: "3120456789", register: "0000000000012345" };
    await updateRows(bankPayments, { receipts: JSON.stringify([receipt]) }, { order_id: bank.order_id });
    for (const q of [receipt.document, receipt.sign]) expect([q, await ids(q)]).toEqual([q, [`order ${bank.order_id}`]]);
    for (const q of [receipt.fn, receipt.register, "4021", "3120456780"]) expect([q, await ids(q)]).toEqual([q, []]);
    expect(await ids(receipt.document, keys.globex)).toEqual([]);
    await updateRows(bankPayments, { receipts: null }, { order_id: bank.order_id });
  });

  it("the order number, or the id, of a ruble payment", async () => {
    expect(await ids("bank-of-find")).toContain(`order ${bank.order_id}`);
    expect(await ids(bank.order_id)).toContain(`order ${bank.order_id}`);
  });
});

describe("an amount finds", () => {
  const kinds = async (q: string, key?: string) => new Set((await find(q, key)).map(({ kind }) => kind));

  it("links by what they cost, and products by their price", async () => {
    expect(await ids("$77.31")).toContain(`payment_link ${made.payment_link_id}`);
    expect(await ids("$19.00")).toEqual(expect.arrayContaining(["product card_acmeTestUsd1", "product card_acmeLiveUsd1"]));
    expect(await kinds("77.31", keys.globex)).toEqual(new Set());
  });

  it("subscriptions by the price of a period", async () => {
    expect(await ids("9")).toContain(`subscription ${subscription}`);
    expect(await ids("9.01")).toEqual([]);
    expect(await ids("9.00", keys.globex)).not.toContain(`subscription ${subscription}`);
  });

  it("the order of a dispute of a part, and of a ruble payment that waits", async () => {
    await insertRow(disputes, {
      id: "dp_find",
      environment: "test",
      partner_id: "acme",
      payment_intent_id: paid.payment_intent,
      status: "needs_response",
      reason: "fraudulent",
      amount: 31_41,
      currency: "USD",
      created_at: 1,
      updated_at: 1,
    });
    expect(await ids("31.41")).toEqual([`order ${paid.payment_intent}`]);
    const asked = await rowOf(bankPayments, { order_id: bank.order_id }, ["amount_kopecks"]);
    expect(await ids((Number(asked?.amount_kopecks) / 100).toFixed(2))).toContain(`order ${bank.order_id}`);
    // A currency without decimals is found by the number that is shown.
    await updateRows(disputes, { currency: "JPY", amount: 4_321 }, { id: "dp_find" });
    expect([await ids("4321"), await ids("¥4 321"), await ids("43.21")]).toEqual([
      [`order ${paid.payment_intent}`],
      [`order ${paid.payment_intent}`],
      [],
    ]);
    await deleteRows(disputes, { id: "dp_find" });
  });

  it("the statement of a month that is open", async () => {
    const at = Date.parse(TODAY);
    const terms = {
      partner_id: "globex",
      currency: "USD",
      amount: 57_19,
      paid_at: at,
      date: TODAY,
      bank_reference: "OPEN-MONTH",
      state: "recorded",
    };
    const approved = { entered_by: "a", created_at: at, approved_by: "b", approved_at: at };
    await insertRow(payouts, { ...terms, ...approved, id: "po_of_open_month" });
    const [open] = (await find("57.19", keys.globex)).filter(({ kind }) => kind === "statement");
    expect(open).toMatchObject({ id: `open_USD_${TODAY.slice(0, 7)}`, state: "open" });
    expect(await ids("57.19", keys.globex)).toContain("payout po_of_open_month");
    expect(await ids(`OPEN_USD_${TODAY.slice(0, 7)}`, keys.globex)).toContain(`statement ${open?.id}`);
    await deleteRows(payouts, { id: "po_of_open_month" });
  });
});

describe("other objects are found", () => {
  it("a link by its id, its short address, its slug and its token", async () => {
    for (const q of [
      made.payment_link_id,
      made.short_url,
      made.short_url.replace(/^.*\//, ""),
      made.short_url.replace(/^https?:\/\//, ""),
      new URL(made.short_url).pathname,
    ])
      expect(await find(q)).toContainEqual(
        expect.objectContaining({ kind: "payment_link", id: made.payment_link_id, title: "acmeTestUsd1", state: "open", amount: 77.31 }),
      );
  });

  it("a link, a subscription and a product by their ids in any case, and no other partner's", async () => {
    for (const [id, found] of [
      [made.payment_link_id, `payment_link ${made.payment_link_id}`],
      [made.short_url.replace(/^.*\//, ""), `payment_link ${made.payment_link_id}`],
      [subscription, `subscription ${subscription}`],
      ["prod_acmeTestUsd1", "product card_acmeTestUsd1"],
      ["card_acmeTestUsd1", "product card_acmeTestUsd1"],
    ] as const) {
      const other = id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase();
      expect([other, await ids(other)]).toEqual([other, expect.arrayContaining([found])]);
      expect([other, await ids(other, keys.globex)]).toEqual([other, []]);
    }
  });

  it("a product by its ids, and by a part of its name in any case", async () => {
    for (const q of ["prod_acmeTestUsd1", "PROD_acmeTestUsd1", "acmeTestUsd1".toLowerCase()])
      expect(await find(q)).toContainEqual(
        expect.objectContaining({ kind: "product", title: "acmeTestUsd1", environment: "test", state: "approved", amount: 19 }),
      );
    expect(await ids("1001")).toContain("product 1001");
  });

  it("a code by its text in any case, and by its id", async () => {
    for (const q of ["search", code.stripe_promotion_code_id])
      expect(await find(q)).toContainEqual(
        expect.objectContaining({
          kind: "promotion_code",
          id: code.stripe_promotion_code_id,
          title: expect.stringMatching(/^SEARCH · \d+ %$/),
          state: "active",
        }),
      );
  });

  it("a subscription, an event, a request and a key by their ids", async () => {
    expect(await ids(subscription)).toContain(`subscription ${subscription}`);
    await updateRows(orders, { customer_name: "Monthly Customer", email: "monthly@shop.example" }, { subscription_id: subscription });
    for (const q of ["Monthly Customer", "MONTHLY@shop.example"]) expect(await ids(q)).toContain(`subscription ${subscription}`);
    expect(await ids("monthly@shop.example", keys.globex)).toEqual([]);
    const event = await fieldOf(events, "id", { partner_id: "acme" });
    expect(await ids(String(event).toUpperCase())).toContain(`event ${String(event)}`);
    expect(await ids(request.toUpperCase())).toContain(`request ${request}`);
    expect(await ids("token-of-find")).toContain(`request ${request}`);
    expect(await ids("key_a1")).toContain("key key_a1");
  });

  it("nothing by what is of nothing", async () => {
    expect(await find("nothing-of-this")).toEqual([]);
    expect((await send("/partner/find?q=%20", { headers: { "X-Partner-Api-Key": keys.acme } })).status).toBe(400);
  });
});

it("another partner finds none of it", async () => {
  const words = [
    paid.payment_intent,
    "ORDER_2041_Find",
    "found@shop.example",
    "Greta Found",
    "token-of-find",
    "77.31",
    made.payment_link_id,
    made.short_url,
    "prod_acmeTestUsd1",
  ];
  const more = ["acmeTestUsd1", "1001", "SEARCH", code.stripe_promotion_code_id, subscription, bank.order_id, request, "key_a1"];
  for (const q of [...words, ...more]) expect([q, await find(q, keys.globex)]).toEqual([q, []]);
});

it("a key finds what its permissions let it read, and nothing else", async () => {
  const key = keyFor("products_view");
  expect(await ids(paid.payment_intent, key)).toEqual([]);
  expect(await ids("found@shop.example", key)).toEqual([]);
  expect(await ids("Greta", key)).toEqual([]);
  expect(await ids(made.payment_link_id, key)).toEqual([`payment_link ${made.payment_link_id}`]);
  expect(await ids("key_a1", key)).toEqual([]);
  // Money is behind an id of the processor, which is not asked for it.
  const before = (await control<unknown[]>("/requests?target=processor")).length;
  expect(await ids("re_0123456789abcdef01234567", key)).toEqual([]);
  expect((await control<unknown[]>("/requests?target=processor")).length).toBe(before);
  expect(await ids(request, key)).toEqual([]);
});

describe("what an account has is found", () => {
  it("a key by its last characters, by its owner alone", async () => {
    const { key_id, hint } = (await send("/partner/keys?limit=1", { headers: { "X-Partner-Api-Key": keys.acme } })).body.data[0];
    expect(await ids(`…${hint}`)).toContain(`key ${key_id}`);
    expect(await ids(hint.toUpperCase())).toContain(`key ${key_id}`);
    expect(await ids(hint, keys.globex)).not.toContain(`key ${key_id}`);
  });

  it("a closed statement by its id and by each of its sums, and no other partner's", async () => {
    const sums = { opening: 0, payments: 88_101, refunds: -88_102, disputes: -88_103, fees: 88_104, terms: -88_105, payouts: -88_106 };
    const row = { month: "2026-10", currency: "USD", time_zone: "UTC", until: 1, booked_until: 1, closing: 88_107, lines: 9, closed_at: 1 };
    await insertRow(statements, { ...row, ...sums, id: "st_found", partner_id: "acme", number: 901 });
    await insertRow(statements, { ...row, ...sums, id: "st_foreign", partner_id: "globex", number: 901 });
    for (const q of ["st_found", "881.01", "-$881.02", "−881,03 $", "$881.04", "-881.05 USD", "881.06", "881.07"])
      expect([q, (await find(q)).map(({ id }) => id)]).toEqual([q, ["st_found"]]);
    expect(await find("st_foreign")).toEqual([]);
    await insertRow(statements, { ...row, ...sums, id: "st_yen", partner_id: "acme", number: 902, currency: "JPY" });
    expect((await find("88 101")).map(({ id }) => id)).toEqual(["st_yen"]);
    // Each statement has a sum of zero somewhere.
    expect((await find("0.00")).filter(({ kind }) => kind === "statement")).toEqual([]);
  });

  it("a payout by its id and by the bank's reference, and no other partner's", async () => {
    const terms = { currency: "USD", amount: 12.43, date: "2026-11-02", bank_reference: "BANK-REF-OF-FIND" };
    const { id } = (await change("partners/acme/payouts", terms)).body;
    for (const q of [id, "BANK-REF-OF-FIND", "12.43"])
      expect(await find(q)).toContainEqual(expect.objectContaining({ kind: "payout", id, amount: 12.43, title: "BANK-REF-OF-FIND" }));
    for (const q of ["BANK-REF-OF-FIND", "12.43"]) expect(await ids(q, keys.globex)).toEqual([]);
    expect(await ids("12.42")).toEqual([]);
    const yen = { ...terms, currency: "JPY", amount: 71_250, bank_reference: "YEN-REF" };
    const { id: inYen } = (await change("partners/acme/payouts", yen)).body;
    for (const q of ["71250", "-71 250 JPY"]) expect([q, await ids(q)]).toEqual([q, [`payout ${inYen}`]]);
    expect(await ids("712.50")).toEqual([]);
  });

  it("a person by id and by a part of the name, and no other partner's", async () => {
    expect(await ids("EMP_acme_owner")).toEqual(["person emp_acme_owner"]);
    expect(await ids("acme's OWN")).toEqual(["person emp_acme_owner"]);
    expect(await ids("Acme's owner", keys.globex)).toEqual([]);
    expect(await ids("emp_acme_owner", keys.globex)).toEqual([]);
  });

  it("what a request changed, by the request's id", async () => {
    const { headers, body } = await send("/partner/keys", {
      method: "POST",
      headers: { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" },
      body: JSON.stringify({ label: "Found by its request", permissions: ["balance_view"] }),
    });
    expect(await ids(headers.get("X-Request-Id") ?? "")).toContain(`change ${body.key_id}`);
    expect(await ids(headers.get("X-Request-Id") ?? "", keys.globex)).toEqual([]);
  });
});

it("a partner's timeline is told in both languages, each entry with its problem", async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/told` });
  const told = async (q: string) => {
    const answer = await send(`/partner/story?q=${encodeURIComponent(q)}`, { headers: { "X-Partner-Api-Key": keys.acme } });
    return answer.body.data as { kind: string; says: string; wrong: string | null; ru: { says: string; wrong: string | null } | null }[];
  };
  const entries = [...(await told(paid.payment_intent)), ...(await told(subscription)), ...(await told(bank.order_id))];
  expect(new Set(entries.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);
  for (const { says, wrong, ru } of entries) {
    expect([says, ru?.says]).toEqual([says, expect.stringMatching(/[а-яё]/i)]);
    expect([wrong === null, ru?.wrong === null]).toEqual([wrong === null, wrong === null]);
    if (wrong !== null) expect([wrong, ru?.wrong]).toEqual([wrong, expect.stringMatching(/[а-яё]/i)]);
  }
});

it("finds a key that was pasted by its hash, for an owner of its partner alone, and never shows it", async () => {
  const hash = await sha256Hex(keys.acme);
  const found = async (person: Person, q: string) => (await person.get(`find?q=${q}`)).body.data as { kind: string; id: string }[];
  const [owner, other, foreign] = [await signedIn(["owner"]), await signedIn(["products_view"]), await signedIn(["owner"], "globex")];
  const [key, ...more] = await found(owner, hash);
  expect([key?.kind, more]).toEqual(["key", []]);
  expect(await found(owner, key?.id ?? "")).toEqual([key]);
  expect(JSON.stringify(key)).not.toContain(keys.acme);
  for (const person of [other, foreign]) expect(await found(person, hash)).toEqual([]);
});
