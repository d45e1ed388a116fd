import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { loadFixtures } from "../../sandbox/fixtures.ts";
import { connectCell, connectDirectory } from "../../src/db/client.ts";
import { events } from "../../src/db/schema/index.ts";
import { bodyOf } from "../../src/views/event-body.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { realTime } from "./later.ts";
import { connectObserver, resetEffects } from "./observe.ts";
import { connectSandbox, SANDBOX } from "./stack.ts";

beforeAll(async () => {
  connectSandbox();
  connectObserver();
  await applyD1Migrations(env.DIRECTORY, env.DIRECTORY_MIGRATIONS);
  await applyD1Migrations(env.CELL_1, env.CELL_MIGRATIONS);
  await loadFixtures({ directory: connectDirectory(env.DIRECTORY), cell: connectCell(env.CELL_1) }, SANDBOX);
});

const EVENTS_UNDER_WAY =
  "SELECT count(*) AS count FROM events WHERE state = 'sending' OR (state = 'pending' AND next_attempt_at <= ?1) -- by the test";
const REFRESHES_UNDER_WAY = "SELECT count(*) AS count FROM refreshes WHERE state = 'due' AND next_attempt_at <= ?1 -- by the test";

/** Whatever the tests of a file have had sent to partners is of the shape that is documented, to the last field. */
afterAll(async () => {
  resetEffects();
  const recorded = await connectCell(env.CELL_1).select().from(events).all();
  for (const row of recorded) {
    const sent: unknown = JSON.parse(bodyOf(row));
    expect(allEvents.find((event) => event.name === row.name)?.schema.parse(sent)).toEqual(sent);
  }
});

/** What belongs to somebody is in a cell, and never in the directory too. */
afterAll(async () => {
  resetEffects();
  for (const table of ["movements", "subscriptions"]) {
    const owned = `SELECT count(*) AS count FROM ${table} WHERE partner_id IS NOT NULL -- by the test`;
    expect([table, await env.DIRECTORY.prepare(owned).first("count")]).toEqual([table, 0]);
  }
});

/**
 * The runtime never ends where a queue's message is being worked off at that moment. So it is waited for; not for long,
 * since a test may leave rows that nobody works on.
 */
afterAll(async () => {
  resetEffects();
  realTime();
  const idle = async () => {
    for (const db of [env.CELL_1, env.DIRECTORY]) expect(await db.prepare(REFRESHES_UNDER_WAY).bind(Date.now()).first("count")).toBe(0);
    expect(await env.CELL_1.prepare(EVENTS_UNDER_WAY).bind(Date.now()).first("count")).toBe(0);
  };
  await vi.waitFor(idle, { timeout: 3_000, interval: 100 }).catch(() => undefined);
});
