import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { connectCell, runBatch } from "../../src/db/client.ts";
import { subscriptions } from "../../src/db/schema/index.ts";
import type { SubscriptionFacts } from "../../src/processor/facts.ts";
import { upsertSubscription } from "../../src/subscriptions/store.ts";
import { deleteRows, rowOf } from "../support/tables.ts";

const db = connectCell(env.CELL_1);
const facts = (status: string): SubscriptionFacts => ({
  id: "sub_1",
  status,
  startedAt: 1,
  endedAt: null,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  currentPeriodEnd: 5,
  collectionPaused: false,
  items: [],
  currency: "EUR",
  interval: "month",
  intervalCount: 1,
  metadata: {},
  object: { id: "sub_1", type: "subscription", data: {} },
});
const UNKNOWN = { paymentLinkId: null, clientReferenceId: null };
const look = (
  status: string,
  partnerId: string | null,
  asOf: number,
  start: typeof UNKNOWN | Record<keyof typeof UNKNOWN, string> = UNKNOWN,
) => runBatch(db, [upsertSubscription(db, { facts: facts(status), environment: "live", partnerId, ...start, asOf })]);
const stored = () => rowOf(subscriptions, { id: "sub_1" }, ["status", "partner_id", "updated_at"]);

beforeEach(() => deleteRows(subscriptions));

it("keeps what was seen last, whichever look is written last", async () => {
  await look("canceled", "acme", 20);
  await look("active", "acme", 10);
  expect(await stored()).toEqual({ status: "canceled", partner_id: "acme", updated_at: 20 });
  await look("active", "acme", 30);
  expect(await stored()).toMatchObject({ status: "active", updated_at: 30 });
});

it("learns how it began, and never forgets or changes it", async () => {
  const start = () => rowOf(subscriptions, { id: "sub_1" }, ["payment_link_id", "client_reference_id"]);
  await look("active", "acme", 1);
  await look("active", "acme", 2, { paymentLinkId: "plink_1", clientReferenceId: "order-1" });
  await look("active", "acme", 3);
  await look("active", "acme", 4, { paymentLinkId: "plink_2", clientReferenceId: "order-2" });
  expect(await start()).toEqual({ payment_link_id: "plink_1", client_reference_id: "order-1" });
});

it("learns its owner, and never forgets or changes it", async () => {
  await look("active", null, 1);
  expect(await stored()).toMatchObject({ partner_id: null });
  await look("active", "acme", 2);
  await look("active", null, 3);
  expect(await stored()).toMatchObject({ partner_id: "acme" });
  await look("active", "globex", 4);
  expect(await stored()).toMatchObject({ partner_id: "acme" });
});
