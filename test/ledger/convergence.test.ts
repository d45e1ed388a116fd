import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { ProcessorObject } from "../../sandbox/state.ts";
import * as tables from "../../src/db/schema/index.ts";
import { call, REGISTER } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass } from "../support/later.ts";
import { quiet } from "../support/payments.ts";
import { isFull } from "../support/scale.ts";
import { control, SANDBOX, world } from "../support/stack.ts";
import { countOf, emptyTables } from "../support/tables.ts";
import { carryOut, everything, history, releaseHeldEvents } from "./histories.ts";

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/convergence` }));
afterAll(() => {
  vi.useRealTimers();
});

const { deliveryAttempts, events, processorEvents, refreshes } = tables;
const TABLES = [deliveryAttempts, events, tables.movements, tables.subscriptions, processorEvents, refreshes];

async function startAnew(): Promise<void> {
  await control("/reset", {});
  await emptyTables(...TABLES);
  await control("/events", { environment: "test", hold: true });
}

const all = (kind: string): ProcessorObject[] => (world.state.order[kind] ?? []).flatMap((id) => world.state.objects[id] ?? []);
const byId = (id: unknown): ProcessorObject => world.state.objects[String(id)] ?? { id: "", object: "none", created: 0, livemode: false };

/** What the ledger must be, derived from what the processor holds alone. */
function wanted() {
  const movements = all("balance_transaction").map((transaction) => {
    const source = byId(transaction.source);
    const charge = source.object === "charge" ? source : byId(source.charge);
    const intent = charge.payment_intent;
    const invoicePayment = all("invoice_payment").find(({ payment }) => (payment as { payment_intent: unknown }).payment_intent === intent);
    const invoice = byId(invoicePayment?.invoice);
    const details = (invoice.parent as { subscription_details?: { subscription: string } } | undefined)?.subscription_details;
    const isRenewal = invoice.billing_reason === "subscription_cycle";
    const session = all("checkout.session").find(({ payment_intent, subscription }) =>
      details === undefined ? payment_intent === intent : subscription === details.subscription,
    );
    return {
      id: `processor:${transaction.id}`,
      partner_id: "acme",
      amount: transaction.amount,
      fee: transaction.fee,
      net: transaction.net,
      currency: "USD",
      ...kindOf(transaction, source),
      client_reference_id: isRenewal ? null : (session?.client_reference_id ?? null),
      payment_intent_id: intent,
      source_id: source.id,
      subscription_id: details?.subscription ?? null,
      is_subscription: details === undefined ? 0 : 1,
    };
  });
  const subscriptions = all("subscription").map(({ id, status, cancel_at_period_end, cancel_at }) => ({
    id,
    partner_id: "acme",
    status,
    cancel_at_period_end: cancel_at_period_end === true ? 1 : 0,
    cancel_at: typeof cancel_at === "number" ? cancel_at * 1000 : null,
  }));
  return { movements: sorted(movements), subscriptions: sorted(subscriptions) };
}

function kindOf(transaction: ProcessorObject, source: ProcessorObject) {
  switch (transaction.type) {
    case "charge":
    case "payment":
      return { type: "processor_payment_in", status: source.status === "succeeded" ? "completed" : source.status };
    case "payment_failure_refund":
      return { type: "processor_payment_failure", status: "failed" };
    case "refund":
    case "payment_refund":
      return { type: "processor_refund", status: source.status === "succeeded" ? "refunded" : source.status };
    case "refund_failure":
      return { type: "processor_refund_failure", status: "failed" };
    default:
      return transaction.reporting_category === "dispute"
        ? { type: "processor_dispute_freeze", status: "disputed" }
        : { type: "processor_dispute_return", status: "dispute_won" };
  }
}

/** The events that must exist in the end. An event of a passing state may exist too. */
function mustBeRecorded(): string[] {
  const ofMovements = wanted().movements.flatMap(({ id, type, status, source_id }) => {
    const isLost = byId(source_id).status === "lost";
    if (type === "processor_payment_in" && status !== "pending")
      return [`payment.${status === "completed" ? "succeeded" : "failed"}:${id}`];
    if (type === "processor_refund" && status === "refunded") return [`refund.succeeded:${id}`];
    if (type === "processor_dispute_freeze") return [`dispute.opened:${id}`, ...(isLost ? [`dispute.lost:${id}`] : [])];
    return type === "processor_dispute_return" ? [`dispute.won:${id}`] : [];
  });
  const ofSubscriptions = wanted().subscriptions.flatMap(({ id, status }) => {
    if (status === "canceled") return [`subscription.ended:${id}`];
    return status === "incomplete" ? [] : [`subscription.started:${id}`];
  });
  const failedRefunds = all("refund").filter(({ status }) => status === "failed");
  return [...ofMovements, ...ofSubscriptions, ...failedRefunds.map(({ id }) => `refund.failed:${id}`)].toSorted();
}

const sorted = <Row extends { id: string }>(rows: Row[]) => rows.toSorted((left, right) => (left.id < right.id ? -1 : 1));

async function stored() {
  const rows = async (columns: string, table: string) =>
    (await env.CELL_1.prepare(`SELECT ${columns} FROM ${table} ORDER BY id`).all<{ id: string }>()).results;
  return {
    movements: await rows(
      "id, partner_id, amount, fee, net, currency, type, status, client_reference_id, payment_intent_id, source_id, subscription_id, is_subscription",
      "movements",
    ),
    subscriptions: await rows("id, partner_id, status, cancel_at_period_end, cancel_at", "subscriptions"),
  };
}

async function recordedEvents(): Promise<string[]> {
  const { results } = await env.CELL_1.prepare("SELECT cause FROM events ORDER BY cause").all<{
    cause: string;
  }>();
  return results.map(({ cause }) => cause);
}

const PASSING = /^(payment\.pending|subscription\.updated|subscription\.started):/;

it("whatever comes of the processor's events, the ledger becomes what the processor holds", async () => {
  const seen = new Set<string>();
  const lastFates = fc.array(fc.constantFrom("come", "come twice", "are lost"), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(history, lastFates, async (steps, last) => {
      await startAnew();
      for (const step of steps) await carryOut(step);
      await releaseHeldEvents(last);
      await quiet();
      pass(2 * MINUTE);
      await cron();
      await quiet();
      const right = wanted();
      expect(await stored()).toEqual(right);
      // Nothing is left in the directory: these helpers count there too.
      expect(await countOf(tables.movements)).toBe(right.movements.length);
      expect(await countOf(tables.subscriptions)).toBe(right.subscriptions.length);
      const causes = await recordedEvents();
      expect(causes).toEqual(expect.arrayContaining(mustBeRecorded()));
      expect(causes.filter((cause) => !PASSING.test(cause))).toEqual(mustBeRecorded().filter((cause) => !PASSING.test(cause)));
      expect(await countOf(events)).toBe(causes.length);
      for (const { type, status } of right.movements) seen.add(`${type} ${String(status)}`);
    }),
    { numRuns: isFull ? 25 : 2, examples: [[everything, ["are lost"]]] },
  );
  // The histories were worth the name: everything that can become of money was in them, and the sweeps had gaps to close.
  expect([...seen].toSorted()).toEqual([
    "processor_dispute_freeze disputed",
    "processor_dispute_return dispute_won",
    "processor_payment_failure failed",
    "processor_payment_in completed",
    "processor_payment_in failed",
    "processor_payment_in pending",
    "processor_refund failed",
    "processor_refund pending",
    "processor_refund refunded",
    "processor_refund_failure failed",
  ]);
  const found = await env.DIRECTORY.prepare("SELECT name FROM reconciliations WHERE missing_count > 0 ORDER BY name").all();
  expect(found.results).toEqual(expect.arrayContaining([{ name: "balance_transactions:test" }, { name: "events:test" }]));
});
