import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refreshes } from "../../src/db/schema/index.ts";
import { cron } from "../support/cron.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { ops } from "../support/ops.ts";
import { movementOf, type Paid, pay } from "../support/payments.ts";
import { control } from "../support/stack.ts";
import { countOf, emptyTables, rowOf, rowsOf } from "../support/tables.ts";
import { until } from "../support/until.ts";

beforeEach(async () => {
  await control("/events", { environment: "test", hold: false, duplicate: 0, shuffle: false });
  await emptyTables(refreshes);
});
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

const outage = (kind = "http_400") => control("/faults", { target: "processor", call: "charges.retrieve", times: 100_000, kind });
const lookingUp = async () =>
  (await ops("health")).body.checks.find(({ check }: { check: string }) => check === "looking up payments").state;
const waiting = () => rowsOf(refreshes, {}, { columns: ["subject", "attempts", "last_error", "next_attempt_at"] });

/** Payments whose look-up has failed several times, so that their next attempt is hours away. */
async function failed(count: number): Promise<Paid[]> {
  const paid: Paid[] = [];
  for (let made = 0; made < count; made += 1) paid.push(await pay(["TestUsd1"]));
  await until(async () => expect(await countOf(refreshes, { attempts: 1 })).toBe(count));
  for (let attempts = 2; attempts <= 8; attempts += 1) {
    const due = Math.max(...(await waiting()).map(({ next_attempt_at }: any) => next_attempt_at));
    pass(due - Date.now() + MINUTE);
    await cron.sweep("refreshes");
    await until(async () => expect(await countOf(refreshes, { attempts })).toBe(count));
  }
  return paid;
}

describe("while look-ups fail", () => {
  it("health says since when the oldest waits, however far its next attempt is away", async () => {
    await outage();
    await pay(["TestUsd1"]);
    await until(async () => expect(await countOf(refreshes, { attempts: 1 })).toBe(1));
    expect(await lookingUp()).toBe("ok");
    pass(11 * MINUTE);
    await cron.sweep("refreshes");
    await until(async () => expect((await rowOf(refreshes, {}, ["next_attempt_at"]))?.next_attempt_at).toBeGreaterThan(Date.now()));
    expect(await lookingUp()).toBe("warning");
    pass(61 * MINUTE);
    expect(await lookingUp()).toBe("failed");
    await control("/faults", undefined, "DELETE");
    await cron();
    await until(async () => expect(await countOf(refreshes)).toBe(0));
    expect(await lookingUp()).toBe("ok");
  });

  it("a probe that fails counts as no attempt", async () => {
    await outage();
    await failed(1);
    const before = await waiting();
    await cron.sweep("failed_refreshes");
    expect(await waiting()).toEqual(before);
  });
});

it("once the processor answers again, all that waits is caught up by the next run of the cron", async () => {
  await outage();
  const paid = await failed(4);
  const hours = (await waiting()).map(({ next_attempt_at }: any) => next_attempt_at - Date.now());
  expect(Math.min(...hours)).toBeGreaterThan(HOUR / 2);
  await control("/faults", undefined, "DELETE");
  const lines = await loggedBy(async () => {
    await cron.sweep("failed_refreshes");
    await until(async () => expect(await countOf(refreshes)).toBe(0));
  });
  for (const one of paid) expect(await movementOf(one)).toMatchObject({ status: "completed" });
  expect(lines.some((text) => text.includes("the processor answers again"))).toBe(true);
});
