import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idempotencyRecords } from "../../src/db/schema/index.ts";
import { CART, CODE, call, callV1, cart, LINK, link, promotion } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { DAY, MINUTE, realTime } from "../support/later.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, objects } from "../support/stack.ts";
import { emptyTables, fieldOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** What failed attempts have made at the processor, and no partner was given. */

beforeEach(async () => {
  await control("/reset", {});
  await emptyTables(idempotencyRecords);
});
afterEach(realTime);

const lost = (name: string) => control("/faults", { target: "processor", call: name, times: 999, kind: "reset_after" });
const found = () => control("/faults", undefined, "DELETE");

/** The auditor's question: does the processor hold anything active that no record accounts for? */
async function unaccounted(): Promise<string[]> {
  const active = [
    ...(await objects("payment_links")).filter((made) => made.active),
    ...(await objects("promotion_codes")).filter((made) => made.active),
    ...(await objects("coupons")),
  ].map(({ id }) => id);
  const { results } = await env.CELL_1.prepare(
    "SELECT id FROM payment_links UNION SELECT id FROM promotion_codes UNION SELECT coupon_id AS id FROM promotion_codes",
  ).all<{ id: string }>();
  return active.filter((id) => !results.some((row) => row.id === id));
}

describe("a link whose every answer was lost", () => {
  it("by a token, which is spent, is deactivated within minutes", async () => {
    const jump = virtualTime();
    await lost("payment_links.create");
    const body = cart();
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await found();
    expect(await unaccounted()).toHaveLength(1);
    jump(2 * MINUTE);
    await cron();
    expect(await unaccounted()).toEqual([]);
    expect(await objects("payment_links")).toMatchObject([{ active: false }]);
    expect((await call(CART, body)).body).toMatchObject({ error_code: "PREVIOUS_ATTEMPT_FAILED" });
  });

  it("by its content is found and used by a repeat, and stays", async () => {
    const jump = virtualTime();
    await lost("payment_links.create");
    const { client_token: _, ...body } = cart();
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await found();
    jump(5 * MINUTE);
    await cron();
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: false });
    jump(2 * DAY);
    await cron();
    expect(await objects("payment_links")).toMatchObject([{ active: true }]);
    expect(await unaccounted()).toEqual([]);
  });

  it("in the first generation is deactivated a day after the last attempt, and a later one makes another", async () => {
    const jump = virtualTime();
    await lost("payment_links.create");
    const body = link();
    expect((await callV1(LINK, body)).body).toMatchObject({ error_code: "stripe_error" });
    await found();
    jump(23 * 60 * MINUTE);
    await cron();
    expect(await unaccounted()).toHaveLength(1);
    jump(2 * 60 * MINUTE);
    await cron();
    expect(await unaccounted()).toEqual([]);
    expect((await callV1(LINK, body)).body).toMatchObject({ success: true });
    expect((await objects("payment_links")).map(({ active }) => active)).toEqual([false, true]);
    expect(await unaccounted()).toEqual([]);
  });

  it("is deactivated later where the processor is out of order at first", async () => {
    const jump = virtualTime();
    await lost("payment_links.create");
    await call(CART, cart());
    await found();
    await control("/faults", { target: "processor", call: "payment_links.update", times: 999, kind: "http_500" });
    jump(2 * MINUTE);
    await cron();
    expect(await unaccounted()).toHaveLength(1);
    await found();
    jump(5 * MINUTE);
    await cron();
    expect(await unaccounted()).toEqual([]);
  });
});

it("a link whose lines could not be had, by a token, is deactivated too: no partner was given it", async () => {
  const jump = virtualTime();
  await control("/faults", { target: "processor", call: "payment_links.line_items", times: 999, kind: "http_500" });
  expect((await call(CART, cart())).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
  await found();
  jump(2 * MINUTE);
  await cron();
  expect(await objects("payment_links")).toMatchObject([{ active: false }]);
});

it("a link that lacks only its short link is not deactivated", async () => {
  const jump = virtualTime();
  const { mend } = breakShortLinks(3);
  expect((await call(CART, cart())).body).toMatchObject({ error_code: "SHORT_URL_UNAVAILABLE" });
  mend();
  jump(2 * DAY);
  await cron();
  expect(await objects("payment_links")).toMatchObject([{ active: true }]);
  expect(await fieldOf(idempotencyRecords, "compensate_at")).toBeNull();
});

it("a code and its coupon whose every answer was lost are taken back a day later", async () => {
  const jump = virtualTime();
  await lost("promotion_codes.create");
  expect((await callV1(CODE, promotion())).body).toMatchObject({ success: false });
  await found();
  expect(await unaccounted()).toHaveLength(2);
  jump(DAY + MINUTE);
  await cron();
  expect(await unaccounted()).toEqual([]);
});
