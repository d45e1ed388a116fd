import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idempotencyRecords, paymentLinks } from "../../src/db/schema/index.ts";
import { CART, CODE, call, callV1, cart, LINK, link, promotion } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { DAY, MINUTE, realTime } from "../support/later.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, objects, world } from "../support/stack.ts";
import { emptyTables, fieldOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** What failed attempts have made at the processor, and no partner was given. */

beforeEach(async () => {
  await control("/reset", {});
  await emptyTables(idempotencyRecords, paymentLinks);
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

/** So many newer links that no search from the newest on comes to the others: copies, with other metadata. */
function manyNewerLinks(): void {
  const { objects: all, order } = world.state;
  const links = order.payment_link ?? [];
  const [first] = links;
  const template = all[first ?? ""];
  if (template === undefined) throw new Error("there is no link to copy");
  for (let count = 0; count < 6_000; count += 1) {
    const id = `plink_copy${count}`;
    all[id] = { ...template, id, active: false, metadata: { record_since: String(Date.now()) } };
    links.push(id);
  }
}

/** Makes a link whose id is in the index of those where a search can begin. */
async function linkToBeginAt(): Promise<void> {
  const { id } = (await made()) as { id: string };
  const { objects: all, order } = world.state;
  const stored = all[id];
  if (stored === undefined) throw new Error("the sandbox does not know the link");
  const named = `${id.slice(0, -1)}a`;
  all[named] = { ...stored, id: named };
  order.payment_link = (order.payment_link ?? []).map((known) => (known === id ? named : known));
  await env.CELL_1.prepare("UPDATE payment_links SET id = ? WHERE id = ?").bind(named, id).run();

  async function made() {
    await call(CART, cart());
    return (await objects("payment_links")).at(-1);
  }
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

  it("is found a day later among thousands that were made after it", async () => {
    const jump = virtualTime();
    await linkToBeginAt();
    jump(5 * MINUTE);
    await lost("payment_links.create");
    expect((await callV1(LINK, link())).body).toMatchObject({ error_code: "stripe_error" });
    await found();
    jump(10 * MINUTE);
    manyNewerLinks();
    expect(await unaccounted()).toHaveLength(1);
    jump(2 * DAY);
    await cron.sweep("compensations");
    expect(await unaccounted()).toEqual([]);
    expect(await fieldOf(idempotencyRecords, "compensate_at")).toBeNull();
  });

  it("is found also where the processor has lost the link to begin at", async () => {
    const jump = virtualTime();
    await linkToBeginAt();
    jump(5 * MINUTE);
    const { objects: all, order } = world.state;
    const [gone = ""] = order.payment_link ?? [];
    delete all[gone];
    order.payment_link = [];
    await lost("payment_links.create");
    expect((await call(CART, cart())).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await found();
    jump(2 * MINUTE);
    await cron.sweep("compensations");
    expect(await objects("payment_links")).toMatchObject([{ active: false }]);
  });

  it("by its content is found and used by a repeat, and stays", async () => {
    const jump = virtualTime();
    await lost("payment_links.create");
    const { client_token: _, ...body } = cart();
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await found();
    jump(5 * MINUTE);
    await cron.sweep("compensations");
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: false });
    jump(2 * DAY);
    await cron.sweep("compensations");
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
    await cron.sweep("compensations");
    expect(await unaccounted()).toHaveLength(1);
    jump(2 * 60 * MINUTE);
    await cron.sweep("compensations");
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
    await cron.sweep("compensations");
    expect(await unaccounted()).toHaveLength(1);
    await found();
    jump(5 * MINUTE);
    await cron.sweep("compensations");
    expect(await unaccounted()).toEqual([]);
  });
});

it("a link whose lines could not be had, by a token, is deactivated too: no partner was given it", async () => {
  const jump = virtualTime();
  await control("/faults", { target: "processor", call: "payment_links.line_items", times: 999, kind: "http_500" });
  expect((await call(CART, cart())).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
  await found();
  jump(2 * MINUTE);
  await cron.sweep("compensations");
  expect(await objects("payment_links")).toMatchObject([{ active: false }]);
});

it("a link that lacks only its short link is not deactivated", async () => {
  const jump = virtualTime();
  const { mend } = breakShortLinks(3);
  expect((await call(CART, cart())).body).toMatchObject({ error_code: "SHORT_URL_UNAVAILABLE" });
  mend();
  jump(2 * DAY);
  await cron.sweep("compensations");
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
  await cron.sweep("compensations");
  expect(await unaccounted()).toEqual([]);
});
