import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { erase } from "../src/ledger/erase.ts";
import { compareAgainFrom, findReconciliation, recordReconciliation } from "../src/ledger/reconciliation-store.ts";
import { refillSnapshots } from "../src/ledger/refill-snapshots.ts";
import { readSnapshot, snapshotKey } from "../src/ledger/snapshots.ts";
import { refillShortLinks } from "../src/short-links/refill.ts";
import { ANNA } from "./support/actor.ts";
import { CART, call, cart, REGISTER, send } from "./support/api.ts";
import { cellDeps } from "./support/cells.ts";
import { cron } from "./support/cron.ts";
import { MINUTE, pass, realTime, SECOND } from "./support/later.ts";
import { auditOf, change } from "./support/ops.ts";
import { listed, type Paid, pay, quiet, receivedEvents } from "./support/payments.ts";
import { copyOf, emptyBucket, emptyCache, restore } from "./support/restore.ts";
import { control, SANDBOX, settled, world } from "./support/stack.ts";
import { until } from "./support/until.ts";

/** The bad days of docs/bad-days.md, as far as they can be had here. The processor goes on meanwhile. */

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/drills` }));
afterEach(realTime);

const made = () => Object.values(world.state.objects).filter(({ object }) => object === "payment_link").length;
const textOf = async (id: string) => JSON.stringify(await readSnapshot(cellDeps(), snapshotKey("test", id)));
const redirectOf = async (link: { short_url: string }) => (await send(new URL(link.short_url).pathname)).headers.get("Location");
const paidEvents = (paid: Paid) =>
  receivedEvents("drills").filter(
    ({ event, transaction }) => event === "Processor.payment.succeeded" && transaction.payment_intent_id === paid.payment_intent,
  );

describe("KV is lost", () => {
  it("and short links lead on, and are written again by a command, page by page, without the disabled ones", async () => {
    const [one, two, disabled] = [(await call(CART, cart())).body, (await call(CART, cart())).body, (await call(CART, cart())).body];
    const target = await redirectOf(one);
    await change(`payment-links/${disabled.payment_link_id}/disable`);
    expect(await emptyCache()).toBeGreaterThan(0);
    expect(await redirectOf(one)).toBe(target);

    await emptyCache();
    const { status, body } = await change("cells/01/short-links/refill");
    expect([status, body]).toEqual([200, { success: true, count: expect.any(Number), next: null }]);
    expect(body.count).toBeGreaterThanOrEqual(2);
    expect(await env.SHORT_LINKS.get(two.short_url_id)).toContain(target?.slice(0, 30) ?? "");
    expect(await env.SHORT_LINKS.get(disabled.short_url_id)).toBeNull();

    await emptyCache();
    const pages: number[] = [];
    for (let after: string | null = null; ; ) {
      const { count, next } = await refillShortLinks({ db: cellDeps().db, shortLinkCache: env.SHORT_LINKS }, after, 1);
      pages.push(count);
      if (next === null) break;
      after = next;
    }
    expect(pages.reduce((sum, count) => sum + count, 0)).toBe(body.count);
    expect((await change("cells/09/short-links/refill")).status).toBe(404);
  });
});

describe("R2 is lost", () => {
  it("and the processor's objects are fetched again, but what was erased stays empty", async () => {
    const [kept, erased] = [
      await pay(["TestUsd1"], { email: "kept@example.com" }),
      await pay(["TestUsd1"], { email: "erased@example.com" }),
    ];
    await quiet();
    await control("/refund", { payment_intent: kept.payment_intent, amount: 100 });
    await quiet();
    await erase(cellDeps(), { paymentIntentId: erased.payment_intent }, ANNA);
    const idsOf = async (paid: Paid) =>
      (await readSnapshot(cellDeps(), snapshotKey("test", paid.payment_intent))).map(({ id }) => id).toSorted();
    const before = await idsOf(kept);
    expect(await emptyBucket()).toBeGreaterThan(1);
    // What the processor reports before anybody has noticed is stored as it comes.
    await control("/refund", { payment_intent: erased.payment_intent, amount: 100 });
    await quiet();

    const { body } = await change("cells/01/snapshots/refill");
    expect(body).toMatchObject({ success: true, next: null });
    await until(async () => expect(await idsOf(kept)).toEqual(before));
    await quiet();
    expect(await textOf(kept.payment_intent)).toContain("kept@example.com");
    expect(await textOf(erased.payment_intent)).toContain(erased.charge);
    expect(await textOf(erased.payment_intent)).not.toContain("erased@example.com");
    // The movements are as they were, and nobody gets an event again.
    expect(paidEvents(kept)).toHaveLength(1);
    expect(await auditOf("01")).toContainEqual(expect.objectContaining({ action: "snapshots.refill" }));

    const first = await refillSnapshots(cellDeps(), null, 1, ANNA);
    expect(first).toMatchObject({ count: 1, next: expect.stringMatching(/^processor:/) });
  });
});

describe("messages of the queues are lost", () => {
  it("and the cron does what they were for", async () => {
    const prototype = Object.getPrototypeOf(env.PROCESSOR_EVENTS) as typeof env.PROCESSOR_EVENTS;
    const lost = vi.spyOn(prototype, "sendBatch").mockResolvedValue(undefined as never);
    const paid = await pay(["TestUsd1"], { client_reference_id: "lost-message" });
    await settled();
    expect(lost).toHaveBeenCalled();
    expect(await listed({ client_reference_id: "lost-message" })).toMatchObject({ count: 0 });
    lost.mockRestore();
    pass(2 * MINUTE);
    await cron();
    await until(() => {
      pass(2 * SECOND);
      expect(paidEvents(paid)).toHaveLength(1);
    });
    expect(await listed({ client_reference_id: "lost-message" })).toMatchObject({ count: 1 });
  });
});

describe("a database is restored to an earlier time, and the processor has gone on", () => {
  it.each([
    ["both", true],
    ["the cell alone", false],
  ])("%s: what was paid is found again, nothing is made twice, and events come again under their ids", async (what, both) => {
    await cron();
    const [directory, cell] = [await copyOf(env.DIRECTORY), await copyOf(env.CELL_1)];
    const since = new Date().toISOString();
    pass(MINUTE);
    const token = `restored-${what.replaceAll(" ", "-")}`;
    const link = (await call(CART, cart({ client_token: token }))).body;
    const paid: Paid = await control("/pay", { short_url: link.short_url, client_reference_id: token });
    await quiet();
    await control("/refund", { payment_intent: paid.payment_intent, amount: 500 });
    await until(() => expect(paidEvents(paid)).toHaveLength(1));
    await quiet();
    await until(async () => expect(await listed({ client_reference_id: token })).toMatchObject({ count: 2 }));
    const before = (await listed({ client_reference_id: token })).transactions;
    const links = made();
    // The comparisons have come further than the copy.
    pass(3 * MINUTE);
    await cron();

    await restore(env.CELL_1, cell);
    if (both) await restore(env.DIRECTORY, directory);
    await abortAllDurableObjects();
    expect(await listed({ client_reference_id: token })).toMatchObject({ count: 0 });

    if (!both) expect((await change("ledger/compare-again", { since })).status).toBe(200);
    for (let run = 0; run < 3; run += 1) {
      pass(2 * MINUTE);
      await cron();
    }
    await until(async () => {
      // What was found waits a second for what belongs to it.
      pass(2 * SECOND);
      expect((await listed({ client_reference_id: token })).transactions).toHaveLength(2);
    });
    expect((await listed({ client_reference_id: token })).transactions).toEqual(before);
    await until(() => expect(paidEvents(paid).length).toBeGreaterThan(1));
    expect(new Set(paidEvents(paid).map(({ id }) => id)).size).toBe(1);

    // Nothing was made at the processor meanwhile. The short link leads on from KV, though its row is lost; so a partner
    // that repeats its request gets a second link, as docs/bad-days.md says.
    expect(made()).toBe(links);
    expect(await redirectOf(link)).not.toBeNull();
    expect((await call(CART, cart({ client_token: token }))).body).toMatchObject({ success: true, duplicate: false });
    expect(made()).toBe(links + 1);
  });

  it("compare-again is not undone by a comparison that runs meanwhile", async () => {
    const { directory } = cellDeps();
    const cursor = async () => (await findReconciliation(directory, "drill"))?.comparedUntil;
    expect(await recordReconciliation(directory, "drill", { from: 0, until: 1_000 }, 0, 0)).toBe(true);
    await compareAgainFrom(directory, 400);
    expect(await recordReconciliation(directory, "drill", { from: 900, until: 2_000 }, 0, 0)).toBe(false);
    expect(await cursor()).toBe(400);
    expect(await recordReconciliation(directory, "drill", { from: 400, until: 2_000 }, 0, 0)).toBe(true);
    expect(await cursor()).toBe(2_000);
  });

  it("compare-again wants to know from when", async () => {
    expect((await change("ledger/compare-again", {})).status).toBe(400);
    expect((await change("ledger/compare-again", { since: "yesterday" })).status).toBe(400);
  });
});
