import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { events, movements, processorEvents, reconciliations, subscriptions } from "../../src/db/schema/index.ts";
import { sweepBalanceTransactions, sweepMissedEvents } from "../../src/ledger/reconcile.ts";
import type { ProcessorCall } from "../../src/processor/port.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, MINUTE, pass, SECOND } from "../support/later.ts";
import { changeObject, dropHeldEvents } from "../support/objects.ts";
import { movementOf, type Paid, pay, quiet } from "../support/payments.ts";
import { withMethods } from "../support/processor.ts";
import { isFull } from "../support/scale.ts";
import { control, processorCalls, world } from "../support/stack.ts";
import { countOf, emptyTables, fieldOf, rowsOf } from "../support/tables.ts";

beforeEach(async () => {
  await control("/reset", {});
  await emptyTables(movements, processorEvents, reconciliations);
});
afterEach(() => {
  vi.useRealTimers();
});

const progress = async () =>
  Object.fromEntries(
    (await rowsOf(reconciliations, {}, { columns: ["name", "compared_until", "missing_count"] })).map(({ name, ...rest }) => [name, rest]),
  );

describe("events that never came", () => {
  it("are found where no money moved: a subscription's end, a dispute that was lost, a slow payment that went well", async () => {
    const { subscription } = await pay(["TestMonthly"]);
    const slow = await pay(["TestUsd1"], { outcome: "pending" });
    const lost = await pay(["TestUsd1"]);
    const { dispute } = await control<{ dispute: string }>("/dispute", { payment_intent: lost.payment_intent });
    await quiet();
    await control("/events", { environment: "test", hold: true });
    await control("/end-subscription", { subscription });
    await control("/settle", { payment_intent: slow.payment_intent, outcome: "succeeded" });
    await control("/dispute/close", { dispute, won: false });
    await dropHeldEvents();
    pass(2 * MINUTE);
    expect(await sweepBalanceTransactions(cellDeps(), "test")).toBe(0);
    expect(await sweepMissedEvents(cellDeps(), "test")).toBe(3);
    await quiet();
    expect(await movementOf(slow)).toMatchObject({ status: "completed" });
    expect(await fieldOf(subscriptions, "status", { id: subscription })).toBe("canceled");
    expect(await countOf(events, { name: "Processor.dispute.lost" })).toBe(1);
    expect(await sweepMissedEvents(cellDeps(), "test")).toBe(0);
  });

  it("are left alone in their first minute, and stored once where they come after all", async () => {
    await control("/events", { environment: "test", hold: true });
    await pay(["TestUsd1"]);
    expect(await sweepMissedEvents(cellDeps(), "test")).toBe(0);
    pass(2 * MINUTE);
    expect(await sweepMissedEvents(cellDeps(), "test")).toBe(2);
    await control("/events", { environment: "test", hold: false });
    await quiet();
    expect(await countOf(processorEvents)).toBe(3);
  });

  it("are of the other environment in the other environment alone", async () => {
    await control("/events", { environment: "test", hold: true });
    await pay(["TestUsd1"]);
    pass(2 * MINUTE);
    expect(await sweepMissedEvents(cellDeps(), "live")).toBe(0);
  });
});

describe("a balance transaction that the ledger lacks", () => {
  async function missed(change: (transaction: Record<string, unknown>) => void): Promise<Paid> {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    await dropHeldEvents();
    change(world.state.objects[paid.balance_transaction] ?? {});
    pass(2 * MINUTE);
    expect(await sweepBalanceTransactions(cellDeps(), "test")).toBe(1);
    return paid;
  }

  it("brings its whole payment with it", async () => {
    const paid = await missed(() => undefined);
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme", type: "processor_payment_in", source_id: paid.charge });
  });

  it.each([
    ["belongs to nothing", { source: null, type: "adjustment" }],
    ["is of a type that nobody has heard of", { source: null, type: "payment_of_a_new_kind" }],
    ["belongs to something that is shown to nobody", { source: "ch_gone" }],
  ])("is kept without a partner where it %s", async (_what, change) => {
    const paid = await missed((transaction) => Object.assign(transaction, change));
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: null, type: null, status: "completed", amount: 1900 });
  });

  it("whose charge the processor will not show is kept all the same", async () => {
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 100, kind: "http_400" });
    const paid = await missed(() => undefined);
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: null, type: null, amount: 1900 });
    await control("/faults", undefined, "DELETE");
  });

  it.each(["payout", "stripe_fee", "transfer", "topup", "tax_fee", "application_fee", "reserved_funds", "issuing_transaction"])(
    "is none of a partner's where it is a %s",
    async (type) => {
      await control("/events", { environment: "test", hold: true });
      const paid = await pay(["TestUsd1"]);
      await dropHeldEvents();
      await changeObject(paid.balance_transaction, { type });
      pass(2 * MINUTE);
      expect(await sweepBalanceTransactions(cellDeps(), "test")).toBe(0);
    },
  );

  it("that was listed only after its moment had been compared is found a day later", async () => {
    await control("/events", { environment: "test", hold: true });
    pass(3 * HOUR);
    await cron.sweep("balance_transactions_test");
    const paid = await pay(["TestUsd1"]);
    await dropHeldEvents();
    const transaction = world.state.objects[paid.balance_transaction];
    if (transaction !== undefined) transaction.created -= 2 * 3600;
    pass(2 * MINUTE);
    expect(await sweepBalanceTransactions(cellDeps(), "test")).toBe(0);
    pass(DAY);
    expect(await sweepBalanceTransactions(cellDeps(), "test")).toBe(1);
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme" });
    expect((await progress())["balance_transactions:test:day_later"]).toMatchObject({ missing_count: 1 });
  });
});

const payoutTransaction = {
  id: "txn_payout",
  type: "payout",
  amount: -1,
  fee: 0,
  net: -1,
  currency: "USD",
  created: 0,
  availableAt: 0,
  description: null,
  reportingCategory: "payout",
};

describe("a backlog", () => {
  /** A processor that lists two transactions a second since ever, and takes its time for each page of 100. */
  function busy(perSecond: number, pageTime: number) {
    const deps = cellDeps();
    let now = Date.now();
    const clock = { now: () => now };
    const listBalanceTransactions = async (from: number, to: number, limit: number, { budget }: Pick<ProcessorCall, "budget">) => {
      const count = Math.min(Math.floor(((to - from) / SECOND) * perSecond), limit);
      for (let page = 0; page < Math.max(1, count / 100); page += 1) {
        if (budget.remaining() < pageTime) {
          now += budget.remaining();
          const { ServiceFailure } = await import("../../src/core/errors.ts");
          throw new ServiceFailure({ kind: "upstream_timeout", upstream: "processor" });
        }
        now += pageTime;
      }
      return Array.from({ length: count }, () => ({ ...payoutTransaction }));
    };
    return {
      deps: { ...deps, clock, processor: () => withMethods(deps.processor("test"), { listBalanceTransactions }) },
      wait: (milliseconds: number) => {
        now += milliseconds;
      },
    };
  }

  it.each([
    [2, 700],
    [20, 300],
  ])("of %d transactions a second is worked off, run by run, at %d ms a page", async (perSecond, pageTime) => {
    const { deps, wait } = busy(perSecond, pageTime);
    const cursor = async () => (await progress())["balance_transactions:test"]?.compared_until ?? 0;
    const behind = [deps.clock.now() - DAY];
    const runs = isFull ? 12 : 3;
    for (let run = 0; run < runs; run += 1) {
      const before = await cursor();
      await sweepBalanceTransactions(deps, "test");
      expect(await cursor()).toBeGreaterThan(before + 2 * MINUTE);
      behind.push(await cursor());
      wait(20 * SECOND);
    }
    expect((behind.at(-1) ?? 0) - (behind[0] ?? 0)).toBeGreaterThan(runs * 5 * MINUTE);
  });
});

it("that gets through nothing at all says so", async () => {
  const deps = cellDeps();
  const timeOut = async (_from: number, _to: number, _limit: number, { budget }: Pick<ProcessorCall, "budget">) => {
    now += budget.remaining();
    const { ServiceFailure } = await import("../../src/core/errors.ts");
    throw new ServiceFailure({ kind: "upstream_timeout", upstream: "processor" });
  };
  let now = Date.now();
  const dead = {
    ...deps,
    clock: { now: () => now },
    processor: () => withMethods(deps.processor("test"), { listBalanceTransactions: timeOut }),
  };
  await expect(sweepBalanceTransactions(dead, "test")).rejects.toThrow("upstream_timeout");
});

it("asks little where there is little", async () => {
  await cron();
  const since = Date.now() + 1;
  pass(MINUTE);
  await cron();
  const lists = (await processorCalls(since)).filter(({ path }) => /balance_transactions|events/.test(path));
  expect(lists).toHaveLength(4);
});
