import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { deliveryAttempts, orders } from "../src/db/schema/index.ts";
import { deleteExpiredInCell } from "../src/runners/expire-rows.ts";
import { BANK, bankCart, CART, call, callV1, cart, LINK, link, REGISTER, send } from "./support/api.ts";
import { cellDeps } from "./support/cells.ts";
import { cron } from "./support/cron.ts";
import { DAY, pass, realTime } from "./support/later.ts";
import { loggedBy } from "./support/logged.ts";
import { changeObject } from "./support/objects.ts";
import { change } from "./support/ops.ts";
import { line, type Paid, quiet } from "./support/payments.ts";
import { isFull } from "./support/scale.ts";
import { control, SANDBOX, settled, world } from "./support/stack.ts";
import { countOf, updateRows } from "./support/tables.ts";
import { until } from "./support/until.ts";
import { virtualTime } from "./support/virtual-time.ts";

/**
 * An address, a phone and a name in every field that a buyer or a partner can fill, but for those that are references of the
 * partner's own (docs/privacy.md): where they are afterwards.
 */
const EMAIL = "planted.person@buyer.example";
const PHONE = "+79995550123";
const NAME = "Petra Planted";
const PLANTED = [EMAIL, encodeURIComponent(EMAIL), PHONE, PHONE.slice(1), NAME, encodeURIComponent(NAME), NAME.replace(" ", "+")];

/** All that is stored, by the place: every row of every table, every object in R2 and every value in KV. */
async function stored(): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const [name, db] of [["directory", env.DIRECTORY] as const, ["cell", env.CELL_1] as const]) {
    const tables = await db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .all<{ name: string }>();
    for (const table of tables.results) {
      if (/^(sqlite_|d1_)/.test(table.name)) continue;
      all.set(`${name}.${table.name}`, JSON.stringify((await db.prepare(`SELECT * FROM "${table.name}"`).all()).results));
    }
  }
  for (const { key } of (await env.SNAPSHOTS.list()).objects) {
    const object = await env.SNAPSHOTS.get(key);
    const bytes = new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = isPacked ? new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip")) : bytes;
    all.set(`snapshot ${key}`, (await new Response(text).text()) + JSON.stringify(object?.customMetadata ?? {}));
  }
  for (const { name } of (await env.SHORT_LINKS.list()).keys) all.set(`KV ${name}`, (await env.SHORT_LINKS.get(name)) ?? "");
  return all;
}

const placesOf = (texts: Iterable<[string, string]>) =>
  [...texts].flatMap(([place, text]) => (PLANTED.some((planted) => text.includes(planted)) ? [place] : []));
const whereStored = async () => placesOf(await stored());
const inLines = (lines: readonly string[]) => lines.filter((text) => PLANTED.some((planted) => text.includes(planted)));

const person = {
  email: EMAIL,
  phone: PHONE,
  name: NAME,
  address: { line1: NAME, city: null },
};

/** A buyer who gives all that the processor asks for. */
async function bought(path: string): Promise<Paid> {
  const { body } = await call(CART, cart({ items: [line("TestUsd1")] }));
  await send(`/${body.short_url_id}?prefilled_email=${encodeURIComponent(EMAIL)}&utm_source=${encodeURIComponent(NAME)}`);
  const paid = await control<Paid>("/pay", { short_url: body.short_url, email: EMAIL, client_reference_id: path });
  await changeObject(paid.charge, { billing_details: person, shipping: person, receipt_email: EMAIL });
  const last_payment_error = { type: "card_error", code: "card_declined", payment_method: { type: "card", billing_details: person } };
  await changeObject(paid.payment_intent, { receipt_email: EMAIL, shipping: person, last_payment_error });
  await change("ledger/refresh", { environment: "test", id: paid.charge });
  await quiet();
  await settled();
  return paid;
}

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/privacy`, client_token: "privacy" }));
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

describe("what names a buyer", () => {
  it("of a card payment is in the payment's snapshot and its order alone, until it is erased, and never in a log or an event", async () => {
    let paid: Paid | undefined;
    const lines = await loggedBy(async () => {
      paid = await bought("privacy-1");
      // It waits for the buyer, who got a mail.
      await control("/refund", { payment_intent: paid.payment_intent, amount: 100, pending: true });
      await control("/refund", { payment_intent: paid.payment_intent });
      await control("/dispute", { payment_intent: paid.payment_intent });
      await quiet();
      await settled();
    });
    expect(inLines(lines)).toEqual([]);
    expect(await whereStored()).toEqual(["cell.orders", `snapshot test/${paid?.payment_intent}`]);
    // They come over a queue, after the payment is stored.
    await until(() => expect(world.state.inboxes.privacy?.received.length).toBeGreaterThan(0));
    const events = (world.state.inboxes.privacy?.received ?? []).map(({ body }): [string, string] => ["event", body]);
    expect(placesOf(events)).toEqual([]);
    const erased = await loggedBy(() => change("erase", { email: EMAIL }));
    expect([inLines(erased), await whereStored()]).toEqual([[], []]);
    // What the processor says later brings nothing back.
    await change("ledger/refresh", { environment: "test", id: paid?.charge });
    expect(await whereStored()).toEqual([]);
  });

  it("of a ruble payment is in its order alone once it was opened, and nowhere once it was refused or given up", async () => {
    const buyer = { customer_email: EMAIL, customer_phone: PHONE, success_url: `https://shop.example/?name=${encodeURIComponent(NAME)}` };
    const lines = await loggedBy(async () => {
      const { body } = await call(BANK, bankCart({ ...buyer, client_token: "privacy-opened" }));
      await control("/bank/pay", { order_id: body.order_id });
      await settled();
      await control("/faults", { target: "bank", call: "bank.Init", times: 1, kind: "http_400" });
      await call(BANK, bankCart({ ...buyer, client_token: "privacy-refused" }));
      await control("/faults", { target: "bank", call: "bank.Init", times: 99, kind: "reset_after" });
      virtualTime();
      await call(BANK, bankCart({ ...buyer, client_token: "privacy-lost" }));
      realTime();
      await control("/faults", undefined, "DELETE");
      for (let days = 0; days < (isFull ? 5 : 2); days += 1) {
        pass(DAY);
        await cron();
        await settled();
      }
    });
    expect(inLines(lines)).toEqual([]);
    expect(await whereStored()).toEqual(["cell.orders"]);
    // The second one is of the request whose answer was lost: it was opened in the end.
    expect(await countOf(orders, { email: EMAIL })).toBe(2);
    await change("erase", { email: EMAIL.toUpperCase() });
    expect(await whereStored()).toEqual([]);
  });

  it("is not kept of what is refused, and not logged with it", async () => {
    const lines = await loggedBy(async () => {
      await call(BANK, bankCart({ customer_email: `${EMAIL} `, customer_phone: NAME }));
      await call(CART, { ...cart(), customer_email: EMAIL, [NAME]: PHONE });
      await callV1(LINK, { ...link(), customer: person });
      await send(`/${EMAIL}`);
      await send(`/unknown/${encodeURIComponent(NAME)}?email=${EMAIL}`);
      await send("/ingest/bank", {
        method: "POST",
        body: JSON.stringify({ TerminalKey: "SandboxFirst", Token: EMAIL, Data: { Email: EMAIL } }),
      });
      await change("ledger/refresh", { environment: "test", id: EMAIL });
    });
    expect([inLines(lines), await whereStored()]).toEqual([[], []]);
  });

  it("in a receiver's answer is let go of with the attempt", async () => {
    const paid = await bought("privacy-2");
    await change("erase", { payment_intent_id: paid.payment_intent });
    await updateRows(deliveryAttempts, { excerpt: `thanks, ${NAME}` });
    expect(await whereStored()).toEqual(["cell.delivery_attempts"]);
    pass(91 * DAY);
    await deleteExpiredInCell(cellDeps());
    expect(await whereStored()).toEqual([]);
  });
});
