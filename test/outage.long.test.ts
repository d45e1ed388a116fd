import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { movements, refreshes } from "../src/db/schema/index.ts";
import { CART, call, cart, REGISTER } from "./support/api.ts";
import { cron } from "./support/cron.ts";
import { MINUTE, pass, realTime } from "./support/later.ts";
import { ops } from "./support/ops.ts";
import { type Paid, receivedEvents } from "./support/payments.ts";
import { isFull } from "./support/scale.ts";
import { control, SANDBOX, world } from "./support/stack.ts";
import { countOf, emptyTables, rowsOf } from "./support/tables.ts";
import { until } from "./support/until.ts";

/** One of the bad days of docs/bad-days.md, which takes an hour of the clock. */

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/drills` }));
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

const made = () => Object.values(world.state.objects).filter(({ object }) => object === "payment_link").length;
const paidEvents = (paid: Paid) =>
  receivedEvents("drills").filter(
    ({ event, transaction }) => event === "Processor.payment.succeeded" && transaction.payment_intent_id === paid.payment_intent,
  );

describe("the processor is down for an hour, under load", () => {
  let existing = "";
  beforeAll(async () => {
    existing = (await call(CART, cart({ client_token: "before-the-outage" }))).body.payment_link_id;
  });
  const CALLS = ["charges.retrieve", "payment_links.create", "checkout.sessions.list", "balance_transactions.list", "events.list"];

  it("and five minutes after its end nothing is late: all is recorded and delivered, and no creation is made twice", async () => {
    await emptyTables(refreshes);
    const before = await countOf(movements);
    // Refused at once: what times out or breaks off is tried some seconds more, each time.
    for (const name of CALLS) await control("/faults", { target: "processor", call: name, times: 100_000, kind: "http_400" });
    const paid: Paid[] = [];
    const tokens: string[] = [];
    for (let minute = 0; minute < 60; minute += 1) {
      // Customers go on paying by links that are there; partners go on asking for new ones.
      for (let customer = 0; customer < (isFull ? 4 : minute % 4 === 0 ? 1 : 0); customer += 1) {
        paid.push(await control("/pay", { payment_link_id: existing }));
      }
      if (minute % 10 === 0) {
        const token = `outage-${minute}`;
        expect((await call(CART, cart({ client_token: token }))).body).toMatchObject({ success: false });
        tokens.push(token);
      }
      pass(MINUTE);
      await (isFull || minute % 10 === 9 ? cron() : cron.sweep("refreshes", "failed_refreshes"));
    }
    expect(await countOf(movements)).toBe(before);
    expect((await ops("health")).body.checks).toContainEqual(expect.objectContaining({ check: "looking up payments", state: "failed" }));

    await control("/faults", undefined, "DELETE");
    const ended = Date.now();
    while ((await countOf(refreshes)) > 0 && Date.now() - ended < 5 * MINUTE) {
      await cron();
      // The queues work in real time, and a minute of theirs is longer than this.
      await vi.waitFor(async () => expect(await countOf(refreshes)).toBe(0), { timeout: 4_000 }).catch(() => undefined);
      pass(MINUTE);
    }
    expect(await rowsOf(refreshes, {}, { columns: ["subject", "last_error"] })).toEqual([]);
    expect(await countOf(movements)).toBe(before + paid.length);
    await until(() => expect(paid.map((one) => paidEvents(one).length)).toEqual(paid.map(() => 1)));
    // A repeat under a new token makes one link each; the failed ones made none.
    const links = made();
    for (const token of tokens) {
      expect((await call(CART, cart({ client_token: `${token}-again` }))).body).toMatchObject({ success: true, duplicate: false });
    }
    expect(made()).toBe(links + tokens.length);
    expect((await ops("health")).body.checks).toContainEqual(expect.objectContaining({ check: "looking up payments", state: "ok" }));
  }, 240_000);
});
