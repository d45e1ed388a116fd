import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { DIRECTORY } from "../../src/core/cell-code.ts";
import { refreshes } from "../../src/db/schema/index.ts";
import { processSubject, receiveProcessorEvents } from "../../src/ledger/processor-events.ts";
import { call, REGISTER } from "../support/api.ts";
import { CELL, losingQueue, withEventQueue } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { dropHeldEvents } from "../support/objects.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { movementOf, type Paid, pay, quiet } from "../support/payments.ts";
import { someOf } from "../support/scale.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** A consumer that dies at work: from one of its steps on, nothing that it asks for comes back. */

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/cut-off` }));
afterEach(() => {
  resetEffects();
  vi.useRealTimers();
});

/** What working an event off asks of D1 and of the processor, in order: read, refresh, owner, write. */
const STEPS_IN_CELL = 5;
/** The same for one that waits in the directory: the partner is asked for, its cell is written, then the wait ends. */
const STEPS_IN_DIRECTORY = 8;

async function dieAt(step: number, moment: "before" | "after", work: () => Promise<void>): Promise<number> {
  let reached = -1;
  aroundEffects(async (effect, perform) => {
    if (effect !== "d1" && effect !== "processor") return perform();
    reached += 1;
    if (reached < step) return perform();
    if (reached === step && moment === "after") await perform();
    throw new TypeError("the consumer was ended by a test");
  });
  // Its tries at the processor are not waited for in full.
  virtualTime();
  await work().catch(() => undefined);
  realTime();
  resetEffects();
  return reached;
}

/** As if an earlier refresh had found no owner: what it left in the directory goes with the wait. */
async function leaveWithoutOwner({ balance_transaction }: Paid): Promise<void> {
  await env.DIRECTORY.prepare(
    "INSERT INTO movements (id, environment, amount, currency, status, transaction_date, is_subscription, updated_at) VALUES (?, 'test', 1900, 'USD', 'pending', 0, 0, 0)",
  )
    .bind(`processor:${balance_transaction}`)
    .run();
}

const steps = (count: number) =>
  Array.from({ length: count }, (_, step) => [
    { step, moment: "before" as const },
    { step, moment: "after" as const },
  ]).flat();

describe.each([
  ["charge.succeeded", "acme", CELL, STEPS_IN_CELL],
  // A refund has no metadata of its own.
  ["refund.created", null, DIRECTORY, STEPS_IN_DIRECTORY],
] as const)("an event %s", (type, partnerId, databaseName, count) => {
  it.each(someOf(steps(count)))("whose consumer dies $moment step $step is worked off by the next, once", async ({ step, moment }) => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    const refunded = await control<{ refund: string; balance_transaction: string }>("/refund", { payment_intent: paid.payment_intent });
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    const objectId = type === "refund.created" ? refunded.refund : paid.charge;
    const subject = paid.payment_intent;
    const event = { id: `evt_${crypto.randomUUID()}`, subject, type, environment: "test", objectId, partnerId } as const;
    if (databaseName === DIRECTORY) await leaveWithoutOwner(paid);
    const deps = withEventQueue(losingQueue).inDatabase(databaseName);
    await receiveProcessorEvents(deps, [event]);
    expect(await dieAt(step, moment, () => processSubject(deps, subject))).toBeGreaterThanOrEqual(step);

    pass(2 * MINUTE);
    await cron.sweep("refreshes");
    await quiet();
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme", status: "completed" });
    if (type === "refund.created") expect(await movementOf(refunded)).toMatchObject({ partner_id: "acme", status: "refunded" });
    const delivered = await env.CELL_1.prepare("SELECT count(*) AS count FROM events WHERE cause = ?")
      .bind(`payment.succeeded:processor:${paid.balance_transaction}`)
      .first("count");
    expect(delivered).toBe(1);
    expect(await countOf(refreshes, { subject })).toBe(0);
    expect(await env.DIRECTORY.prepare("SELECT count(*) AS count FROM movements").first("count")).toBe(0);
  });
});
