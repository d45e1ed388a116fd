import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { refreshes } from "../../src/db/schema/index.ts";
import { processSubject } from "../../src/ledger/processor-events.ts";
import { mergeSnapshot, readSnapshot, type StoredObject, saveSnapshot } from "../../src/ledger/snapshots.ts";
import { cellDeps } from "../support/cells.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { dropHeldEvents } from "../support/objects.ts";
import { aroundEffects, countEffects, resetEffects } from "../support/observe.ts";
import { movementOf, pay, payment, quiet } from "../support/payments.ts";
import { storedIds } from "../support/snapshots.ts";
import { control } from "../support/stack.ts";
import { countOf, fieldOf } from "../support/tables.ts";
import { until } from "../support/until.ts";
import { virtualTime } from "../support/virtual-time.ts";

const deps = { snapshotBucket: env.SNAPSHOTS };
const object = (id: string, asOf: number, data = "{}"): StoredObject => ({ id, type: "charge", asOf, data });
afterEach(() => {
  resetEffects();
  realTime();
});

/** The processor's objects in R2: one object for each payment, and a late refresh never wins. */

describe("what two refreshes saw", () => {
  it.each<[string, StoredObject[], StoredObject[], StoredObject[] | null]>([
    ["of which nothing is stored", [], [object("a", 1)], [object("a", 1)]],
    ["the later of which found the same", [object("a", 1)], [object("a", 2)], null],
    ["the later of which found a change", [object("a", 1)], [object("a", 2, "[]")], [object("a", 2, "[]")]],
    ["of one moment", [object("a", 1)], [object("a", 1, "[]")], [object("a", 1, "[]")]],
    ["the earlier of which comes late", [object("a", 2)], [object("a", 1, "[]")], null],
    ["each of which saw something else", [object("b", 1)], [object("a", 2)], [object("b", 1), object("a", 2)]],
    [
      "that moves on what it found unchanged, too",
      [object("a", 1), object("b", 1)],
      [object("a", 2), object("b", 2, "[]")],
      [object("a", 2), object("b", 2, "[]")],
    ],
    ["and nothing at all", [object("a", 1)], [], null],
  ])("%s", (_what, stored, seen, wanted) => {
    expect(mergeSnapshot(stored, seen)).toEqual(wanted);
  });
});

describe("a snapshot", () => {
  const seen = (id: string, text = "") => ({ id, type: "charge", data: { id, text } });

  it("is compressed, and comes back as it was stored", async () => {
    const long = "line\nbreak ☕ ".repeat(500);
    expect(await saveSnapshot(deps, "test/pi_whole", [seen("ch_1", long), seen("ch_2")], 7)).toEqual({ hasWritten: true, isErased: false });
    expect((await readSnapshot(deps, "test/pi_whole")).map(({ data, ...about }) => ({ ...about, data: JSON.parse(data) }))).toEqual([
      { id: "ch_1", type: "charge", asOf: 7, data: { id: "ch_1", text: long } },
      { id: "ch_2", type: "charge", asOf: 7, data: { id: "ch_2", text: "" } },
    ]);
    expect((await env.SNAPSHOTS.head("test/pi_whole"))?.size).toBeLessThan(long.length / 10);
    expect(await readSnapshot(deps, "test/pi_none")).toEqual([]);
  });

  it("is not written again where nothing has changed", async () => {
    await saveSnapshot(deps, "test/pi_same", [seen("ch_1")], 1);
    const { result, counts } = await countEffects(() => saveSnapshot(deps, "test/pi_same", [seen("ch_1")], 2));
    expect(result).toEqual({ hasWritten: false, isErased: false });
    expect(counts).toMatchObject({ "r2.get": 1, "r2.put": 0 });
  });

  it.each(["test/pi_both", "test/pi_new"])("of which two refreshes write at once has what both saw: %s", async (key) => {
    if (key === "test/pi_both") await saveSnapshot(deps, key, [seen("ch_0")], 0);
    let reads = 0;
    aroundEffects(async (effect, perform) => {
      const answer = await perform();
      reads += effect === "r2.get" ? 1 : 0;
      // Nobody writes before two have read.
      if (effect === "r2.get") await until(() => expect(reads).toBeGreaterThan(1));
      return answer;
    });
    virtualTime();
    await Promise.all(["ch_1", "ch_2", "ch_3"].map((id, index) => saveSnapshot(deps, key, [seen(id)], index)));
    resetEffects();
    const ids = (await readSnapshot(deps, key)).map(({ id }) => id);
    expect(ids.toSorted()).toEqual([...(key === "test/pi_both" ? ["ch_0"] : []), "ch_1", "ch_2", "ch_3"]);
  });
});

describe("where the bucket fails", () => {
  it.each(["r2.get", "r2.put"] as const)("at %s, nothing is recorded, and the refresh is repeated", async (failing) => {
    virtualTime();
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    aroundEffects((effect, perform) => (effect === failing ? Promise.reject(new Error("R2 is away")) : perform()));
    await dropHeldEvents({ first: 1 });
    await control("/events", { environment: "test", hold: false });
    await expect.poll(() => fieldOf(refreshes, "last_error", { subject: paid.payment_intent })).toContain("R2 is away");
    expect(await movementOf(paid)).toBeNull();
    resetEffects();
    realTime();
    pass(MINUTE);
    await processSubject(cellDeps(), paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    expect(await storedIds(paid.payment_intent)).toContain(paid.charge);
    expect(await countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
    log.mockRestore();
  });

  it("for a moment, as for two writes of one object within a second, it is tried again a second later", async () => {
    virtualTime();
    let puts = 0;
    aroundEffects((effect, perform) => {
      if (effect !== "r2.put") return perform();
      puts += 1;
      return puts === 1 ? Promise.reject(new Error("put: Reduce your concurrent request rate for the same object. (10058)")) : perform();
    });
    const startedAt = Date.now();
    const one = { id: "ch_1", type: "charge", data: { id: "ch_1" } };
    expect(await saveSnapshot(deps, "test/pi_limited", [one], 1)).toMatchObject({ hasWritten: true });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    expect(puts).toBe(2);
  });

  it("operation 6 says so, and does not answer without what it knows", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    aroundEffects((effect, perform) => (effect === "r2.get" ? Promise.reject(new Error("R2 is away")) : perform()));
    expect(await payment(paid.payment_intent)).toMatchObject({ success: false, error_code: "INTERNAL_ERROR" });
    log.mockRestore();
  });
});
