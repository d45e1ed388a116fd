import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { refreshes } from "../../src/db/schema/index.ts";
import { buildDeps } from "../../src/deps.ts";
import { processSubject, receiveProcessorEvents } from "../../src/ledger/processor-events.ts";
import { refresh } from "../../src/ledger/refresh.ts";
import { merge, readSnapshot, type StoredObject, saveSnapshot, snapshotKey } from "../../src/ledger/snapshots.ts";
import type { PaymentFacts, Source } from "../../src/processor/facts.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { aroundEffects, countEffects, resetEffects } from "../support/observe.ts";
import { movementOf, pay, payment, quiet } from "../support/payments.ts";
import { storedIds } from "../support/snapshots.ts";
import { control, world } from "../support/stack.ts";
import { countOf, fieldOf } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** The processor's objects in R2: one object for each payment, and a late refresh never wins. */

const deps = { snapshotBucket: env.SNAPSHOTS };
const object = (id: string, asOf: number, data = "{}"): StoredObject => ({ id, type: "charge", asOf, data });
afterEach(() => {
  resetEffects();
  realTime();
});

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
    expect(merge(stored, seen)).toEqual(wanted);
  });
});

describe("a snapshot", () => {
  const seen = (id: string, text = "") => ({ id, type: "charge", data: { id, text } });

  it("is compressed, and comes back as it was stored", async () => {
    const long = "line\nbreak ☕ ".repeat(500);
    expect(await saveSnapshot(deps, "test/pi_whole", [seen("ch_1", long), seen("ch_2")], 7)).toBe(true);
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
    expect(result).toBe(false);
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
    await Promise.all(["ch_1", "ch_2", "ch_3"].map((id, index) => saveSnapshot(deps, key, [seen(id)], index)));
    resetEffects();
    const ids = (await readSnapshot(deps, key)).map(({ id }) => id);
    expect(ids.toSorted()).toEqual([...(key === "test/pi_both" ? ["ch_0"] : []), "ch_1", "ch_2", "ch_3"]);
  });
});

describe("where the bucket fails", () => {
  it.each(["r2.get", "r2.put"] as const)("at %s, nothing is recorded, and the refresh is repeated", async (failing) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    aroundEffects((effect, perform) => (effect === failing ? Promise.reject(new Error("R2 is away")) : perform()));
    world.state.events.test.held = world.state.events.test.held.slice(0, 1);
    await control("/events", { environment: "test", hold: false });
    await expect.poll(() => fieldOf(refreshes, "last_error", { subject: paid.payment_intent })).toContain("R2 is away");
    expect(await movementOf(paid)).toBeNull();
    resetEffects();
    await processSubject(buildDeps(env), paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    expect(await storedIds(paid.payment_intent)).toContain(paid.charge);
    expect(await countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
    log.mockRestore();
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

describe("a refresh that is written late", () => {
  /** Sees the charge with another description, at another time. */
  const looking = (description: string | null, ago: number) => {
    const real = buildDeps(env);
    const retrieve = async (source: Source, options: never): Promise<PaymentFacts> => {
      const facts = await real.processor("test").retrieve(source, options);
      if (description === null) return facts;
      const objects = facts.objects.map((one) => (one.type === "charge" ? { ...one, data: { ...one.data, description } } : one));
      return { ...facts, objects };
    };
    return { ...real, clock: { now: () => Date.now() - ago }, processor: () => ({ ...real.processor("test"), retrieve }) };
  };
  const described = async (paid: { payment_intent: string; charge: string }) => {
    const stored = await readSnapshot(deps, snapshotKey("test", paid.payment_intent));
    return JSON.parse(stored.find(({ id }) => id === paid.charge)?.data ?? "{}").description ?? null;
  };

  it("changes no snapshot that a later one has found unchanged", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const before = await described(paid);
    pass(HOUR);
    await refresh(buildDeps(env), "test", { kind: "charge", id: paid.charge });
    await refresh(looking("late", MINUTE), "test", { kind: "charge", id: paid.charge });
    expect(await described(paid)).toBe(before);
  });

  it("is repeated if a later one was stored while it was being written, so that the snapshot is of the later moment", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const before = await described(paid);
    pass(HOUR);
    let isFirst = true;
    aroundEffects(async (effect, perform) => {
      if (effect !== "r2.put" || !isFirst) return perform();
      isFirst = false;
      // The later one finds all as it is stored, so it writes no snapshot; it only moves on the movement.
      await refresh(buildDeps(env), "test", { kind: "charge", id: paid.charge });
      return perform();
    });
    const once = looking("overtaken", MINUTE);
    let looks = 0;
    const then = { ...once, processor: () => (looks++ === 0 ? once.processor() : buildDeps(env).processor("test")) };
    await refresh({ ...then, clock: { now: () => (isFirst ? once.clock.now() : Date.now()) } }, "test", {
      kind: "charge",
      id: paid.charge,
    });
    expect(isFirst).toBe(false);
    expect(looks).toBe(2);
    expect(await described(paid)).toBe(before);
  });
});

describe("events of one payment", () => {
  const event = (id: string, type: string, subject: string, objectId: string) =>
    ({ id, type, subject, environment: "test", objectId }) as const;
  const quietly = () => {
    const woken: string[] = [];
    const processorEventQueue = {
      send: (ids: readonly string[]) => {
        woken.push(...ids);
        return Promise.resolve();
      },
    };
    return { woken, deps: { ...buildDeps(env), processorEventQueue } };
  };
  const silentPayment = async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    world.state.events.test.held = [];
    await control("/events", { environment: "test", hold: false });
    return paid;
  };

  it("that wait together wake once, and need one refresh", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    const events = [1, 2, 3].map((number) =>
      event(`evt_together_${number}_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge),
    );
    for (const one of [...events, ...events]) await receiveProcessorEvents(own, [one]);
    expect(woken).toEqual([paid.payment_intent]);
    const { counts } = await countEffects(() => processSubject(own, paid.payment_intent));
    expect(counts).toMatchObject({ processor: 2, d1: 3 });
    expect(await countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
    // What is worked off wakes nobody when it comes again.
    await receiveProcessorEvents(own, events);
    expect(woken).toHaveLength(1);
  });

  it("one of which comes while the others are refreshed are refreshed again, for that one", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    await receiveProcessorEvents(own, [event(`evt_first_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
    let came = false;
    aroundEffects(async (effect, perform) => {
      if (effect !== "processor" || came) return perform();
      came = true;
      await receiveProcessorEvents(own, [event(`evt_second_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
      return perform();
    });
    await processSubject(own, paid.payment_intent);
    resetEffects();
    // It did not wake by itself, since its payment was due already; the consumer that found it does.
    expect(woken).toEqual([paid.payment_intent, paid.payment_intent]);
    expect(await fieldOf(refreshes, "attempts", { subject: paid.payment_intent })).toBe(0);
    await processSubject(own, paid.payment_intent);
    expect(await countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
  });

  it("one of which leads to what cannot be read does not hide the money of the others", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const paid = await silentPayment();
    const { deps: own } = quietly();
    await receiveProcessorEvents(own, [
      event(`evt_good_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge),
      event(`evt_bad_${paid.charge}`, "charge.dispute.created", paid.payment_intent, "du_unreadable"),
    ]);
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    expect(await fieldOf(refreshes, "last_error", { subject: paid.payment_intent })).toContain("No such dispute");
    log.mockRestore();
  });

  it("a new one of which comes to a parked payment makes it due again at once", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    await env.DB.prepare("INSERT INTO refreshes VALUES (?, 'test', 'parked', 14, 0, 'away', ?)")
      .bind(paid.payment_intent, Date.now())
      .run();
    await receiveProcessorEvents(own, [event(`evt_revives_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
    expect(woken).toEqual([paid.payment_intent]);
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
  });

  it("of an unknown type are not kept", async () => {
    const { woken, deps: own } = quietly();
    expect(await receiveProcessorEvents(own, [event("evt_unknown_type", "customer.created", "cus_1", "cus_1")])).toBe(0);
    expect(woken).toEqual([]);
  });
});
