import { beforeEach, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../../src/core/clock.ts";
import { processorEvents, refreshes } from "../../src/db/schema/index.ts";
import { sweepRefreshes } from "../../src/ledger/reconcile.ts";
import { cellDeps } from "../support/cells.ts";
import { deleteRows, rowOf, rowsOf, updateRows } from "../support/tables.ts";

/** Look-ups whose message was lost, and those whose attempt never ends: they exhaust the time or memory of their consumers. */

beforeEach(async () => {
  await deleteRows(processorEvents);
  await deleteRows(refreshes);
});

/** A subject with its event that has been due for so long, in milliseconds. */
async function due(subject: string, overdue: number, attempts = 0, failure: "internal" | "refused" | null = null): Promise<void> {
  const { db } = cellDeps();
  const environment = "test" as const;
  await db
    .insert(processorEvents)
    .values({ subject, id: `evt_${subject}`, environment, type: "charge.succeeded", objectId: "ch_1", receivedAt: 1 });
  const refresh = { subject, environment, state: "due", attempts, lastError: null, since: 1, failure } as const;
  await db.insert(refreshes).values({ ...refresh, nextAttemptAt: Date.now() - overdue });
}

/** Runs the sweep, and says which subjects it has enqueued. */
async function sweep(): Promise<string[]> {
  const sent: string[] = [];
  await sweepRefreshes({
    ...cellDeps(),
    processorEventQueue: {
      send(subjects) {
        sent.push(...subjects);
        return Promise.resolve();
      },
    },
  });
  return sent.toSorted();
}

it("one that is overdue is enqueued after half a minute, and keeps its count", async () => {
  await due("pi_early", 29 * SECOND);
  await due("pi_lost", 31 * SECOND, 2);
  expect(await sweep()).toEqual(["pi_lost"]);
  expect(await rowOf(refreshes, { subject: "pi_lost" })).toMatchObject({ attempts: 2, failure: null, last_error: null });
});

it("one that never ends counts as failed after ten minutes, and is parked by its last attempt, although its event waits", async () => {
  await due("pi_heavy", 11 * MINUTE, 5);
  await due("pi_last", 11 * MINUTE, 7, "internal");
  await due("pi_not_yet", 9 * MINUTE, 7);
  // What the processor refused until now may have met a queue that stands still: the next time counts.
  await due("pi_refused", 11 * MINUTE, 8, "refused");
  expect(await sweep()).toEqual(["pi_heavy", "pi_not_yet", "pi_refused"]);
  expect(await rowsOf(refreshes, {})).toMatchObject([
    { subject: "pi_heavy", state: "due", attempts: 6, failure: "internal", last_error: "no attempt finished" },
    { subject: "pi_last", state: "parked", attempts: 8, failure: "internal", last_error: "no attempt finished" },
    { subject: "pi_not_yet", state: "due", attempts: 7, failure: null, last_error: null },
    { subject: "pi_refused", state: "due", attempts: 8, failure: "internal" },
  ]);
  const again = Number((await rowOf(refreshes, { subject: "pi_heavy" }))?.next_attempt_at);
  expect(Math.abs(Date.now() - again)).toBeLessThan(MINUTE);
});

it("one that never ends is parked only once it has waited for a day: the queue itself may stand still for hours", async () => {
  await due("pi_last", 11 * MINUTE, 7, "internal");
  const since = (hours: number) => updateRows(refreshes, { since: Date.now() - hours * HOUR }, { subject: "pi_last" });
  await since(23);
  expect(await sweep()).toEqual(["pi_last"]);
  expect(await rowOf(refreshes, { subject: "pi_last" })).toMatchObject({ state: "due", attempts: 7 });
  await updateRows(refreshes, { next_attempt_at: Date.now() - 11 * MINUTE }, { subject: "pi_last" });
  await since(25);
  expect(await sweep()).toEqual([]);
  expect(await rowOf(refreshes, { subject: "pi_last" })).toMatchObject({ state: "parked", attempts: 8 });
});

it("many of them at once are all tried again, and hide none whose message was lost just now", async () => {
  const { db } = cellDeps();
  const rows = (name: string, count: number, overdue: number) =>
    db.$client
      .prepare(
        `WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ?1)
          INSERT INTO refreshes (subject, environment, state, attempts, next_attempt_at, since) SELECT ?2 || v, 'test', 'due', 0, ?3 + v, 1 FROM n`,
      )
      .bind(count, name, Date.now() - overdue)
      .run();
  await rows("pi_dead_", 2_001, 20 * MINUTE);
  await rows("pi_lost_", 3, MINUTE);
  const sent = await sweep();
  expect(sent.filter((subject) => subject.startsWith("pi_lost_"))).toHaveLength(3);
  expect(sent.filter((subject) => subject.startsWith("pi_dead_"))).toHaveLength(2_000);
  expect((await sweep()).filter((subject) => subject.startsWith("pi_dead_"))).toHaveLength(1);
});
