import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { bankPayments, idempotencyRecords, rubleProducts } from "../../src/db/schema/index.ts";
import { BANK, bankCart, call, keyFor, keys } from "../support/api.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { bankCalls, control, objects } from "../support/stack.ts";
import { countOf, deleteRows, rowOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

const line = (product_id: unknown, overrides: object = {}) => ({ product_id, quantity: 1, ...overrides });
const hundred = (count: number) => Array.from({ length: count }, (_, index) => line(1101 + index));

async function atTheBank(orderId: string) {
  const payments = (await objects("bank_payments")).filter(({ order_id }) => order_id === orderId);
  if (payments.length !== 1) throw new Error(`the bank holds ${payments.length} payments of this order`);
  return payments[0] as any;
}

// interface 9.9
describe("what it makes", () => {
  // interface G.10, 9.2, 9.8, 9.9
  it("a payment with a receipt line per item, summed by the server", async () => {
    const { status, body } = await call(
      BANK,
      bankCart({
        items: [line(1001), line(1002, { quantity: 2, unit_amount: 99_999 })],
        customer_phone: "+7 (903) 123-45-67",
        external_order_id: "Order_2041-a",
        success_url: "https://shop.example/thanks",
        fail_url: "https://shop.example/sorry",
      }),
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      environment: "test",
      payment_id: expect.any(Number),
      payment_url: expect.stringMatching(/^http:\/\/sandbox\.test:8788\/bank\/pay\//),
      sbp_url: expect.stringMatching(/^http:\/\/sandbox\.test:8788\/bank\/sbp\//),
      order_id: expect.stringMatching(/^[A-Za-z0-9-]{1,36}$/),
      amount_rub: 2499.98,
      amount_kopecks: 249_998,
      status: "NEW",
      line_item_count: 2,
      items: [
        { product_id: 1001, product_name: "Товар 1001", unit_amount: 50_000, quantity: 1, amount: 50_000 },
        { product_id: 1002, product_name: "Товар 1002", unit_amount: 99_999, quantity: 2, amount: 199_998 },
      ],
      duplicate: false,
    });
    expect(Number.isSafeInteger(body.payment_id)).toBe(true);
    expect(await atTheBank(body.order_id)).toMatchObject({
      livemode: false,
      terminal_key: "SandboxFirstDEMO",
      amount: 249_998,
      description: "Товар 1001 и ещё 1 товар",
      data: { ep_order: "Order_2041-a" },
      notification_url: "http://localhost:8787/ingest/bank",
      success_url: "https://shop.example/thanks",
      fail_url: "https://shop.example/sorry",
      receipt: {
        Email: "buyer@example.com",
        Phone: "+79031234567",
        Taxation: "usn_income",
        Items: [
          { Name: "Товар 1001", Price: 50_000, Quantity: 1, Amount: 50_000, Tax: "none" },
          { Name: "Товар 1002", Price: 99_999, Quantity: 2, Amount: 199_998, Tax: "none" },
        ],
      },
    });
    const row = await rowOf(bankPayments, { order_id: body.order_id });
    expect(row).toMatchObject({ id: body.payment_id, partner_id: "acme", status: "NEW", amount_kopecks: 249_998, sbp_url: body.sbp_url });
    const lines = body.items.map((item: Record<string, unknown>) => ({
      productId: item.product_id,
      unitAmount: item.unit_amount,
      quantity: item.quantity,
      amount: item.amount,
    }));
    expect(JSON.parse(row?.items)).toMatchObject(lines);
  });

  // interface 9.5
  it("a live payment unless a test one is asked for, each at its own terminal", async () => {
    const live = await call(BANK, bankCart({ environment: undefined }));
    expect(await atTheBank(live.body.order_id)).toMatchObject({ livemode: true, terminal_key: "SandboxFirst" });
    const second = await call(BANK, bankCart({ items: [line(1003)] }));
    expect(await atTheBank(second.body.order_id)).toMatchObject({ terminal_key: "SandboxSecondDEMO", receipt: { Taxation: "osn" } });
  });

  it.each([
    [999, null],
    [1000, "a link"],
    [100_000_000, "a link"],
    [100_000_001, null],
  ])("of %i kopecks with %s for the fast-payment system, by the bank's range", async (unit_amount, wanted) => {
    const { body } = await call(BANK, bankCart({ items: [line(1001, { unit_amount })] }));
    expect(body).toMatchObject({ success: true, amount_kopecks: unit_amount, sbp_url: wanted === null ? null : expect.any(String) });
  });

  it.each([
    ["the bank has them switched off", { kind: "bank_error", error_code: "3001" }],
    ["the shop has them switched off", { kind: "bank_error", error_code: "3019" }],
    ["the bank fails to give one", { kind: "http_500" }],
    ["the bank refuses to give one", { kind: "bank_error", error_code: "914" }],
  ])("without a fast-payment link where %s", async (_what, fault) => {
    await control("/faults", { target: "bank", call: "bank.GetQr", times: 99, ...fault });
    const { body } = await call(BANK, bankCart());
    await control("/faults", undefined, "DELETE");
    expect(body).toMatchObject({ success: true, sbp_url: null, payment_url: expect.any(String) });
  });

  // interface 9.3
  it("sends no DATA where there is no order number, and no address but those that were given", async () => {
    const { body } = await call(BANK, bankCart({ customer_email: undefined, customer_phone: "89031234567" }));
    const init = (await bankCalls()).filter(({ path }) => path === "/v2/Init").at(-1);
    const message = JSON.parse(init?.body ?? "") as Record<string, unknown>;
    expect(message).toMatchObject({ OrderId: body.order_id, PayType: "O", Receipt: { Phone: "+79031234567" } });
    for (const absent of ["DATA", "SuccessURL", "FailURL"]) expect(message).not.toHaveProperty(absent);
    expect(message.Receipt).not.toHaveProperty("Email");
  });
});

// interface 9.1, 9.2, 9.3, 9.4, 9.5, 9.6, 9.7
describe("limits, on both sides", () => {
  const one = (overrides: object) => bankCart({ items: [line(1001, overrides)] });

  it.each<[string, object]>([
    ["items", bankCart({ items: hundred(1) })],
    ["items", bankCart({ items: hundred(100) })],
    ["quantity", one({ quantity: 1 })],
    ["quantity", one({ quantity: 9999 })],
    ["the total", one({ unit_amount: 100 })],
    ["the total", one({ unit_amount: 1_000_000_000 })],
    ["the total, in many kopecks", one({ unit_amount: 1, quantity: 100 })],
    ["external_order_id", bankCart({ external_order_id: "x" })],
    ["external_order_id", bankCart({ external_order_id: "Aa0_-".repeat(12).padEnd(64, "z") })],
    ["customer_email", bankCart({ customer_email: `${"a".repeat(52)}@example.com` })],
    ["customer_phone", bankCart({ customer_phone: "0044 20 7946 0958" })],
    ["an empty customer_phone beside an address", bankCart({ customer_phone: "" })],
    ["success_url", bankCart({ success_url: `https://shop.example/${"a".repeat(2048 - 21)}` })],
    ["client_token", bankCart({ client_token: "~".repeat(255) })],
    ["null for what may be left out", bankCart({ environment: null, description: null, customer_phone: null, success_url: null })],
    ["null for the catalogue's amount", one({ unit_amount: null })],
    // interface T.7
  ])("takes %s at its bounds", async (_what, body) => {
    expect((await call(BANK, body)).body).toMatchObject({ success: true });
  });

  it.each<[string | undefined, object]>([
    ["items", bankCart({ items: undefined })],
    ["items", bankCart({ items: [] })],
    ["items", bankCart({ items: hundred(101) })],
    ["items", bankCart({ items: "1001" })],
    ["items[0]", bankCart({ items: [null] })],
    ["items[0].product_id", bankCart({ items: [{ quantity: 1 }] })],
    ["items[0].product_id", bankCart({ items: [line("1001")] })],
    ["items[0].product_id", bankCart({ items: [line("prod_acmeLiveUsd1")] })],
    ["items[0].product_id", bankCart({ items: [line(0)] })],
    ["items[0].product_id", bankCart({ items: [line(-1001)] })],
    ["items[0].product_id", bankCart({ items: [line(1001.5)] })],
    ["items[0].product_id", bankCart({ items: [line(2 ** 53)] })],
    ["items[1].product_id", bankCart({ items: [line(1001), line(1001)] })],
    ["items[1].product_id", bankCart({ items: [line(1001), line(1003)] })],
    ["items[0].quantity", one({ quantity: 0 })],
    ["items[0].quantity", one({ quantity: 10_000 })],
    ["items[0].quantity", one({ quantity: 1.5 })],
    ["items[0].quantity", one({ quantity: "1" })],
    ["items[0].quantity", one({ quantity: undefined })],
    ["items[0].unit_amount", one({ unit_amount: 0 })],
    ["items[0].unit_amount", one({ unit_amount: -1 })],
    ["items[0].unit_amount", one({ unit_amount: 500.5 })],
    ["items[0].unit_amount", one({ unit_amount: "50000" })],
    ["items[0].unit_amount", one({ unit_amount: 1_000_000_001 })],
    ["items[0].unit_amount", one({ unit_amount: 1e300 })],
    ["items", one({ unit_amount: 99 })],
    ["items", one({ unit_amount: 33, quantity: 3 })],
    ["items", one({ unit_amount: 500_000_001, quantity: 2 })],
    ["items", bankCart({ items: [line(1001, { unit_amount: 1_000_000_000 }), line(1002, { unit_amount: 1 })] })],
    ["items", bankCart({ items: hundred(100).map((item) => ({ ...item, unit_amount: 1_000_000_000, quantity: 9999 })) })],
    ["customer_email", bankCart({ customer_email: undefined })],
    ["customer_email", bankCart({ customer_email: "buyer" })],
    ["customer_email", bankCart({ customer_email: "" })],
    ["customer_email", bankCart({ customer_email: null })],
    ["customer_email", bankCart({ customer_email: `${"a".repeat(53)}@example.com` })],
    ["customer_email", bankCart({ customer_email: undefined, customer_phone: "" })],
    ["customer_phone", bankCart({ customer_phone: "+1234567" })],
    ["something", bankCart({ something: { else: [1] } })],
    ["customer_phone", bankCart({ customer_phone: "123456" })],
    ["customer_phone", bankCart({ customer_phone: "+7903123456789012" })],
    ["customer_phone", bankCart({ customer_phone: "call me" })],
    ["customer_phone", bankCart({ customer_phone: "++79031234567" })],
    ["customer_phone", bankCart({ customer_phone: 79031234567 })],
    ["external_order_id", bankCart({ external_order_id: "" })],
    ["external_order_id", bankCart({ external_order_id: "x".repeat(65) })],
    ["external_order_id", bankCart({ external_order_id: "заказ" })],
    ["external_order_id", bankCart({ external_order_id: "a b" })],
    ["external_order_id", bankCart({ external_order_id: 7 })],
    ["success_url", bankCart({ success_url: "http://shop.example" })],
    ["success_url", bankCart({ success_url: "javascript:alert(1)" })],
    ["fail_url", bankCart({ fail_url: "http://shop.example" })],
    ["fail_url", bankCart({ fail_url: `https://shop.example/${"a".repeat(2048 - 20)}` })],
    ["environment", bankCart({ environment: "LIVE" })],
    ["environment", bankCart({ environment: "both" })],
    ["client_token", bankCart({ client_token: "" })],
    ["client_token", bankCart({ client_token: "x".repeat(256) })],
    ["description", bankCart({ description: "Подарок" })],
    ["description", bankCart({ description: "" })],
    // interface T.7
  ])("refuses %s outside them, before any call", async (field, body) => {
    const since = Date.now();
    const records = () => countOf(idempotencyRecords);
    const before = await records();
    const answer = await call(BANK, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: false,
      error_code: "INVALID_INPUT",
      error_message: expect.stringMatching(/.{10}/),
      details: { field },
    });
    expect(await records()).toBe(before);
    expect(await bankCalls(since)).toEqual([]);
  });
});

// interface 9.1
describe("whose products", () => {
  it.each([
    ["missing", 999_999],
    ["another partner's", 1005],
    ["still in moderation", 1004],
    ["not sold in rubles", 1006],
    // interface E.8
  ])("%s gives PRODUCT_NOT_FOUND and names the item", async (_what, product) => {
    const { body } = await call(BANK, bankCart({ items: [line(1001), line(product)] }));
    expect(body).toEqual({
      success: false,
      error_code: "PRODUCT_NOT_FOUND",
      error_message: expect.stringContaining(String(product)),
      details: { field: "items[1].product_id" },
    });
  });

  // interface K.7
  it("are each partner's own", async () => {
    expect((await call(BANK, bankCart({ items: [line(1005)] }), keys.globex)).body).toMatchObject({ success: true });
    expect((await call(BANK, bankCart({ items: [line(1001)] }), keys.globex)).body).toMatchObject({ error_code: "PRODUCT_NOT_FOUND" });
  });

  // interface E.7
  it.each(["terminal", "vat", "name"])("whose %s is damaged give INTERNAL_ERROR, and nothing is begun", async (column) => {
    const damage = { terminal: null, vat: "twenty", name: "" }[column];
    await env.DIRECTORY.prepare(
      `INSERT INTO ruble_products (id, partner_id, name, currency, unit_amount, terminal, vat, moderation, created_at, updated_at)
       SELECT 1900, partner_id, name, currency, unit_amount, terminal, vat, moderation, created_at, updated_at FROM ruble_products WHERE id = 1001`,
    ).run();
    await env.DIRECTORY.prepare(`UPDATE ruble_products SET ${column} = ? WHERE id = 1900`)
      .bind(damage as string)
      .run();
    const since = Date.now();
    const { body } = await call(BANK, bankCart({ items: [line(1900)] }));
    await deleteRows(rubleProducts, { id: 1900 });
    expect(body).toMatchObject({ error_code: "INTERNAL_ERROR", details: { field: "items[0].product_id" } });
    expect(await bankCalls(since)).toEqual([]);
  });
});

describe("names on the receipt", () => {
  const longName = `${"Очень длинное название ".repeat(6)}👨‍👩‍👧‍👦`;

  // interface 9.6, 9.9
  it("are the catalogue's, cut to the bank's limit", async () => {
    await updateRows(rubleProducts, { name: longName, vat: "vat22" }, { id: 1150 });
    const { body } = await call(BANK, bankCart({ items: [line(1150), ...hundred(4)] }));
    expect(body.items[0].product_name).toBe(longName);
    const { receipt, description } = await atTheBank(body.order_id);
    expect(receipt.Items[0].Name).toHaveLength(128);
    expect(receipt.Items[0].Name).toMatch(/^Очень длинное .*…$/);
    expect(receipt.Items[0].Tax).toBe("vat22");
    expect(description.length).toBeLessThanOrEqual(140);
    expect(description).toMatch(/… и ещё 4 товара$/);
  });
});

// interface T.4
describe("idempotency", () => {
  // interface T.3
  it("gives the same payment to the same token, and a separate one to a new token", async () => {
    const body = bankCart();
    const first = (await call(BANK, body)).body;
    const since = Date.now();
    expect((await call(BANK, body)).body).toEqual({ ...first, duplicate: true });
    expect((await call(BANK, { ...body, items: body.items.toReversed(), success_url: undefined })).body).toEqual({
      ...first,
      duplicate: true,
    });
    expect(await bankCalls(since)).toEqual([]);
    const other = (await call(BANK, { ...body, client_token: crypto.randomUUID() })).body;
    expect(other).toMatchObject({ success: true, duplicate: false });
    expect([other.payment_id, other.order_id]).not.toEqual([first.payment_id, first.order_id]);
  });

  it.each<[string, object]>([
    ["another product", { items: [line(1001)] }],
    ["another quantity", { items: [line(1001), line(1002, { quantity: 3 })] }],
    ["another price", { items: [line(1001, { unit_amount: 1 }), line(1002, { quantity: 2 })] }],
    ["another buyer", { customer_email: "other@example.com" }],
    ["another order number", { external_order_id: "other" }],
    ["another environment", { environment: "live" }],
    ["another address to go to", { success_url: "https://shop.example/other" }],
    // interface E.7
  ])("refuses a token with %s", async (_what, change) => {
    const body = bankCart();
    await call(BANK, body);
    expect((await call(BANK, { ...body, ...change })).body).toMatchObject({
      success: false,
      error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
    });
  });

  it("keeps a token's payment when the catalogue's price changes", async () => {
    const body = bankCart({ items: [line(1160)] });
    const first = (await call(BANK, body)).body;
    await updateRows(rubleProducts, { unit_amount: 20000 }, { id: 1160 });
    expect((await call(BANK, body)).body).toEqual({ ...first, duplicate: true });
    expect((await call(BANK, { ...body, client_token: crypto.randomUUID() })).body).toMatchObject({ amount_kopecks: 20_000 });
  });

  const untold = (overrides: object = {}) =>
    bankCart({ client_token: undefined, customer_email: "content@example.com", external_order_id: "content-1", ...overrides });

  // interface T.8, 9.10
  it("knows a cart without a token by composition, prices, quantities, buyer and order number", async () => {
    const first = (await call(BANK, untold())).body;
    expect(first).toMatchObject({ success: true, duplicate: false });
    const named = [line(1001, { unit_amount: 50_000 }), line(1002, { quantity: 2 })];
    for (const same of [{}, { items: untold().items.toReversed() }, { success_url: "https://shop.example/elsewhere" }, { items: named }]) {
      expect((await call(BANK, untold(same))).body).toEqual({ ...first, duplicate: true });
    }
    const others = [
      { items: [line(1001)] },
      { items: [line(1001, { unit_amount: 49_999 }), line(1002, { quantity: 2 })] },
      { items: [line(1001), line(1002)] },
      { customer_email: "else@example.com" },
      { customer_phone: "+79031234567" },
      { external_order_id: "content-2" },
      { environment: "live" },
    ];
    for (const other of others) expect((await call(BANK, untold(other))).body).toMatchObject({ success: true, duplicate: false });
  });

  // interface 9.10
  it("is the same request whatever becomes of the catalogue's price that it names", async () => {
    const body = untold({ external_order_id: "same-price", items: [line(1001, { unit_amount: 50_000 }), line(1002, { quantity: 2 })] });
    const first = (await call(BANK, body)).body;
    const price = (unit_amount: number) => updateRows(rubleProducts, { unit_amount }, { id: 1001 });
    await price(60_000);
    expect((await call(BANK, body)).body).toEqual({ ...first, duplicate: true });
    // Another price is another request, and so is the present one where the first had the former.
    const dearer = (await call(BANK, { ...body, items: [line(1001, { unit_amount: 60_000 }), line(1002, { quantity: 2 })] })).body;
    expect(dearer).toMatchObject({ duplicate: false, amount_kopecks: first.amount_kopecks + 10_000 });
    expect((await call(BANK, { ...body, external_order_id: "same-price-2" })).body).toMatchObject({ duplicate: false });
    await price(50_000);
    // A price of its own is known by itself, also once nothing of the product could be sold any more.
    const own = { ...body, external_order_id: "own-price", items: [line(1001, { unit_amount: 70_000 })] };
    const made = (await call(BANK, own)).body;
    await updateRows(rubleProducts, { moderation: "rejected" }, { id: 1001 });
    expect((await call(BANK, own)).body).toEqual({ ...made, duplicate: true });
    await updateRows(rubleProducts, { moderation: "approved" }, { id: 1001 });
  });

  // interface E.8, T.8
  it("opens no second payment for a price that was the catalogue's, while the first is still at work", async () => {
    const body = untold({ external_order_id: "at-work", items: [line(1001, { unit_amount: 50_000 })] });
    let again: { readonly body: Record<string, unknown> } | null = null;
    aroundEffects(async (effect, perform) => {
      if (effect === "bank" && again === null) {
        await updateRows(rubleProducts, { unit_amount: 60_000 }, { id: 1001 });
        again = await call(BANK, body);
      }
      return perform();
    });
    const first = (await call(BANK, body)).body;
    resetEffects();
    expect(again).toMatchObject({ body: { success: false, error_code: "OPERATION_IN_PROGRESS" } });
    expect((await call(BANK, body)).body).toEqual({ ...first, duplicate: true });
    await updateRows(rubleProducts, { unit_amount: 50_000 }, { id: 1001 });
  });

  // interface T.8
  it.each(["confirmed", "rejected"])(
    "opens a new payment for a cart without a token once the first is %s; a token's payment stays",
    async (outcome) => {
      const body = untold({ external_order_id: `ended-${outcome}` });
      const [first, ofToken] = [(await call(BANK, body)).body, (await call(BANK, { ...body, client_token: outcome })).body];
      for (const { order_id } of [first, ofToken]) await control("/bank/pay", { order_id, outcome });
      await until(async () =>
        expect((await rowOf(bankPayments, { order_id: ofToken.order_id }, ["status"]))?.status).toBe(outcome.toUpperCase()),
      );
      const anew = (await call(BANK, body)).body;
      expect(anew).toMatchObject({ success: true, duplicate: false });
      expect(anew.payment_id).not.toBe(first.payment_id);
      expect((await call(BANK, body)).body).toEqual({ ...anew, duplicate: true });
      expect((await call(BANK, { ...body, client_token: outcome })).body).toEqual({ ...ofToken, duplicate: true });
    },
  );

  it("asks the bank again for a fast-payment link that it did not answer for, until it does, and opens nothing", async () => {
    const body = bankCart();
    await control("/faults", { target: "bank", call: "bank.GetQr", times: 99, kind: "http_500" });
    const first = (await call(BANK, body)).body;
    expect((await call(BANK, body)).body).toEqual({ ...first, sbp_url: null, duplicate: true });
    await control("/faults", undefined, "DELETE");
    const since = Date.now();
    const late = (await call(BANK, body)).body;
    expect(late).toEqual({ ...first, sbp_url: expect.stringContaining("/bank/sbp/"), duplicate: true });
    expect((await call(BANK, body)).body).toEqual(late);
    expect((await bankCalls(since)).map(({ path }) => path)).toEqual(["/v2/GetQr"]);
    expect(await rowOf(bankPayments, { order_id: first.order_id }, ["sbp_url"])).toEqual({ sbp_url: late.sbp_url });
  });

  it("asks for no fast-payment link that the bank does not give, and none of a payment that is over", async () => {
    const [none, over] = [bankCart(), bankCart()];
    await control("/faults", { target: "bank", call: "bank.GetQr", times: 1, kind: "bank_error", error_code: "3019" });
    await call(BANK, none);
    await control("/faults", { target: "bank", call: "bank.GetQr", times: 99, kind: "http_500" });
    const { order_id } = (await call(BANK, over)).body;
    await control("/faults", undefined, "DELETE");
    await updateRows(bankPayments, { status: "CANCELED" }, { order_id });
    const since = Date.now();
    for (const body of [none, over]) expect((await call(BANK, body)).body).toMatchObject({ duplicate: true, sbp_url: null });
    expect(await bankCalls(since)).toEqual([]);
  });

  it("takes one number for the same phone, however it is written", async () => {
    const by = (customer_phone: string) => call(BANK, untold({ customer_email: undefined, customer_phone }));
    const first = (await by("+79031112233")).body;
    for (const spelling of ["89031112233", "8 (903) 111-22-33", "79031112233", "9031112233", "+7 903 111 22 33"]) {
      expect((await by(spelling)).body).toEqual({ ...first, duplicate: true });
    }
  });

  // interface T.7
  it("keeps two partners' tokens apart", async () => {
    const client_token = crypto.randomUUID();
    const [ours, theirs] = await Promise.all([
      call(BANK, bankCart({ client_token, items: [line(1001)] })),
      call(BANK, bankCart({ client_token, items: [line(1005)] }), keys.globex),
    ]);
    expect([ours.body.duplicate, theirs.body.duplicate]).toEqual([false, false]);
    expect(ours.body.order_id).not.toBe(theirs.body.order_id);
  });

  // interface E.8, T.2
  it("tells one of two at once that the other is at work", async () => {
    const body = bankCart();
    const codes: string[] = [];
    const ask = async () => {
      const answer = await call(BANK, body);
      codes.push(String(answer.body.error_code));
      return answer;
    };
    // The bank is slower than the two others.
    aroundEffects(async (effect, perform) => {
      if (effect === "bank") await until(() => expect(codes).toHaveLength(2));
      return perform();
    });
    const answers = await Promise.all([ask(), ask(), ask()]);
    resetEffects();
    expect(codes.filter((code) => code === "OPERATION_IN_PROGRESS")).toHaveLength(2);
    const { order_id } = answers.find((answer) => answer.body.success === true)?.body ?? {};
    await atTheBank(order_id);
  });
});

it("serves the key that has bank_payment alone", async () => {
  expect((await call(BANK, bankCart(), keyFor("bank_payment"))).body).toMatchObject({ success: true });
});
