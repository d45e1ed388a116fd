import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { events, subscriptions } from "../../src/db/schema/index.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import { readSnapshot, snapshotKey } from "../../src/ledger/snapshots.ts";
import type { PaymentFacts } from "../../src/processor/facts.ts";
import { cellDeps } from "../support/cells.ts";
import { seeingFirst } from "../support/first-look.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { dropHeldEvents } from "../support/objects.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { pay, quiet } from "../support/payments.ts";
import { control } from "../support/stack.ts";
import { countOf, fieldOf } from "../support/tables.ts";

const deps = { snapshotBucket: env.SNAPSHOTS };
afterEach(() => {
  resetEffects();
  realTime();
});

/** A refresh that a later one overtakes while it is stored. */

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
    const late = seeingFirst(described("late"), MINUTE);
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
    const overtaken = seeingFirst(described("overtaken"), MINUTE);
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
    await dropHeldEvents();
    const behind = seeingFirst((facts) => facts, MINUTE);
    await refresh(behind, "test", { kind: "subscription", id });
    expect(behind.looks()).toBe(2);
    expect(await fieldOf(subscriptions, "status", { id })).toBe("canceled");
    expect(await countOf(events, { cause: `subscription.ended:${id}` })).toBe(1);
    expect(JSON.stringify(await readSnapshot(deps, snapshotKey("test", id)))).toContain("canceled");
  });
});
