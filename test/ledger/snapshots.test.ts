import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { events, movements, refreshes, subscriptions } from "../../src/db/schema/index.ts";
import { processSubject, receiveProcessorEvents } from "../../src/ledger/processor-events.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import { mergeSnapshot, readSnapshot, type StoredObject, saveSnapshot, snapshotKey } from "../../src/ledger/snapshots.ts";
import { sweepUnattributedMovements } from "../../src/ledger/unattributed.ts";
import type { PaymentFacts, Source } from "../../src/processor/facts.ts";
import { cellDeps, FURTHER_CELLS, withEventQueue } from "../support/cells.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { aroundEffects, countEffects, resetEffects } from "../support/observe.ts";
import { movementOf, pay, payment, quiet } from "../support/payments.ts";
import { storedIds } from "../support/snapshots.ts";
import { control, world } from "../support/stack.ts";
import { countOf, fieldOf, rowOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";
import { virtualTime } from "../support/virtual-time.ts";

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
    expect(mergeSnapshot(stored, seen)).toEqual(wanted);
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
    world.state.events.test.held = world.state.events.test.held.slice(0, 1);
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
    expect(await saveSnapshot(deps, "test/pi_limited", [one], 1)).toBe(true);
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

/** A look at the processor that shows other facts than it has: only the first of them, the next ones see what is so. */
function seeing(change: (facts: PaymentFacts) => PaymentFacts, ago = 0) {
  const real = cellDeps();
  let looks = 0;
  const retrieve = async (source: Source, options: never): Promise<PaymentFacts> => {
    const facts = await real.processor("test").retrieve(source, options);
    looks += 1;
    return looks === 1 ? change(facts) : facts;
  };
  return {
    ...real,
    clock: { now: () => Date.now() - ago },
    processor: () => ({ ...real.processor("test"), retrieve }),
    looks: () => looks,
  };
}

describe("a refresh that is written late", () => {
  const described = (description: string) => (facts: PaymentFacts) => ({
    ...facts,
    objects: facts.objects.map((one) => (one.type === "charge" ? { ...one, data: { ...one.data, description } } : one)),
  });
  const descriptionOf = async (paid: { payment_intent: string; charge: string }) => {
    const stored = await readSnapshot(deps, snapshotKey("test", paid.payment_intent));
    return JSON.parse(stored.find(({ id }) => id === paid.charge)?.data ?? "{}").description ?? null;
  };

  it("changes no snapshot that a later one has found unchanged, and asks once more", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const before = await descriptionOf(paid);
    pass(HOUR);
    await refresh(cellDeps(), "test", { kind: "charge", id: paid.charge });
    const late = seeing(described("late"), MINUTE);
    await refresh(late, "test", { kind: "charge", id: paid.charge });
    expect(late.looks()).toBe(2);
    expect(await descriptionOf(paid)).toBe(before);
  });

  it("is repeated if a later one was stored while it was being written, so that the snapshot is of the later moment", async () => {
    const paid = await pay(["TestUsd1"]);
    await quiet();
    const before = await descriptionOf(paid);
    pass(HOUR);
    let isFirst = true;
    aroundEffects(async (effect, perform) => {
      if (effect !== "r2.put" || !isFirst) return perform();
      isFirst = false;
      // The later one finds all as it is stored, so it writes no snapshot; it only moves on the movement.
      await refresh(cellDeps(), "test", { kind: "charge", id: paid.charge });
      return perform();
    });
    const overtaken = seeing(described("overtaken"), MINUTE);
    await refresh(overtaken, "test", { kind: "charge", id: paid.charge });
    expect(isFirst).toBe(false);
    expect(overtaken.looks()).toBe(2);
    expect(await descriptionOf(paid)).toBe(before);
  });

  it("of a subscription is repeated too, also where only a clock was behind", async () => {
    const paid = await pay(["TestMonthly"]);
    await quiet();
    const id = paid.subscription ?? "";
    pass(HOUR);
    await refresh(cellDeps(), "test", { kind: "subscription", id });
    await control("/end-subscription", { subscription: id });
    world.state.events.test.held = [];
    const behind = seeing((facts) => facts, MINUTE);
    await refresh(behind, "test", { kind: "subscription", id });
    expect(behind.looks()).toBe(2);
    expect(await fieldOf(subscriptions, "status", { id })).toBe("canceled");
    expect(await countOf(events, { cause: `subscription.ended:${id}` })).toBe(1);
    expect(JSON.stringify(await readSnapshot(deps, snapshotKey("test", id)))).toContain("canceled");
  });
});

describe("an event that a partner never got", () => {
  const succeeded = (paid: { balance_transaction: string }) =>
    countOf(events, { cause: `payment.succeeded:processor:${paid.balance_transaction}` });
  const look = (how: ReturnType<typeof seeing>, paid: { charge: string }) => refresh(how, "test", { kind: "charge", id: paid.charge });
  const silent = async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    world.state.events.test.held = [];
    await control("/events", { environment: "test", hold: false });
    return paid;
  };
  const pending = (facts: PaymentFacts): PaymentFacts => ({ ...facts, charge: facts.charge && { ...facts.charge, status: "pending" } });
  const ownerless = (facts: PaymentFacts): PaymentFacts => ({ ...facts, metadata: { partner_id: "somebody-else" } });

  it("comes once the owner is known again, though a look without it has stored the status", async () => {
    const paid = await silent();
    await look(seeing(pending), paid);
    await look(seeing(ownerless), paid);
    expect(await succeeded(paid)).toBe(0);
    await look(
      seeing((facts) => facts),
      paid,
    );
    expect(await succeeded(paid)).toBe(1);
    expect(await fieldOf(movements, "recorded_events", { id: `processor:${paid.balance_transaction}` })).toBe(
      "payment.pending,payment.succeeded,",
    );
  });

  it("comes though an older look, which had nothing to say, made the owner known", async () => {
    const paid = await silent();
    await look(seeing(ownerless), paid);
    const { clock, processor, looks } = seeing(pending, MINUTE);
    await refresh({ ...cellDeps().inDirectory(), clock, processor }, "test", { kind: "charge", id: paid.charge });
    expect(looks()).toBe(1);
    // What was seen later is still in the directory: it is looked up again.
    await sweepUnattributedMovements(cellDeps().inDirectory());
    expect(await succeeded(paid)).toBe(1);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme", status: "completed" });
    expect(await countOf(movements, { id: `processor:${paid.balance_transaction}` })).toBe(1);
  });

  it("comes though the older look was made in the cell, as soon as the sweep has compared", async () => {
    const paid = await silent();
    await look(seeing(ownerless), paid);
    await look(seeing(pending, MINUTE), paid);
    await sweepUnattributedMovements(cellDeps().inDirectory());
    expect(await succeeded(paid)).toBe(1);
    expect(await countOf(movements, { id: `processor:${paid.balance_transaction}` })).toBe(1);
  });
});

describe("events of one payment", () => {
  const event = (id: string, type: string, subject: string, objectId: string) =>
    ({ id, type, subject, environment: "test", objectId, partnerId: "acme" }) as const;
  const quietly = () => {
    const woken: string[] = [];
    const processorEventQueue = {
      send: (ids: readonly string[]) => {
        woken.push(...ids);
        return Promise.resolve();
      },
    };
    return { woken, deps: withEventQueue(processorEventQueue) };
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
    const three = [1, 2, 3].map((number) =>
      event(`evt_together_${number}_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge),
    );
    for (const one of [...three, ...three]) await receiveProcessorEvents(own, [one]);
    expect(woken).toEqual([paid.payment_intent]);
    const { counts } = await countEffects(() => processSubject(own, paid.payment_intent));
    expect(counts).toMatchObject({ processor: 2, d1: 3 + (FURTHER_CELLS > 0 ? 1 : 0) });
    expect(await countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
    // What is worked off wakes nobody when it comes again.
    await receiveProcessorEvents(own, three);
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
    await env.CELL_1.prepare("INSERT INTO refreshes VALUES (?, 'test', 'parked', 14, 0, 'away', ?)")
      .bind(paid.payment_intent, Date.now())
      .run();
    await receiveProcessorEvents(own, [event(`evt_revives_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
    expect(woken).toEqual([paid.payment_intent]);
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
  });

  it("of two refunds that wait together need a lookup each, and no third", async () => {
    const paid = await silentPayment();
    await control("/events", { environment: "test", hold: true });
    const refunds: string[] = [];
    for (const amount of [100, 200]) {
      const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, amount });
      refunds.push(refund);
    }
    world.state.events.test.held = [];
    await control("/events", { environment: "test", hold: false });
    const { deps: own } = quietly();
    await receiveProcessorEvents(
      own,
      refunds.map((refund) => event(`evt_again_${refund}`, "refund.updated", paid.payment_intent, refund)),
    );
    const { counts } = await countEffects(() => processSubject(own, paid.payment_intent));
    expect(counts.processor).toBe(6);
  });

  it("that is not due is left to its own message", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    await receiveProcessorEvents(own, [event(`evt_undue_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
    await updateRows(refreshes, { next_attempt_at: Date.now() + HOUR }, { subject: paid.payment_intent });
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toBeNull();
    expect(woken).toHaveLength(1);
    // One that comes by moments too soon, because clocks differ, is sent again.
    await updateRows(refreshes, { next_attempt_at: Date.now() + 4_000 }, { subject: paid.payment_intent });
    await processSubject(own, paid.payment_intent);
    expect(woken).toHaveLength(2);
    expect(await movementOf(paid)).toBeNull();
  });

  it("a new one of which comes during an attempt that fails is tried soon, even if that attempt was the last", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const paid = await silentPayment();
    const { deps: own } = quietly();
    await receiveProcessorEvents(own, [event(`evt_bad_${paid.charge}`, "charge.dispute.created", paid.payment_intent, "du_unreadable")]);
    await updateRows(refreshes, { attempts: 13 }, { subject: paid.payment_intent });
    let came = false;
    aroundEffects(async (effect, perform) => {
      if (effect !== "processor" || came) return perform();
      came = true;
      await receiveProcessorEvents(own, [event(`evt_new_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
      return perform();
    });
    await processSubject(own, paid.payment_intent);
    resetEffects();
    expect(await rowOf(refreshes, { subject: paid.payment_intent })).toMatchObject({ state: "due", attempts: 0 });
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    log.mockRestore();
  });

  it("of a paid invoice whose payment is not there yet wait for it, though its subscription can be read", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestMonthly"]);
    const invoice = (world.state.order.invoice ?? []).at(-1) ?? "";
    const hidden = world.state.order.invoice_payment ?? [];
    world.state.order.invoice_payment = [];
    world.state.events.test.held = [];
    await control("/events", { environment: "test", hold: false });
    const { deps: own } = quietly();
    const subject = paid.subscription ?? "";
    await receiveProcessorEvents(own, [
      event(`evt_invoice_${invoice}`, "invoice.paid", subject, invoice),
      event(`evt_sub_${subject}`, "customer.subscription.updated", subject, subject),
    ]);
    await processSubject(own, subject);
    expect(await rowOf(refreshes, { subject })).toMatchObject({ state: "due", attempts: 1, last_error: null });
    world.state.order.invoice_payment = hidden;
    pass(MINUTE);
    await processSubject(own, subject);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme", subscription_id: subject });
    expect(await countOf(refreshes, { subject })).toBe(0);
  });

  it("of an unknown type are not kept", async () => {
    const { woken, deps: own } = quietly();
    expect(await receiveProcessorEvents(own, [event("evt_unknown_type", "customer.created", "cus_1", "cus_1")])).toBe(0);
    expect(woken).toEqual([]);
  });
});
