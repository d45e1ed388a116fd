import { afterEach, describe, expect, it } from "vitest";
import { bankPayments, events, movements, promotionCodes } from "../../src/db/schema/index.ts";
import { sweepBalanceTransactions } from "../../src/ledger/reconcile.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keys, promotion } from "../support/api.ts";
import { deliver, notification, openPayment } from "../support/bank.ts";
import { cellDeps } from "../support/cells.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { change, ops } from "../support/ops.ts";
import { type Paid, pay, quiet } from "../support/payments.ts";
import { control, objects } from "../support/stack.ts";
import { rowOf, updateRows } from "../support/tables.ts";

afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
  await control("/events", { environment: "test", hold: false });
});

const answerOf = async (q: string) => (await ops(`find?q=${encodeURIComponent(q)}`)).body;
const named = ({ kind, id, partner_id, environment }: Record<string, any>) => ({ kind, id, partner_id, environment });
/** What is found, without what is said of it. */
const find = async (q: string) => (await answerOf(q)).data.map(named);

describe("what people quote is found, with its partner and its environment", () => {
  it("the bank's id of a payment, our order's, and the partner's order number", async () => {
    const { order_id } = (await call(BANK, bankCart({ external_order_id: "quoted-by-bank" }))).body;
    const { bank_payment_id } = (await rowOf(bankPayments, { order_id })) as Record<string, any>;
    for (const q of [bank_payment_id, order_id, "quoted-by-bank"]) {
      expect(await find(q)).toEqual([{ kind: "bank_order", id: order_id, partner_id: "acme", environment: "test" }]);
    }
  });

  it("an order at the bank that a notification alone names", async () => {
    const payment = await openPayment();
    const body = await notification({ ...payment, order_id: "not-of-ours" }, "CONFIRMED");
    await deliver(body);
    expect(await find("not-of-ours")).toEqual([{ kind: "bank_order", id: "not-of-ours", partner_id: null, environment: "test" }]);
    const { entries } = (await ops("story?q=not-of-ours")).body;
    expect(entries).toMatchObject([
      { kind: "bank_notification", wrong: expect.stringContaining("not applied"), command: "bank-notifications waiting" },
    ]);
  });

  it("a buyer's address", async () => {
    const paid = await pay(["TestUsd1"], { email: "quoted@shop.example" });
    await quiet();
    for (const q of ["quoted@shop.example", "Quoted@Shop.example"]) {
      expect(await find(q)).toEqual([{ kind: "payment", id: paid.payment_intent, partner_id: "acme", environment: "test" }]);
    }
  });

  it("a promotion code's coupon", async () => {
    const made = (await callV1(CODE, promotion({ code: "QUOTED10" }))).body;
    const { coupon_id } = (await rowOf(promotionCodes, { code: "QUOTED10" })) as Record<string, any>;
    expect(await find(coupon_id)).toMatchObject([{ kind: "promotion_code", id: made.stripe_promotion_code_id, partner_id: "acme" }]);
  });

  it("a price of the processor's, by its product", async () => {
    await pay(["TestUsd1"]);
    const { id = "" } = (await objects("prices")).findLast(({ product }) => product === "prod_acmeTestUsd1") ?? {};
    expect(await find(id)).toEqual([{ kind: "product", id: "card/card_acmeTestUsd1", partner_id: "acme", environment: "test" }]);
    expect(await find("price_none")).toEqual([]);
  });

  it("an import of products", async () => {
    const csv = "partner_id,kind,environment,name,type,currency,unit_amount\nacme,card,test,Quoted,one_time,USD,500\n";
    const { import_id } = (await ops("imports/products", { method: "POST", body: csv, headers: { "Content-Type": "text/csv" } })).body;
    expect(await find(import_id)).toEqual([{ kind: "product_import", id: import_id, partner_id: "acme", environment: null }]);
  });

  it("a product's name or a part of it, in capitals or not, in any script", async () => {
    const ruble = { kind: "ruble", name: "Закатный курс", unit_amount: 90_000, terminal: "first", vat: "none" };
    const { id } = (await change("partners/acme/products", ruble)).body;
    for (const q of ["Закатный курс", "закатный", "КУРС"]) {
      const found = await find(q);
      expect(found).toContainEqual({ kind: "product", id: `ruble/${id}`, partner_id: "acme", environment: null });
    }
    const card = { kind: "card", environment: "live", name: "Sunset course", type: "one_time", currency: "USD", unit_amount: 2_500 };
    const made = (await change("partners/acme/products", card)).body;
    expect(await find("SUNSET c")).toEqual([{ kind: "product", id: `card/${made.id}`, partner_id: "acme", environment: "live" }]);
    expect(await find("Su")).toEqual([]);
  });

  it("a slug or a code with one mistake in it, as a question", async () => {
    const { short_url_id: slug, payment_link_id: id } = (await call(CART, cart())).body;
    const code = (await callV1(CODE, promotion({ code: "MISTAKE7" }))).body;
    const wrong = `${slug.slice(0, 5)}${slug[5] === "a" ? "b" : "a"}${slug.slice(6)}`;
    for (const q of [wrong, `https://pay.example/${wrong}`, slug.slice(0, -1), `${slug}x`]) {
      const { data, did_you_mean } = await answerOf(q);
      expect([data, did_you_mean.map(named)]).toEqual([[], [{ kind: "payment_link", id, partner_id: "acme", environment: "test" }]]);
    }
    const isCode = { kind: "promotion_code", id: code.stripe_promotion_code_id, partner_id: "acme", environment: "test" };
    for (const q of ["MISTAKE8", "mistake", "MISTAKE77"]) expect(await answerOf(q)).toMatchObject({ data: [], did_you_mean: [isCode] });
    expect(await answerOf(slug)).toMatchObject({ data: [{ id }], did_you_mean: [] });
    expect((await answerOf("far-from-anything")).did_you_mean).toEqual([]);
  });

  it("a partner's name or a part of it, in capitals or not, in any script", async () => {
    expect((await change("partners", { id: "quoted-partner", name: "Лавка Заката" })).status).toBe(201);
    for (const q of ["Лавка Заката", "заката", "ЛАВКА"]) {
      expect(await find(q)).toEqual([{ kind: "partner", id: "quoted-partner", partner_id: "quoted-partner", environment: null }]);
    }
    expect(await find("за")).toEqual([]);
  });

  it("an address of the processor's dashboard, with or without its beginning", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const isPayment = [{ kind: "payment", id: paid.payment_intent, partner_id: "acme", environment: "test" }];
    for (const beginning of ["https://dashboard.stripe.com/test", "dashboard.stripe.com/acct_1/test"]) {
      expect(await find(`${beginning}/payments/${paid.payment_intent}`)).toEqual(isPayment);
    }
  });

  it("what it is called, its state, its amount and its time stand beside it", async () => {
    const made = (await call(CART, cart({ client_token: "said-of" }))).body;
    const code = (await callV1(CODE, promotion({ code: "QUOTED" }))).body;
    const paid = await control<Paid>("/pay", { short_url: made.short_url, email: "said@shop.example" });
    await quiet();
    const saidOf = async (q: string) => {
      const { kind, title, state, currency, amount, at } = (await answerOf(q)).data[0];
      expect(at === null || Date.parse(at) > 0).toBe(true);
      return [kind, title, state, currency, amount];
    };
    const price = (await ops(`payment-links/${made.payment_link_id}`)).body.amount;
    expect(await saidOf(made.short_url_id)).toEqual(["payment_link", expect.stringMatching(/./), "open", "USD", price]);
    expect(await saidOf(paid.payment_intent)).toEqual(["payment", "said@shop.example", "paid", "USD", price]);
    expect(await saidOf(code.stripe_promotion_code_id)).toEqual(["promotion_code", "QUOTED · 20 %", "active", null, null]);
    expect(await saidOf("acme")).toEqual(["partner", expect.stringMatching(/./), "active", null, null]);
    expect(await saidOf("prod_acmeTestUsd1")).toEqual(["product", expect.stringMatching(/./), "approved", "USD", 19]);
    const event = await rowOf(events, { cause: `payment.succeeded:processor:${paid.balance_transaction}` });
    expect(await saidOf(String(event?.id))).toEqual(["event", "Processor.payment.succeeded", event?.state, null, null]);
    const held = (await call(BANK, bankCart({ external_order_id: "said-by-bank" }))).body;
    expect(await saidOf(held.order_id)).toEqual(["bank_order", expect.stringMatching(/./), "pending", "RUB", 0]);
  });

  it("what is between the processor or the bank and us", async () => {
    const { id } = await control<{ id: string }>("/platform", { environment: "test", type: "payout", amount: -500, currency: "usd" });
    pass(2 * MINUTE);
    await sweepBalanceTransactions(cellDeps(), "test");
    expect((await answerOf(id)).data).toMatchObject([
      { kind: "platform_transaction", id, partner_id: null, environment: "test", title: "payout", amount: -5, currency: "USD" },
    ]);
    const date = "2026-10-31";
    const [terminal] = Object.keys(cellDeps().settings.bank.terminals.test);
    const fee = (await change("bank-fees", { terminal, amount: 7, date, document: "FOUND-1", environment: "test" })).body;
    expect((await answerOf(fee.id)).data).toMatchObject([{ kind: "platform_transaction", id: fee.id, amount: -7, currency: "RUB" }]);
    expect(await find("txn_none")).toEqual([]);
  });

  it("a movement whose payment is not known yet, by the id that waits for its partner", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const id = `processor:${paid.balance_transaction}`;
    for (const q of [id, paid.balance_transaction]) expect(await find(q)).toMatchObject([{ kind: "payment", id: paid.payment_intent }]);
    await updateRows(movements, { payment_intent_id: null, partner_id: null }, { id });
    for (const q of [id, paid.balance_transaction]) {
      expect(await find(q)).toEqual([expect.objectContaining({ kind: "movement", id, partner_id: null, environment: "test" })]);
    }
    expect((await ops(`story?q=${id}`)).body).toMatchObject({ found: [{ kind: "movement" }], summaries: [], entries: [] });
    await updateRows(movements, { payment_intent_id: paid.payment_intent, partner_id: "acme" }, { id });
  });

  it("what was copied with the sentence around it, and a product by the id that lists show", async () => {
    const { body } = await callV1(CODE, promotion({ code: "QUOTED1", idempotency_key: "quoted-1" }));
    const isCode = [expect.objectContaining({ kind: "promotion_code", id: body.stripe_promotion_code_id })];
    for (const q of ["QUOTED1.", "“QUOTED1”,", "(QUOTED1)", "«QUOTED1»", ' "QUOTED1"? ']) expect(await find(q)).toEqual(isCode);
    expect(await find("...")).toEqual([]);
    expect(await find("card/card_acmeTestUsd1")).toMatchObject([{ kind: "product", id: "card/card_acmeTestUsd1" }]);
    expect(await find("ruble/1001")).toEqual(expect.arrayContaining([expect.objectContaining({ kind: "product", id: "ruble/1001" })]));
  });

  it("keys by their last four characters, as lists show them", async () => {
    const hint = keys.acme.slice(-4);
    for (const q of [hint, hint.toUpperCase(), `…${hint}`, `...${hint}`]) {
      expect((await find(q)).filter(({ kind }: { kind: string }) => kind === "key")).not.toEqual([]);
    }
    expect((await find(`0${hint}`)).filter(({ kind }: { kind: string }) => kind === "key")).toEqual([]);
  });

  it("a payment and a refund that the processor has not reported are asked for there", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent });
    const isPayment = [{ kind: "payment", id: paid.payment_intent, partner_id: "acme", environment: "test" }];
    for (const q of [paid.payment_intent, paid.charge, refund]) expect(await find(q)).toEqual(isPayment);
    const { entries } = (await ops(`story?q=${paid.payment_intent}`)).body;
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: "look_up",
        wrong: expect.stringContaining("No event about it arrived"),
        command: `ledger refresh test ${paid.payment_intent}`,
      }),
    );
    expect((await ops(`story?q=${paid.payment_intent}`)).body.summaries).toEqual([
      {
        about: paid.payment_intent,
        summary: { en: expect.stringMatching(/^Nothing of this payment is recorded here/), ru: expect.any(String) },
        to_customer: null,
      },
    ]);
    expect(await find("pi_none")).toEqual([]);
    expect(JSON.stringify(entries)).not.toContain(keys.acme);
  });
});
