import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dismissals, refreshes } from "../../src/db/schema/index.ts";
import { GONE_PERIOD, MANY_GONE } from "../../src/ledger/look-up.ts";
import { processSubject, receiveProcessorEvents } from "../../src/ledger/processor-events.ts";
import { cellDeps } from "../support/cells.ts";
import { HOUR, MINUTE, pass, realTime, SECOND } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { change, ops } from "../support/ops.ts";
import { control } from "../support/stack.ts";
import { emptyTables, insertRow, rowOf, updateRows } from "../support/tables.ts";

beforeEach(() => emptyTables(refreshes, dismissals));
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

const stateOf = (subject: string) => rowOf(refreshes, { subject }, ["state", "attempts", "failure"]);

/** An event about a charge, which the cell of acme stores. Its subject is looked up at once. */
async function reported(id: string, objectId = id) {
  const event = { id: `evt_${id}`, subject: id, type: "charge.succeeded", environment: "test", objectId, partnerId: "acme" } as const;
  await receiveProcessorEvents(cellDeps(), [event]);
}

/** Looks the subject up each time that it is due, until it is due no more. Returns what was logged. */
const triedOut = (subject: string) =>
  loggedBy(async () => {
    for (let tries = 0; tries < 20; tries += 1) {
      const row = await rowOf(refreshes, { subject }, ["state", "next_attempt_at"]);
      if (row?.state !== "due") return;
      pass(Math.max(0, Number(row.next_attempt_at) - Date.now()) + SECOND);
      await processSubject(cellDeps(), subject);
    }
  });

const findingNamed = async (name: string) => (await ops("health")).body.checks.find(({ check }: { check: string }) => check === name);

describe("an object that the processor reported and does not have", () => {
  it("is set aside after four attempts within minutes, listed by its id, and wakes no operator", async () => {
    await reported("ch_vanished");
    const began = Date.now();
    const lines = (await triedOut("ch_vanished")).map((line) => JSON.parse(line));
    expect(await stateOf("ch_vanished")).toEqual({ state: "gone", attempts: 4, failure: "gone" });
    expect(Date.now() - began).toBeLessThan(5 * MINUTE);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(lines.map(({ message }) => message)).toContain("object gone at the processor");
    expect((await ops("ledger/parked")).body.data).toEqual([]);
    expect((await ops("ledger/parked?state=gone")).body.data).toMatchObject([
      { id: "ch_vanished", state: "gone", attempts: 4, last_error: expect.stringContaining("the processor has no charge ch_vanished") },
    ]);
    expect((await ops("ledger")).body.gone).toEqual({ count: 1 });
    expect(await findingNamed("Gone at the processor")).toMatchObject({
      state: "ok",
      detail: "1 set aside",
      list: "parked-payments list --state gone",
    });
    expect(await findingNamed("looking up payments")).toMatchObject({ state: "ok" });
    expect(await findingNamed("Parked payments")).toMatchObject({ state: "ok" });
  });

  it("is not late work while it is tried", async () => {
    await reported("ch_trying");
    await processSubject(cellDeps(), "ch_trying");
    pass(2 * HOUR);
    await rowOf(refreshes, { subject: "ch_trying" }, ["state"]);
    realTime();
    expect(await stateOf("ch_trying")).toEqual({ state: "due", attempts: 1, failure: "gone" });
    expect((await ops("work?kind=look-ups")).body.data).toEqual([]);
  });

  it("is not set aside by one answer alone, however many attempts met an outage before", async () => {
    await reported("ch_after_outage");
    await updateRows(refreshes, { attempts: 5, failure: "outage", last_error: "x" }, { subject: "ch_after_outage" });
    await processSubject(cellDeps(), "ch_after_outage");
    expect(await stateOf("ch_after_outage")).toEqual({ state: "due", attempts: 6, failure: "gone" });
    await triedOut("ch_after_outage");
    expect(await stateOf("ch_after_outage")).toEqual({ state: "gone", attempts: 7, failure: "gone" });
  });

  it("is tried again by an operator, and by a new event", async () => {
    await reported("ch_back");
    await triedOut("ch_back");
    expect((await change("ledger/parked/ch_back/retry", {})).status).toBe(200);
    expect(await stateOf("ch_back")).toMatchObject({ state: "due", attempts: 0 });
    await triedOut("ch_back");
    await receiveProcessorEvents(cellDeps(), [
      { id: "evt_again", subject: "ch_back", type: "charge.updated", environment: "test", objectId: "ch_back", partnerId: "acme" },
    ]);
    expect(await stateOf("ch_back")).toMatchObject({ state: "due", attempts: 0 });
  });

  it("leaves the list once it is dismissed", async () => {
    await reported("ch_dismissed");
    await triedOut("ch_dismissed");
    expect((await change("ledger/parked/ch_dismissed/dismiss", { reason: "deleted by the shop" })).status).toBe(200);
    expect((await ops("ledger/parked?state=gone")).body.data).toEqual([]);
  });
});

describe("many objects that the processor does not have", () => {
  const gone = async (count: number, ago: number) => {
    for (let index = 0; index < count; index += 1)
      await insertRow(refreshes, {
        subject: `ch_many_${index}`,
        environment: "test",
        state: "gone",
        attempts: 4,
        next_attempt_at: Date.now() - ago,
        since: Date.now() - ago,
        failure: "gone",
      });
  };

  it("within an hour are an error in the log, and a finding: the key may be of another account", async () => {
    await gone(MANY_GONE - 1, GONE_PERIOD / 2);
    expect(await findingNamed("Gone at the processor")).toMatchObject({ state: "ok" });
    await reported("ch_the_last");
    const lines = (await triedOut("ch_the_last")).map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level === "error")).toMatchObject([
      { message: "many objects gone at the processor", gone: MANY_GONE },
    ]);
    realTime();
    expect(await findingNamed("Gone at the processor")).toMatchObject({ state: "warning", cure: expect.stringContaining("account") });
  });

  it("over a longer time are none", async () => {
    await gone(MANY_GONE, GONE_PERIOD + MINUTE);
    expect(await findingNamed("Gone at the processor")).toMatchObject({ state: "ok", detail: `${MANY_GONE} set aside` });
  });
});

describe("a refused look-up", () => {
  it("of another object than the reported one is no object that is gone", async () => {
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 99, kind: "http_400" });
    await reported("ch_refused");
    await processSubject(cellDeps(), "ch_refused");
    expect(await stateOf("ch_refused")).toEqual({ state: "due", attempts: 1, failure: "refused" });
  });
});
