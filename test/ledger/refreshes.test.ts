import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import { connectCell, runBatch } from "../../src/db/client.ts";
import { events, movements } from "../../src/db/schema/index.ts";
import type { Movement } from "../../src/ledger/movement.ts";
import { isMovementCurrent, upsertMovement } from "../../src/ledger/movements/rows.ts";
import { transactionEvents } from "../../src/webhooks/outbox/events/transaction-events.ts";
import { recordEvent } from "../../src/webhooks/outbox/store.ts";
import { deleteRows, rowOf, rowsOf } from "../support/tables.ts";

/** Two looks at one movement that are written in either order: the row must not depend on it. */

const db = connectCell(env.CELL_1);
const movement = (overrides: Partial<Movement> = {}): Movement => ({
  id: "processor:txn_look",
  partnerId: null,
  environment: "test",
  amount: 100,
  fee: null,
  net: null,
  currency: "USD",
  status: "pending",
  type: "processor_payment_in",
  transactionDate: 1,
  description: null,
  isSubscription: false,
  clientReferenceId: null,
  paymentIntentId: "pi_look",
  paymentLinkId: null,
  chargedAmount: null,
  chargedCurrency: null,
  sourceId: "ch_look",
  subscriptionId: null,
  availableAt: null,
  ...overrides,
});

async function afterLooks(...looks: readonly [asOf: number, movement: Movement][]) {
  await deleteRows(movements);
  for (const [asOf, look] of looks) await runBatch(db, upsertMovement(db, look, { asOf, now: asOf }));
  return rowOf(movements, {}, [
    "status",
    "fee",
    "type",
    "partner_id",
    "client_reference_id",
    "subscription_id",
    "is_subscription",
    "updated_at",
  ]);
}

beforeEach(() => env.CELL_1.batch(["DELETE FROM events", "DELETE FROM events"].map((sql) => env.CELL_1.prepare(sql))));

const early = movement({ partnerId: "acme", clientReferenceId: "Order-9" });
const late = movement({ status: "completed", fee: 5, subscriptionId: "sub_1", isSubscription: true });
const unclassified = movement({ type: null, status: "completed", sourceId: null });
const dispute = movement({ type: "processor_dispute_freeze", status: "disputed" });

describe.each<[string, Movement, Movement, object]>([
  [
    "each of which knows something else",
    early,
    late,
    { status: "completed", fee: 5, partner_id: "acme", client_reference_id: "Order-9", subscription_id: "sub_1", is_subscription: 1 },
  ],
  [
    "the later of which sees less",
    late,
    { ...early, status: "completed", fee: 5 },
    { status: "completed", partner_id: "acme", subscription_id: "sub_1", is_subscription: 1 },
  ],
  ["the later of which cannot classify it", dispute, unclassified, { type: "processor_dispute_freeze", status: "disputed" }],
  ["the earlier of which cannot classify it", unclassified, dispute, { type: "processor_dispute_freeze", status: "disputed" }],
  ["that found it in two states", late, movement({ status: "failed", fee: 5 }), { status: "failed" }],
])("two looks %s", (_what, first, second, wanted) => {
  it("give one row, whichever is written first", async () => {
    const inOrder = await afterLooks([1, first], [2, second]);
    expect(inOrder).toMatchObject({ ...wanted, updated_at: 2 });
    expect(await afterLooks([2, second], [1, first])).toEqual(inOrder);
    expect(await afterLooks([2, second], [1, first], [2, second], [1, first])).toEqual(inOrder);
  });
});

describe("what a look tells", () => {
  const tell = async (asOf: number, look: Movement, name: "paymentPending" | "paymentSucceeded") => {
    const event = await transactionEvents[name].make(newIdCode(cellCodeOf(1)), {
      ...look,
      partnerId: "acme",
      discount: null,
      dispute: null,
    });
    await runBatch(db, [...upsertMovement(db, look, { asOf, now: asOf }), recordEvent(db, event, asOf, isMovementCurrent(look, asOf))]);
  };
  const recorded = async () => (await rowsOf(events, {}, { columns: ["name"], orderBy: "created_at" })).map(({ name }) => name);
  const pending = movement({ partnerId: "acme" });
  const completed = movement({ partnerId: "acme", status: "completed" });

  it("is what came after, where both are written in order", async () => {
    await afterLooks();
    await tell(1, pending, "paymentPending");
    await tell(2, completed, "paymentSucceeded");
    expect(await recorded()).toEqual(["Processor.payment.pending", "Processor.payment.succeeded"]);
  });

  it("is no longer news once a later look has shown another state", async () => {
    await afterLooks();
    await tell(2, completed, "paymentSucceeded");
    await tell(1, pending, "paymentPending");
    expect(await recorded()).toEqual(["Processor.payment.succeeded"]);
  });

  it("is news all the same where the later look, in the same state, did not know whom to tell", async () => {
    await afterLooks([2, movement({ status: "completed" })]);
    await tell(1, completed, "paymentSucceeded");
    expect(await recorded()).toEqual(["Processor.payment.succeeded"]);
  });
});
