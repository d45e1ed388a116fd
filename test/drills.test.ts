import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { localSecrets } from "../sandbox/local-settings.ts";
import { buildDeps } from "../src/build-deps.ts";
import { events, movements, refreshes } from "../src/db/schema/index.ts";
import { erasePerson } from "../src/ledger/erase.ts";
import { compareAgainFrom, findReconciliation, recordReconciliation } from "../src/ledger/reconciliation-store.ts";
import { readSnapshot, snapshotKey } from "../src/ledger/snapshots.ts";
import { ANNA } from "./support/actor.ts";
import { CART, call, cart, LIST, REGISTER, send } from "./support/api.ts";
import { buildApp } from "./support/app.ts";
import { cellDeps } from "./support/cells.ts";
import { cron } from "./support/cron.ts";
import { MINUTE, pass, realTime, SECOND } from "./support/later.ts";
import { auditOf, change } from "./support/ops.ts";
import { listed, type Paid, pay, quiet, receivedEvents } from "./support/payments.ts";
import { copyOf, emptyBucket, emptyCache, restore } from "./support/restore.ts";
import { signIn } from "./support/sign-in.ts";
import { control, EDGE, SANDBOX, settled, world } from "./support/stack.ts";
import { countOf, deleteRows, emptyTables } from "./support/tables.ts";
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

/** The service after a deployment with other settings. */
function deployedWith(changed: Readonly<Record<string, string>>) {
  const app = buildApp(buildDeps({ ...env, ...changed }));
  return async (path: string, init: RequestInit = {}) => {
    const response = await app(new Request(`${EDGE}/${path}`, init), { waitUntil: () => undefined } as unknown as ExecutionContext);
    return { status: response.status, body: await response.json<any>().catch(() => null), headers: response.headers };
  };
}

describe("KV is lost", () => {
  it("and short links lead on, and each is written again when it is opened, but a disabled one", async () => {
    const [one, disabled] = [(await call(CART, cart())).body, (await call(CART, cart())).body];
    const target = await redirectOf(one);
    await change(`payment-links/${disabled.payment_link_id}/disable`);
    expect(await emptyCache()).toBeGreaterThan(0);
    // What this isolate remembers is old by then.
    pass(2 * MINUTE);
    expect(await redirectOf(one)).toBe(target);
    await until(async () => expect((await env.SHORT_LINKS.get(one.short_url_id)) ?? "").toContain(target?.slice(0, 30)));
    expect(await redirectOf(disabled)).toBeNull();
    expect(await env.SHORT_LINKS.get(disabled.short_url_id)).toBeNull();
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
    await erasePerson(cellDeps(), { paymentIntentId: erased.payment_intent }, ANNA);
    const idsOf = async (paid: Paid) =>
      (await readSnapshot(cellDeps(), snapshotKey("test", paid.payment_intent))).map(({ id }) => id).toSorted();
    const before = await idsOf(kept);
    expect(await emptyBucket()).toBeGreaterThan(1);
    // What the processor reports before anybody has noticed is stored as it comes.
    await control("/refund", { payment_intent: erased.payment_intent, amount: 100 });
    await quiet();

    const refill = async (after = "") => (await change(`cells/01/snapshots/refill${after === "" ? "" : `?after=${after}`}`)).body;
    // Live payments come first: while the processor is out, or many look-ups are due, nothing is fetched again.
    const waiting = (subject: string) =>
      ({ subject, environment: "test", state: "due", attempts: 1, nextAttemptAt: Date.now() - 1, since: Date.now() }) as const;
    const { db } = cellDeps();
    await db.insert(refreshes).values({ ...waiting("pi_out"), nextAttemptAt: Date.now() + 30 * SECOND, lastError: "x", failure: "outage" });
    expect(await refill()).toEqual({ success: true, marked: 0, fetched: 0, next: "" });
    expect(await refill("processor:txn_1")).toEqual({ success: true, marked: 0, fetched: 0, next: "processor:txn_1" });
    await emptyTables(refreshes);
    for (let one = 0; one < 100; one += 1) await db.insert(refreshes).values(waiting(`pi_due${one}`));
    expect(await refill()).toMatchObject({ fetched: 0, next: "" });
    expect(await auditOf("01")).not.toContainEqual(expect.objectContaining({ action: "snapshots.refill" }));
    await deleteRows(refreshes, { subject: "pi_due7" });
    const done = await refill();
    expect(done).toEqual({ success: true, marked: expect.any(Number), fetched: await countOf(movements), next: null });
    expect(done.marked).toBeGreaterThan(0);
    for (let one = 0; one < 100; one += 1) await deleteRows(refreshes, { subject: `pi_due${one}` });
    expect(await refill("processor:~")).toEqual({ success: true, marked: 0, fetched: 0, next: null });
    expect((await change("cells/09/snapshots/refill")).status).toBe(404);
    expect((await change(`cells/01/snapshots/refill?after=${"x".repeat(251)}`)).status).toBe(400);
    await until(async () => expect(await idsOf(kept)).toEqual(before));
    await quiet();
    expect(await textOf(kept.payment_intent)).toContain("kept@example.com");
    expect(await textOf(erased.payment_intent)).toContain(erased.charge);
    expect(await textOf(erased.payment_intent)).not.toContain("erased@example.com");
    // The movements are as they were, and nobody gets an event again.
    await until(() => expect(paidEvents(kept)).toHaveLength(1));
    expect(await auditOf("01")).toContainEqual(expect.objectContaining({ action: "snapshots.refill" }));
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

describe("a secret is known to others", () => {
  it("an encryption key: everything is encrypted anew, and works without the old one; agents sign in again", async () => {
    const issued = (await change("partners/acme/keys", { label: "drill", permissions: ["balance_view"] })).body;
    const { access } = await signIn();
    const known = JSON.parse(localSecrets.SECRET_ENCRYPTION_KEYS) as { current: string; keys: Record<string, string> };
    const fresh = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const settings = (keys: Record<string, string>) => ({ SECRET_ENCRYPTION_KEYS: JSON.stringify({ current: "next", keys }) });
    const operator = { Authorization: "Bearer ops-local", "X-Operator": "Maria" };

    const both = deployedWith(settings({ ...known.keys, next: fresh }));
    const done = await both("ops/secrets/re-encrypt", { method: "POST", headers: operator });
    expect(done).toMatchObject({ status: 200, body: { left: 0, undecryptable: [] } });

    const without = deployedWith(settings({ next: fresh }));
    const paid = await pay(["TestUsd1"]);
    await quiet();
    // The Worker of this test cannot read the secret any more: its own attempt fails first.
    await until(async () => expect(await countOf(events, { state: "sending" })).toBe(0));
    const [event] = (await without("ops/deliveries?partner=acme&limit=1", { headers: operator })).body.data;
    expect(await without(`ops/deliveries/${event.event}/resend`, { method: "POST", headers: operator })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(paid.payment_intent).toMatch(/^pi_/);
    // Keys lose their seal, and work on.
    const asks = (headers: Record<string, string>, path: string = LIST) =>
      without(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify({ environment: "test" }),
      });
    expect(await asks({ "X-Partner-Api-Key": issued.key })).toMatchObject({ status: 200, body: { success: true } });
    expect((await asks({ Authorization: `Bearer ${access}` }, "mcp")).status).toBe(401);

    const back = deployedWith({ SECRET_ENCRYPTION_KEYS: JSON.stringify({ ...known, keys: { ...known.keys, next: fresh } }) });
    expect((await back("ops/secrets/re-encrypt", { method: "POST", headers: operator })).body).toMatchObject({
      left: 0,
      undecryptable: [],
    });
  });

  it("OPS_TOKEN: with another one the old one does nothing, nor does a browser that signed in with it", async () => {
    const signedIn = await send("/ops/session", {
      method: "POST",
      headers: { Origin: EDGE, "Content-Type": "application/json" },
      body: JSON.stringify({ token: "ops-local", name: "Maria" }),
    });
    const cookie = (signedIn.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
    expect((await send("/ops/partners", { headers: { Cookie: cookie } })).status).toBe(200);
    const deployed = deployedWith({ OPS_TOKEN: "another-token-of-the-drill" });
    expect((await deployed("ops/partners", { headers: { Authorization: "Bearer ops-local" } })).status).toBe(401);
    expect((await deployed("ops/partners", { headers: { Cookie: cookie } })).status).toBe(401);
    expect((await deployed("ops/partners", { headers: { Authorization: "Bearer another-token-of-the-drill" } })).status).toBe(200);
  });
});
