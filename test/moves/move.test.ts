import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildDeps } from "../../src/build-deps.ts";
import { CallBudget } from "../../src/core/call-budget.ts";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import { isPartnerMovedError } from "../../src/core/partner-moved.ts";
import { atRest, between, type Selection, unfinishedAfter, withKeys } from "../../src/db/kind-rows.ts";
import { movedCounts, movedKinds } from "../../src/db/moved-rows.ts";
import { partners } from "../../src/db/schema/index.ts";
import { beginMove, cancelMove, listMoves } from "../../src/moves/admin.ts";
import { continueMove } from "../../src/moves/move.ts";
import { findIncomingMove, MoveTaken, takeMove, writeToTarget } from "../../src/moves/store.ts";
import { ANNA } from "../support/actor.ts";
import { allInFirstCell, ONE_CELL } from "../support/cells.ts";
import { HOUR, MINUTE } from "../support/later.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { addRow, allRowsOf, stock } from "../support/partner-rows.ts";
import { isFull, someOf } from "../support/scale.ts";
import { rowOf, updateRows } from "../support/tables.ts";

/** A deployment with two cells. Time is the test's own. */

const [FIRST, SECOND] = [cellCodeOf(1), cellCodeOf(2)];
const PARTNER = "acme";
const own = buildDeps({ ...ONE_CELL, CELL_2: env.SECOND_CELL });
let now = Date.now();
const clock = { now: () => now };
const deps = { ...own, clock };
const target = () => ({ ...own.inCell(SECOND), clock });
const source = own.inCell(FIRST).db;

let seed = 0;
function random(): number {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
}

const tables = [
  ...movedKinds.flatMap(({ table, children }) => [...children.map((child) => child.table.name), table.name]),
  ...movedCounts.map(({ name }) => name),
];

async function clear(db: D1Database): Promise<void> {
  await db.batch(["arrivals", "departures", "departure_changes", ...tables].map((name) => db.prepare(`DELETE FROM ${name}`)));
}

beforeAll(async () => {
  await applyD1Migrations(env.SECOND_CELL, env.CELL_MIGRATIONS);
  await allInFirstCell();
});

beforeEach(async () => {
  seed = 26;
  await clear(env.CELL_1);
  await clear(env.SECOND_CELL);
  await updateRows(partners, { cell: FIRST }, { id: PARTNER });
  await env.DIRECTORY.prepare("DELETE FROM earlier_cells").run();
  await stock(env.CELL_1, PARTNER, random, now);
  await stock(env.CELL_1, "globex", random, now);
  await stock(env.SECOND_CELL, "initech", random, now);
});
afterEach(resetEffects);
afterAll(async () => {
  await clear(env.CELL_1);
  await clear(env.SECOND_CELL);
  await updateRows(partners, { cell: FIRST }, { id: PARTNER });
  await env.DIRECTORY.prepare("DELETE FROM earlier_cells").run();
});

const begin = (splits = false) => beginMove(deps, { partnerId: PARTNER, to: SECOND, splits }, ANNA);
const goOn = () => continueMove(target(), PARTNER, new CallBudget(clock, HOUR));

/** One step, and no more. */
const step = () => continueMove(target(), PARTNER, new CallBudget(clock, HOUR), { most: 1 });

const cellOf = async () => (await rowOf(partners, { id: PARTNER }))?.cell;
const triggers = () => env.CELL_1.prepare("SELECT count(*) AS count FROM sqlite_master WHERE type = 'trigger'").first("count");

/** Ends the move after its data is in the new cell. */
async function finish(): Promise<void> {
  now += HOUR;
  expect(await goOn()).toBeNull();
  expect(Object.values(await allRowsOf(env.CELL_1, PARTNER)).flat()).toEqual([]);
}

it("moves all rows of a partner, and no row of another one", async () => {
  const before = await allRowsOf(env.CELL_1, PARTNER);
  const [neighbour, resident] = [await allRowsOf(env.CELL_1, "globex"), await allRowsOf(env.SECOND_CELL, "initech")];
  for (const [name, rows] of Object.entries(before)) expect([name, rows.length > 0]).toEqual([name, true]);
  expect(await begin()).toBeNull();
  expect(await goOn()).toMatchObject({ phase: "switched", problem: null });
  expect(await cellOf()).toBe(SECOND);
  expect(await allRowsOf(env.SECOND_CELL, PARTNER)).toEqual(before);
  // What something is to be done with is gone at once, the rest a little later.
  const left = await env.CELL_1.prepare("SELECT DISTINCT state FROM events WHERE partner_id = ?").bind(PARTNER).all<{ state: string }>();
  expect(left.results.map(({ state }) => state).toSorted()).toEqual(["completed", "exhausted"]);
  now += 5 * MINUTE - 1;
  expect(await goOn()).toMatchObject({ phase: "switched", kind: 0 });
  now += 1;
  expect(await goOn()).toMatchObject({ phase: "switched", kind: movedKinds.length });
  expect(Object.values(await allRowsOf(env.CELL_1, PARTNER)).flat()).toEqual([]);
  expect(await allRowsOf(env.CELL_1, "globex")).toEqual(neighbour);
  expect(await allRowsOf(env.SECOND_CELL, "initech")).toEqual(resident);
  expect(await triggers()).toBeGreaterThan(0);
  await finish();
  expect([await triggers(), await listMoves(deps)]).toEqual([0, []]);
  expect(await rowOf(partners, { id: PARTNER })).toMatchObject({ cell: SECOND, id_code: FIRST });
});

it("goes on while its partner changes rows all the time, and has each as it was changed last", async () => {
  expect(await begin()).toBeNull();
  const touchRows = (to: number) => env.CELL_1.prepare("UPDATE movements SET updated_at = ?1 WHERE partner_id = 'acme'").bind(to).run();
  let phase = "copying";
  for (let steps = 1; phase === "copying" && steps < 200; steps += 1) {
    await touchRows(steps);
    phase = (await step())?.phase ?? "none";
  }
  expect(phase).toBe("verifying");
  const changed = (await allRowsOf(env.CELL_1, PARTNER)).movements;
  expect(await goOn()).toMatchObject({ phase: "switched", problem: null });
  expect((await allRowsOf(env.SECOND_CELL, PARTNER)).movements).toEqual(changed);
});

it("copies what a code was changed to before the new one with its text, however many changes wait", async () => {
  await env.CELL_1.prepare("DELETE FROM promotion_codes WHERE partner_id = ?").bind(PARTNER).run();
  const { code } = await copiesOfCode("a", 301);
  expect(await begin()).toBeNull();
  const copied = () =>
    env.SECOND_CELL.prepare("SELECT count(*) FROM promotion_codes WHERE partner_id = ?").bind(PARTNER).first<number>("count(*)");
  while ((await copied()) === 0) await step();
  // The walk is among the codes. Each is changed again, and then the first one's text goes to one that is still to come.
  await env.CELL_1.prepare("UPDATE promotion_codes SET percent_off = 7 WHERE partner_id = ?").bind(PARTNER).run();
  await env.CELL_1.prepare("UPDATE promotion_codes SET deactivated_at = 1 WHERE code = ? AND partner_id = ?").bind(code, PARTNER).run();
  await copiesOfCode("b", 1, code);
  expect(await goOn()).toMatchObject({ phase: "switched", problem: null });
  expect(await copied()).toBe(302);
});

/** Codes with the texts `from`001 and so on, or with one text. Returns the first. */
async function copiesOfCode(from: string, count: number, text: string | null = null): Promise<{ code: string }> {
  const numbers = Array.from({ length: count }, (_, index) => `${from}${String(index + 1).padStart(3, "0")}`);
  const insert = `INSERT INTO promotion_codes (id, partner_id, environment, coupon_id, code, product_ids, percent_off, duration, source, created_at)
    VALUES (?1, ?2, 'test', 'coupon', ?3, '[]', 5, 'once', 'api', 0)`;
  await env.CELL_1.batch(numbers.map((number) => env.CELL_1.prepare(insert).bind(`promo_${number}`, PARTNER, text ?? number)));
  return { code: text ?? `${from}001` };
}

it("splits a partner: what is at rest stays, and what something may still happen to goes", async () => {
  const linkId = await addRow(env.CELL_1, "payment_links", PARTNER, random);
  const progress = JSON.stringify({ steps: { payment_link: { id: linkId } }, notes: {} });
  await addRow(env.CELL_1, "idempotency_records", PARTNER, random, { state: "awaiting_short_link", progress, updated_at: now - HOUR });
  // One at least has no limits of which the processor has to hear.
  await addRow(env.CELL_1, "payment_links", PARTNER, random, { limits_due: null });
  // Its endpoint goes, and sends what it kept when it is resumed.
  await addRow(env.CELL_1, "events", PARTNER, random, { state: "suspended", endpoint_id: `ep_${PARTNER}_live` });
  const before = await allRowsOf(env.CELL_1, PARTNER);
  expect(await begin(true)).toBeNull();
  expect(await goOn()).toMatchObject({ phase: "switched", splits: true, problem: null });
  now += HOUR;
  expect(await goOn()).toBeNull();
  expect(await rowOf(partners, { id: PARTNER })).toMatchObject({ cell: SECOND, id_code: FIRST });
  expect(await env.DIRECTORY.prepare("SELECT cell, until FROM earlier_cells WHERE partner_id = ?").bind(PARTNER).all()).toMatchObject({
    results: [{ cell: FIRST, until: now - HOUR }],
  });
  const [stayed, came] = [await allRowsOf(env.CELL_1, PARTNER), await allRowsOf(env.SECOND_CELL, PARTNER)];
  const whole = ["movements", "promotion_codes", "daily_payments", "daily_deliveries"];
  const gone = ["subscriptions", "endpoints", "endpoint_secrets", "daily_records"];
  for (const name of whole) expect([name, stayed[name]]).toEqual([name, before[name]]);
  for (const name of gone) expect([name, came[name]]).toEqual([name, before[name]]);
  const stateOf = (rows: readonly string[] = []) => rows.map((row): string => JSON.parse(row).state).toSorted();
  // The newest event goes too: those that follow have a later time.
  const all = (before.events ?? []).map((row): { state: string; endpoint_id: string; created_at: number; id: string } => JSON.parse(row));
  const keyOf = ({ created_at, id }: (typeof all)[number]) => `${String(created_at).padStart(15, "0")} ${id}`;
  const isNewest = (one: (typeof all)[number]) => all.every((other) => other.endpoint_id !== one.endpoint_id || keyOf(other) <= keyOf(one));
  const wanted = all.filter((one) => ["pending", "suspended"].includes(one.state) || isNewest(one)).map(({ state }) => state);
  expect(wanted.toSorted()).toEqual(expect.arrayContaining(["pending", "suspended"]));
  expect(stateOf(came.events)).toEqual(wanted.toSorted());
  expect(stateOf(came.idempotency_records)).toEqual(["awaiting_short_link", "failed", "running"]);
  // The link of what is unfinished, and those whose limits the processor has to hear of.
  const links = (before.payment_links ?? []).map((row) => JSON.parse(row));
  const closing = links.filter((one) => one.limits_due !== null);
  const goes = new Set([linkId, ...closing.map(({ id }): string => id)]);
  expect(came.payment_links?.map((row): string => JSON.parse(row).id).toSorted()).toEqual([...goes].toSorted());
  expect(goes.size).toBeLessThan(links.length);
  expect([came.bank_payments?.length, stayed.bank_payments?.length]).toEqual([1, 3]);
  expect(await beginMove(deps, { partnerId: PARTNER, to: FIRST, splits: true }, ANNA)).toBe("has_earlier_part");
});

/** The rows that a cron deletes once they are old: also those of a closed cell, whose copies expire in the new one. */
const EXPIRING = new Set(["events", "idempotency_records"]);

/** What a partner's requests and deliveries do meanwhile: one change of one row. Throws if it is refused. */
async function change(): Promise<void> {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const { table, key, children } = pick(movedKinds);
  const { results } = await env.CELL_1.prepare(`SELECT * FROM ${table.name} WHERE partner_id = ?`)
    .bind(PARTNER)
    .all<Record<string, string>>();
  const row = results.length === 0 ? undefined : pick(results);
  const [child] = children;
  const way = random();
  const run = (text: string, ...values: unknown[]) =>
    env.CELL_1.prepare(text)
      .bind(...values)
      .run();
  if (row === undefined || (way < 0.3 && table.name !== "endpoints")) {
    await addRow(env.CELL_1, table.name, PARTNER, random);
  } else if (way < 0.4 && EXPIRING.has(table.name)) {
    if (child !== undefined) await run(`DELETE FROM ${child.table.name} WHERE ${child.column} = ?`, row[child.of]);
    await run(`DELETE FROM ${table.name} WHERE ${key} = ?`, row[key]);
  } else if (way < 0.6 && "state" in row) {
    const state = pick(table.name === "events" ? ["pending", "succeeded", "suspended"] : ["running", "completed", "failed"]);
    await run(`UPDATE ${table.name} SET state = ? WHERE ${key} = ?`, state, row[key]);
  } else if (way < 0.8 && table.name === "events") {
    const number = 10 + Math.floor(random() * 1e6);
    await run("INSERT OR IGNORE INTO delivery_attempts (event_id, number, at, duration_ms, manual) VALUES (?, ?, 1, 1, 0)", row.id, number);
  } else {
    await run(`UPDATE ${table.name} SET environment = ? WHERE ${key} = ?`, pick(["live", "test"]), row[key]).catch(
      async (thrown: unknown) => {
        // A table without an environment, or two endpoints of one.
        if (isPartnerMovedError(thrown)) throw thrown;
        const column = "created_at" in row ? "created_at" : "closed_at";
        await run(`UPDATE ${table.name} SET ${column} = ${column} + 1 WHERE ${key} = ?`, row[key]);
      },
    );
  }
}

let refusals = 0;

const histories = [1, 2, 3, 4, 5, 6].flatMap(
  (number) =>
    [
      { what: "move", number },
      { what: "split", number },
    ] as const,
);

it.each(someOf(histories))(
  "a $what loses and doubles nothing, whoever writes meanwhile and wherever it is cut off ($number)",
  async ({ what, number }) => {
    seed = number * 7_919;
    const splits = what === "split";
    const resident = await allRowsOf(env.SECOND_CELL, "initech");
    await begin(splits);
    let truth = await allRowsOf(env.CELL_1, PARTNER);
    let [cuts, refused] = [0, 0];
    for (let [done, calls] = [false, 0]; !done; calls += 1) {
      if (calls > 300) expect.fail(`it does not come to an end: ${JSON.stringify(await listMoves(deps))}`);
      let left = 4 + Math.floor(random() * 40);
      const isAfter = random() < 0.5;
      aroundEffects(async (effect, perform) => {
        if (effect !== "d1" || left === 0) return perform();
        left -= 1;
        if (left > 0) return perform();
        cuts += 1;
        // Its work was done, or not: whoever waited for it does not know.
        if (isAfter) await perform();
        throw new Error("the runtime was killed");
      });
      try {
        const move = await goOn();
        done = move === null;
        if (move?.phase === "switched") now += HOUR;
      } catch (thrown) {
        if (left > 0) throw thrown;
      } finally {
        resetEffects();
      }
      if ((await cellOf()) === SECOND) continue;
      for (let changes = Math.floor(random() * 3); changes > 0; changes -= 1) {
        try {
          await change();
          truth = await allRowsOf(env.CELL_1, PARTNER);
        } catch (thrown) {
          if (!isPartnerMovedError(thrown)) throw thrown;
          refused += 1;
        }
      }
    }
    const [stayed, came] = [await allRowsOf(env.CELL_1, PARTNER), await allRowsOf(env.SECOND_CELL, PARTNER)];
    for (const [name, rows] of Object.entries(truth)) {
      expect([name, [...(stayed[name] ?? []), ...(came[name] ?? [])].toSorted()]).toEqual([name, rows]);
    }
    expect(await allRowsOf(env.SECOND_CELL, "initech")).toEqual(resident);
    expect(cuts).toBeGreaterThan(3);
    refusals += refused;
    for (const [name, rows] of Object.entries(stayed)) expect([name, splits || rows.length === 0]).toEqual([name, true]);
    expect([await triggers(), await listMoves(deps)]).toEqual([0, []]);
  },
);

// By default one history is tried, which may have none of them.
it.runIf(isFull)("has met writes after the close, too", () => {
  expect(refusals).toBeGreaterThan(0);
});

describe("once the old cell is closed", () => {
  const closed = async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "finishing"; ) phase = (await step())?.phase;
  };
  const run = (text: string, ...values: unknown[]) =>
    env.CELL_1.prepare(text)
      .bind(...values)
      .run();

  it.each(someOf(movedKinds.map(({ table }) => table.name).filter((name) => name !== "events")))(
    "it refuses to add to %s, or to change it",
    async (name) => {
      await closed();
      const before = await allRowsOf(env.CELL_1, PARTNER);
      const fixed = name === "endpoints" ? { id: "ep_other", environment: "other" } : {};
      await expect(addRow(env.CELL_1, name, PARTNER, random, fixed)).rejects.toThrow("partner_moved");
      const { table, leftOut, children } = movedKinds.find((kind) => kind.table.name === name) ?? expect.fail(name);
      const column = table.columns.find((one) => ["environment", "operation", "currency"].includes(one));
      await expect(run(`UPDATE ${name} SET ${column} = 'changed' WHERE partner_id = ?`, PARTNER)).rejects.toThrow("partner_moved");
      for (const child of children) {
        const set = child.table.columns.find((one) => ["payload", "encrypted", "terminal"].includes(one));
        await expect(run(`UPDATE ${child.table.name} SET ${set} = 'changed'`)).rejects.toThrow("partner_moved");
      }
      // What is updated of many at once leaves theirs out.
      for (const one of leftOut) await run(`UPDATE ${name} SET ${one} = 7`);
      expect(await allRowsOf(env.CELL_1, PARTNER)).toEqual(before);
      // A neighbour notices nothing.
      await addRow(env.CELL_1, name, "globex", random, fixed);
    },
  );

  it("it refuses new terms, which are answered as set", async () => {
    await closed();
    const set = (partner: string) =>
      run(
        "INSERT INTO terms (partner_id, currency, since, basis_points, fixed, holder, created_at) VALUES (?, 'USD', 0, 1, 0, 'x', 0)",
        partner,
      );
    await expect(set(PARTNER)).rejects.toThrow("partner_moved");
    await set("globex");
  });

  it("it refuses new events, and what an update of many says of theirs is left out", async () => {
    await closed();
    await expect(addRow(env.CELL_1, "events", PARTNER, random)).rejects.toThrow("partner_moved");
    await expect(run("UPDATE events SET payload = '' WHERE partner_id = ?", PARTNER)).rejects.toThrow("partner_moved");
    const before = await allRowsOf(env.CELL_1, PARTNER);
    const claimed = await run("UPDATE events SET state = 'sending', claimed_at = 1 WHERE state = 'pending'");
    expect(claimed.meta.changes).toBe(1);
    expect(await allRowsOf(env.CELL_1, PARTNER)).toEqual(before);
    const { state } =
      (await env.CELL_1.prepare("SELECT state FROM events WHERE partner_id = 'globex' AND claimed_at = 1").first<{ state: string }>()) ??
      {};
    expect(state).toBe("sending");
  });

  it("it refuses them for an hour after the move, because somebody may not know of it yet", async () => {
    await begin();
    await goOn();
    await expect(addRow(env.CELL_1, "movements", PARTNER, random)).rejects.toThrow("partner_moved");
    now += HOUR - 1;
    expect(await goOn()).toMatchObject({ phase: "switched" });
    await expect(addRow(env.CELL_1, "movements", PARTNER, random)).rejects.toThrow("partner_moved");
    now += 1;
    expect(await goOn()).toBeNull();
    await addRow(env.CELL_1, "movements", PARTNER, random);
  });
});

describe("what is copied", () => {
  it("is not touched by what deletes or updates many rows in the new cell, until it counts", async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "verifying"; ) phase = (await step())?.phase;
    const copies = await allRowsOf(env.SECOND_CELL, PARTNER);
    for (const { table, key, children } of movedKinds) {
      await env.SECOND_CELL.prepare(`UPDATE ${table.name} SET ${key} = ${key} WHERE partner_id = ?`).bind(PARTNER).run();
      for (const child of children) {
        const whose = `SELECT ${child.of} FROM ${table.name} WHERE partner_id = ?`;
        await env.SECOND_CELL.prepare(`DELETE FROM ${child.table.name} WHERE ${child.column} IN (${whose})`).bind(PARTNER).run();
      }
      await env.SECOND_CELL.prepare(`DELETE FROM ${table.name} WHERE partner_id = ?`).bind(PARTNER).run();
    }
    expect(await allRowsOf(env.SECOND_CELL, PARTNER)).toEqual(copies);
  });

  it("is copied once in the end, and is the new cell's from then on", async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "finishing"; ) phase = (await step())?.phase;
    await step();
    const resumed = env.SECOND_CELL.prepare(
      "UPDATE idempotency_records SET state = 'completed', compensate_at = NULL WHERE partner_id = ?",
    );
    await resumed.bind(PARTNER).run();
    expect(await goOn()).toMatchObject({ phase: "switched" });
    const left = env.SECOND_CELL.prepare("SELECT count(*) AS count FROM idempotency_records WHERE partner_id = ? AND state <> 'completed'");
    expect(await left.bind(PARTNER).first("count")).toBe(0);
  });

  it("is found by its keys and by the indexes of what is to be done, never by a walk through a table", async () => {
    for (const kind of movedKinds) {
      const plans = async ({ where, parameters }: Selection) => {
        const text = `EXPLAIN QUERY PLAN SELECT * FROM ${kind.table.name} WHERE +partner_id = ?1 AND ${where}`;
        const statement = env.CELL_1.prepare(text).bind(PARTNER, ...parameters);
        return (await statement.all<{ detail: string }>()).results
          .map(({ detail }) => detail)
          .filter((one) => one.includes(kind.table.name));
      };
      for (const selection of [between(kind, "01", "02"), atRest(kind, between(kind, "01", "02")), withKeys(kind, ["01"])]) {
        expect((await plans(selection))[0]).toMatch(/USING (INTEGER )?PRIMARY KEY/);
      }
      for (const splits of [false, true]) {
        const unfinished = unfinishedAfter(kind, splits, "", 10);
        if (unfinished === null) continue;
        const steps = await plans(unfinished);
        for (const { index } of kind.unfinished) expect(steps.join()).toContain(`INDEX ${index}`);
        expect(steps.filter((one) => /^SCAN (?!.*INDEX)/.test(one))).toEqual([]);
      }
    }
  });
});

describe("while it closes", () => {
  const closing = async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "closing"; ) phase = (await step())?.phase;
    await step();
  };
  const busy = {
    "an operation runs": { name: "idempotency_records", fixed: () => ({ state: "running", updated_at: now }), end: { state: "completed" } },
    "an event is being sent": { name: "events", fixed: () => ({ state: "sending", claimed_at: now }), end: { state: "succeeded" } },
  } as const;

  it.each(Object.entries(busy))("it waits as long as %s, which ends where it began", async (_what, { name, fixed, end }) => {
    const key = await addRow(env.CELL_1, name, PARTNER, random, fixed());
    await closing();
    expect(await step()).toMatchObject({ phase: "closing" });
    expect(await listMoves(deps)).toMatchObject([{ phase: "closing" }]);
    await env.CELL_1.prepare(`UPDATE ${name} SET state = ? WHERE id = ?`).bind(end.state, key).run();
    expect(await goOn()).toMatchObject({ phase: "switched" });
    expect(await env.SECOND_CELL.prepare(`SELECT state FROM ${name} WHERE id = ?`).bind(key).first("state")).toBe(end.state);
  });

  it("it goes on to the end, though the time of the call is over", async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "closing"; ) phase = (await step())?.phase;
    expect(await continueMove(target(), PARTNER, new CallBudget(clock, 0))).toMatchObject({ phase: "switched" });
  });

  it("it goes on to the end, though the steps of the run are used up, and begins with few left only in the next run", async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "verifying"; ) phase = (await step())?.phase;
    const run = { left: 40 };
    const inRun = () => continueMove(target(), PARTNER, new CallBudget(clock, HOUR), { run });
    let phase = (await inRun())?.phase;
    expect([phase, run.left < 30]).toEqual(["closing", true]);
    // Nothing blocks the partner yet.
    await addRow(env.CELL_1, "idempotency_records", PARTNER, random);
    expect(await step()).toMatchObject({ phase: "closing" });
    run.left = 1;
    phase = (await inRun())?.phase;
    expect([phase, run.left < 0]).toEqual(["switched", true]);
  });

  it("what is known is answered still: only a new key is refused", async () => {
    await closing();
    const id = await env.CELL_1.prepare("SELECT id FROM idempotency_records WHERE partner_id = ?").bind(PARTNER).first<string>("id");
    const columns = movedKinds[0]?.table.columns.join() ?? "";
    const again = `INSERT INTO idempotency_records (${columns}) SELECT ${columns} FROM idempotency_records WHERE id = ? ON CONFLICT DO NOTHING`;
    expect((await env.CELL_1.prepare(again).bind(id).run()).meta.changes).toBe(0);
  });

  it("it waits for half a minute at most, and for nothing that began more than a minute ago", async () => {
    await addRow(env.CELL_1, "idempotency_records", PARTNER, random, { state: "running", updated_at: now });
    await closing();
    now += MINUTE / 2 - 1;
    expect(await step()).toMatchObject({ phase: "closing" });
    now += 1;
    expect(await step()).toMatchObject({ phase: "closed" });
  });

  it("no key begins there, and no delivery; what has begun goes on", async () => {
    const running = await addRow(env.CELL_1, "idempotency_records", PARTNER, random, { state: "running", updated_at: now });
    await closing();
    await expect(addRow(env.CELL_1, "idempotency_records", PARTNER, random)).rejects.toThrow("partner_moved");
    await addRow(env.CELL_1, "idempotency_records", "globex", random);
    const claimed = await env.CELL_1.prepare("UPDATE events SET state = 'sending' WHERE state = 'pending' AND partner_id = ?")
      .bind(PARTNER)
      .run();
    expect(claimed.meta.changes).toBe(0);
    await addRow(env.CELL_1, "movements", PARTNER, random);
    await env.CELL_1.prepare("UPDATE idempotency_records SET state = 'completed', epoch = epoch + 1 WHERE id = ?").bind(running).run();
    expect(await goOn()).toMatchObject({ phase: "switched" });
  });
});

/** Writes to copies as only the move itself may. */
async function spoil(text: string): Promise<void> {
  const writing = (is: number) => env.SECOND_CELL.prepare("UPDATE arrivals SET writing = ?").bind(is);
  await env.SECOND_CELL.batch([writing(1), env.SECOND_CELL.prepare(text).bind(PARTNER), writing(0)]);
}

describe("a move", () => {
  it("that another one has taken over writes nothing more", async () => {
    await begin();
    const held = await takeMove(target().db, source, PARTNER);
    if (held === undefined) return expect.fail("there is a move");
    await takeMove(target().db, source, PARTNER);
    await expect(writeToTarget(target().db, held, [], { phase: "switching" })).rejects.toThrow(MoveTaken);
    expect(await findIncomingMove(target().db, PARTNER)).toMatchObject({ phase: "copying" });
    await goOn();
    await finish();
    await expect(writeToTarget(target().db, held, [], { phase: "switching" })).rejects.toThrow(MoveTaken);
  });

  it("begins anew if changes may have gone unnoted", async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "verifying"; ) phase = (await step())?.phase;
    await env.CELL_1.prepare("DROP TRIGGER departing_notes_movements_UPDATE").run();
    await env.CELL_1.prepare("UPDATE movements SET amount = amount + 1 WHERE partner_id = ?").bind(PARTNER).run();
    expect(await step()).toMatchObject({ phase: "copying" });
    const truth = await allRowsOf(env.CELL_1, PARTNER);
    expect(await goOn()).toMatchObject({ phase: "switched" });
    expect(await allRowsOf(env.SECOND_CELL, PARTNER)).toEqual(truth);
  });

  it.each([
    ["changed", "UPDATE movements SET amount = amount + 1 WHERE partner_id = ?"],
    ["lost", "DELETE FROM movements WHERE partner_id = ?"],
    [
      "left over",
      "INSERT INTO subscriptions (id, partner_id, environment, status, started_at, cancel_at_period_end, updated_at) VALUES ('sub_old', ?, 'test', 'active', 0, 0, 0)",
    ],
  ])("copies again what was %s in the new cell, and compares all once more", async (_how, fault) => {
    const truth = await allRowsOf(env.CELL_1, PARTNER);
    await begin();
    for (let phase: string | undefined = ""; phase !== "verifying"; ) phase = (await step())?.phase;
    await spoil(fault);
    let problem: string | null | undefined = null;
    for (let phase: string | undefined = ""; phase !== "closing"; ) {
      const move = await step();
      phase = move?.phase;
      problem = problem ?? move?.problem;
    }
    expect(problem).toContain("compared again");
    expect(await goOn()).toMatchObject({ phase: "switched", problem: null });
    expect(await allRowsOf(env.SECOND_CELL, PARTNER)).toEqual(truth);
  });

  it("opens the old cell again if the sums differ, and compares all once more", async () => {
    let truth = await allRowsOf(env.CELL_1, PARTNER);
    await begin();
    for (let phase: string | undefined = ""; phase !== "closed"; ) phase = (await step())?.phase;
    await spoil("UPDATE movements SET amount = amount + 1 WHERE partner_id = ?");
    expect(await step()).toMatchObject({ phase: "verifying", problem: expect.stringContaining("sums") });
    await step();
    await addRow(env.CELL_1, "payment_links", PARTNER, random);
    truth = await allRowsOf(env.CELL_1, PARTNER);
    expect(await cellOf()).toBe(FIRST);
    expect(await goOn()).toMatchObject({ phase: "switched" });
    expect(await allRowsOf(env.SECOND_CELL, PARTNER)).toEqual(truth);
  });

  it("never writes over another partner's row", async () => {
    const { id } = (await env.CELL_1.prepare("SELECT id FROM movements WHERE partner_id = ?").bind(PARTNER).first<{ id: string }>()) ?? {};
    await addRow(env.SECOND_CELL, "movements", "initech", random, { id: id ?? "" });
    const resident = await allRowsOf(env.SECOND_CELL, "initech");
    await begin();
    await expect(goOn()).rejects.toThrow("UNIQUE constraint failed: movements.id");
    expect(await findIncomingMove(target().db, PARTNER)).toMatchObject({ phase: "copying" });
    expect(await allRowsOf(env.SECOND_CELL, "initech")).toEqual(resident);
    expect(await cellOf()).toBe(FIRST);
  });

  it("can be given up until the old cell is closed, and leaves nothing", async () => {
    const before = await allRowsOf(env.CELL_1, PARTNER);
    await begin();
    for (let phase: string | undefined = ""; phase !== "verifying"; ) phase = (await step())?.phase;
    expect(await cancelMove(deps, PARTNER, ANNA)).toBe(true);
    expect(await goOn()).toBeNull();
    expect(Object.values(await allRowsOf(env.SECOND_CELL, PARTNER)).flat()).toEqual([]);
    expect(await allRowsOf(env.CELL_1, PARTNER)).toEqual(before);
    expect([await triggers(), await cellOf(), await cancelMove(deps, PARTNER, ANNA)]).toEqual([0, FIRST, false]);
    await addRow(env.CELL_1, "movements", PARTNER, random);
  });

  it("that is given up is nobody else's, whoever works on it", async () => {
    await begin();
    await step();
    const other = await takeMove(target().db, source, PARTNER);
    if (other === undefined) return expect.fail("there is a move");
    expect(await cancelMove(deps, PARTNER, ANNA)).toBe(true);
    await expect(writeToTarget(target().db, other, [], { kind: 7 })).rejects.toThrow(MoveTaken);
    expect(await goOn()).toBeNull();
    expect(Object.values(await allRowsOf(env.SECOND_CELL, PARTNER)).flat()).toEqual([]);
  });

  it("opens the old cell again if anything fails while it is closed", async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "closed"; ) phase = (await step())?.phase;
    let trips = 0;
    aroundEffects((effect, perform) => {
      if (effect === "d1") trips += 1;
      return trips === 8 ? Promise.reject(new Error("the sums took too long")) : perform();
    });
    await expect(step()).rejects.toThrow("the sums took too long");
    resetEffects();
    expect(await findIncomingMove(target().db, PARTNER)).toMatchObject({ phase: "verifying" });
    await addRow(env.CELL_1, "movements", PARTNER, random);
    const truth = await allRowsOf(env.CELL_1, PARTNER);
    expect(await goOn()).toMatchObject({ phase: "switched" });
    expect(await allRowsOf(env.SECOND_CELL, PARTNER)).toEqual(truth);
  });

  it("to a cell that was begun and cut off holds up none to another", async () => {
    const three = { ...deps, cells: [FIRST, SECOND, cellCodeOf(3)] };
    await env.CELL_1.prepare("INSERT INTO departures VALUES (?, '03', 'open', 0, 0)").bind(PARTNER).run();
    const inCell = (cell: typeof FIRST) => own.inCell(cell === FIRST ? FIRST : SECOND);
    expect(await beginMove({ ...three, inCell }, { partnerId: PARTNER, to: SECOND, splits: false }, ANNA)).toBeNull();
    expect(await goOn()).toMatchObject({ phase: "switched" });
  });

  it("keeps no trigger of an earlier build", async () => {
    await begin();
    await step();
    await env.CELL_1.prepare("CREATE TRIGGER departing_old AFTER INSERT ON movements BEGIN SELECT 1; END").run();
    expect(await goOn()).toMatchObject({ phase: "switched" });
    await finish();
    expect(await triggers()).toBe(0);
  });

  it("cannot be given up once it is closed", async () => {
    await begin();
    for (let phase: string | undefined = ""; phase !== "closing"; ) phase = (await step())?.phase;
    expect(await cancelMove(deps, PARTNER, ANNA)).toBe(false);
  });

  it("begins only where there is something to move, and one at a time", async () => {
    expect(await beginMove(deps, { partnerId: "nobody", to: SECOND, splits: false }, ANNA)).toBe("unknown_partner");
    expect(await beginMove(deps, { partnerId: PARTNER, to: cellCodeOf(3), splits: false }, ANNA)).toBe("unknown_cell");
    expect(await beginMove(deps, { partnerId: PARTNER, to: FIRST, splits: false }, ANNA)).toBe("is_there");
    expect(await begin()).toBeNull();
    expect(await begin()).toBeNull();
    expect(await listMoves(deps)).toMatchObject([{ partnerId: PARTNER, fromCell: FIRST, toCell: SECOND, phase: "copying" }]);
    await goOn();
    // Back at once: its old cell is not clean yet, and the new one knows.
    expect(await beginMove(deps, { partnerId: PARTNER, to: FIRST, splits: false }, ANNA)).toBe("is_moving");
    await finish();
    expect(await beginMove(deps, { partnerId: PARTNER, to: FIRST, splits: false }, ANNA)).toBeNull();
  });

  it("back again ends where it began", async () => {
    const before = await allRowsOf(env.CELL_1, PARTNER);
    await begin();
    await goOn();
    await finish();
    await beginMove(deps, { partnerId: PARTNER, to: FIRST, splits: false }, ANNA);
    await continueMove({ ...own.inCell(FIRST), clock }, PARTNER, new CallBudget(clock, HOUR));
    expect([await cellOf(), await allRowsOf(env.CELL_1, PARTNER)]).toEqual([FIRST, before]);
  });
});
