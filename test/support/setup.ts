import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import { loadFixtures } from "../../sandbox/fixtures.ts";
import { cellCodeOf, DIRECTORY } from "../../src/core/cell-code.ts";
import { connectCell, connectDirectory } from "../../src/db/client.ts";
import { requireMigrations } from "../../src/db/migrations.ts";
import { events } from "../../src/db/schema/index.ts";
import { forgetIsolates } from "../../src/isolate.ts";
import { bodyOf } from "../../src/views/event-body.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { expectAudited, forgetChanges } from "./audited.ts";
import { cells, homes } from "./cells.ts";
import { emptyStores } from "./empty-stores.ts";
import { showKeptLog } from "./kept-log.ts";
import { DAY, realTime } from "./later.ts";
import { connectObserver, resetEffects } from "./observe.ts";
import { dropOldMessages } from "./old-messages.ts";
import { connectSandbox, control, SANDBOX } from "./stack.ts";

showKeptLog();
// A property that fails prints its smallest example, and fails again in the next run.
fc.configureGlobal({ seed: Number(env.TEST_SEED) });

const A_YEAR = 365 * DAY;

/** A unit test has no store and sends nothing (`tools/local/unit-tests.ts`). */
const isUnitTest = (JSON.parse(env.UNIT_TESTS) as string[]).some((path) => expect.getState().testPath?.endsWith(path) === true);

/** Test files share workers: each begins with nothing stored, and with nothing remembered from the one before. */
beforeAll(async () => {
  realTime();
  resetEffects();
  await dropOldMessages();
  if (isUnitTest) return;
  forgetIsolates();
  forgetChanges();
  await emptyStores();
  connectSandbox();
  connectObserver();
  await control("/reset", {});
  await applyD1Migrations(env.DIRECTORY, env.DIRECTORY_MIGRATIONS);
  for (const cell of cells) await applyD1Migrations(cell, env.CELL_MIGRATIONS);
  // As an isolate that has written before.
  for (const [databaseName, d1] of [
    [DIRECTORY, env.DIRECTORY] as const,
    ...cells.map((cell, index) => [cellCodeOf(index + 1), cell] as const),
  ])
    await requireMigrations(d1, databaseName)(true);
  const loaded = await loadFixtures({ directory: connectDirectory(env.DIRECTORY), cell: connectCell(env.CELL_1) }, SANDBOX, homes);
  // The first use of a key in an hour is written; test files that count have none of it.
  await env.DIRECTORY.prepare("UPDATE api_keys SET last_used_at = ?1")
    .bind(Date.now() + A_YEAR)
    .run();
  if (!loaded) throw new Error("the directory has partners of an earlier test file");
});

/** Whatever the tests of a file have had sent to partners is of the shape that is documented, to the last field. */
afterAll(async () => {
  if (isUnitTest) return;
  resetEffects();
  const recorded = await Promise.all(cells.map((cell) => connectCell(cell).select().from(events).all()));
  for (const row of recorded.flat()) {
    const sent: unknown = JSON.parse(bodyOf(row));
    expect(allEvents.find((event) => event.name === row.name)?.schema.parse(sent)).toEqual(sent);
  }
});

/** What belongs to somebody is in a cell, and never in the directory too. */
afterAll(async () => {
  if (isUnitTest) return;
  resetEffects();
  for (const table of ["movements", "subscriptions"]) {
    const owned = `SELECT count(*) AS count FROM ${table} WHERE partner_id IS NOT NULL -- by the test`;
    expect([table, await env.DIRECTORY.prepare(owned).first("count")]).toEqual([table, 0]);
  }
});

/** A change that is in no audit log has no holder. */
afterAll(async () => {
  if (isUnitTest) return;
  resetEffects();
  await expectAudited();
});
