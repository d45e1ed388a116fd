import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildDeps } from "../../src/build-deps.ts";
import { limits } from "../../src/core/limits.ts";
import { auditLog, changeCounts, processorEvents } from "../../src/db/schema/index.ts";
import { sweepMissedEvents } from "../../src/ledger/reconcile.ts";
import { reconciledEventTypes, sentEventTypes } from "../../src/ledger/sources.ts";
import { CART, call, cart, keys, REGISTER, send } from "../support/api.ts";
import { bodiesOf } from "../support/deliveries.ts";
import { DAY, MINUTE, pass, realTime } from "../support/later.ts";
import { line, quiet } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf, deleteRows, insertRow, rowsOf } from "../support/tables.ts";

/** Checkouts that end unpaid: partners hear of them only if they ask for it. */

const TYPE = "checkout.session.expired";
beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/expired` }));
afterEach(realTime);

const ask = (method: string, change?: object) =>
  send("/ops/partners/acme/settings", {
    method,
    headers: { Authorization: "Bearer ops-local", "Content-Type": "application/json" },
    ...(change && { body: JSON.stringify(change) }),
  });

/** Sets the setting, and lets the minute pass for which an isolate remembers the one before. */
async function setAsked(isAsked: boolean): Promise<void> {
  expect((await ask("PUT", { expired_checkouts: isAsked })).body).toMatchObject({ expired_checkouts: isAsked });
  pass(2 * MINUTE);
}

async function abandon(reference: string) {
  const { body } = await call(CART, cart({ items: [line("TestUsd1")] }));
  const made = await control<{ checkout_session: string }>("/abandon", { short_url: body.short_url, client_reference_id: reference });
  await quiet();
  return {
    session: made.checkout_session,
    link: body.payment_link_id as string,
    bodies: await bodiesOf(`checkout.expired:${made.checkout_session}`),
  };
}

describe("a checkout that ends unpaid", () => {
  it("leaves no row as long as its partner does not ask for it", async () => {
    expect((await abandon("not-asked")).bodies).toEqual([]);
    expect(await countOf(processorEvents, { type: TYPE })).toBe(0);
  });

  it("has one event where its partner asks, however often the processor reports it", async () => {
    await setAsked(true);
    await control("/events", { environment: "test", duplicate: 2, shuffle: true });
    const { session, link, bodies } = await abandon("order-left");
    await control("/events", { environment: "test", duplicate: 0, shuffle: false });
    expect(bodies).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event: "Processor.checkout.expired",
        environment: "test",
        created_at: expect.stringMatching(/Z$/),
        checkout: {
          session_id: session,
          payment_link_id: link,
          client_reference_id: "order-left",
          amount_total: 19,
          currency: "USD",
          expired_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
    ]);
    const { body } = await send("/partner/orders?environment=test&reference=order-left", { headers: { "X-Partner-Api-Key": keys.acme } });
    expect(body.data).toEqual([]);
  });

  it("has none again once its partner takes that back", async () => {
    await setAsked(true);
    await setAsked(false);
    expect((await abandon("not-any-more")).bodies).toEqual([]);
  });

  it("is sent by the processor, and not compared: what ended before its partner asked has no event", async () => {
    expect([reconciledEventTypes.includes(TYPE), sentEventTypes.includes(TYPE)]).toEqual([false, true]);
    const { bodies, session } = await abandon("before-the-setting");
    await setAsked(true);
    const { count } = await sweepMissedEvents(buildDeps(env), "test").then((found) => ({ count: found }));
    await quiet();
    expect([bodies, await bodiesOf(`checkout.expired:${session}`), count]).toEqual([[], [], 0]);
    await setAsked(false);
  });

  it("is recorded up to so many a day, and the next day again", async () => {
    await setAsked(true);
    const today = Date.now() - (Date.now() % DAY);
    await deleteRows(changeCounts, { subject: "expired checkouts of acme" });
    await insertRow(changeCounts, { subject: "expired checkouts of acme", period: today, count: limits.expiredCheckouts.perDay - 1 });
    expect((await abandon("last-of-the-day")).bodies).toHaveLength(1);
    expect((await abandon("one-too-many")).bodies).toEqual([]);
    await setAsked(false);
  });
});

describe("the settings", () => {
  const sorted = (texts: readonly string[]) => texts.toSorted((left, right) => (left < right ? -1 : 1));
  const audited = () => rowsOf(auditLog, { action: "partner.set", target: "acme" });

  it("change only what is named, with one row of the audit log for each change", async () => {
    await ask("PUT", { time_zone: "UTC", expired_checkouts: false });
    const before = new Set((await audited()).map(({ id }) => id));
    expect((await ask("PUT", { time_zone: "Europe/Berlin" })).body).toEqual({ time_zone: "Europe/Berlin", expired_checkouts: false });
    expect((await ask("PUT", { expired_checkouts: true })).body).toEqual({ time_zone: "Europe/Berlin", expired_checkouts: true });
    expect((await ask("PUT", { expired_checkouts: true })).status).toBe(200);
    expect((await ask("GET")).body).toEqual({ time_zone: "Europe/Berlin", expired_checkouts: true });
    const added = (await audited()).filter(({ id }) => !before.has(id));
    expect(sorted(added.map(({ after }) => after))).toEqual(['{"expired_checkouts":true}', '{"time_zone":"Europe/Berlin"}']);
    expect(sorted(added.map(({ before: was }) => JSON.parse(was).time_zone))).toEqual(["Europe/Berlin", "UTC"]);
    await ask("PUT", { time_zone: "UTC", expired_checkouts: false });
  });

  it.each([{}, { expired_checkouts: "yes" }, { time_zone: "Nowhere/None" }, { colour: "green" }])("refuse %j", async (change) => {
    expect((await ask("PUT", change)).status).toBe(400);
  });
});
