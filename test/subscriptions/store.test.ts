import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { openDatabase, writeTogether } from "../../src/db/client.ts";
import type { SubscriptionFacts } from "../../src/processor/facts.ts";
import { upsertSubscription } from "../../src/subscriptions/store.ts";

const db = openDatabase(env.DB);
const facts = (status: string): SubscriptionFacts => ({
  id: "sub_1",
  status,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  currentPeriodEnd: 5,
  metadata: {},
  object: { id: "sub_1", type: "subscription", data: {} },
});
const look = (status: string, partnerId: string | null, asOf: number) =>
  writeTogether(db, [upsertSubscription(db, { facts: facts(status), environment: "live", partnerId, paymentLinkId: null, asOf })]);
const stored = () => env.DB.prepare("SELECT status, partner_id, updated_at FROM subscriptions WHERE id = 'sub_1'").first();

beforeEach(() => env.DB.prepare("DELETE FROM subscriptions").run());

it("keeps what was seen last, whichever look is written last", async () => {
  await look("canceled", "acme", 20);
  await look("active", "acme", 10);
  expect(await stored()).toEqual({ status: "canceled", partner_id: "acme", updated_at: 20 });
  await look("active", "acme", 30);
  expect(await stored()).toMatchObject({ status: "active", updated_at: 30 });
});

it("learns whose it is, and never forgets or changes it", async () => {
  await look("active", null, 1);
  expect(await stored()).toMatchObject({ partner_id: null });
  await look("active", "acme", 2);
  await look("active", null, 3);
  expect(await stored()).toMatchObject({ partner_id: "acme" });
  await look("active", "globex", 4);
  expect(await stored()).toMatchObject({ partner_id: "acme" });
});
