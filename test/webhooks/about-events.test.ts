import { beforeAll, expect, it } from "vitest";
import { deliveryAttempts, events } from "../../src/db/schema/index.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { keys, send } from "../support/api.ts";
import { CELL } from "../support/cells.ts";
import { insertRow } from "../support/tables.ts";

/** A list of events says what each is about, and how its last attempt went. */

const idOf = (index: number) => `evt_${CELL}${String(index).padStart(30, "0")}`;

/** What the example of an event is about: its order, or its subscription. */
function subjectOf(example: object): unknown {
  const of = (path: string) => path.split(".").reduce<any>((value, name) => value?.[name], example);
  return (
    of("transaction.payment_intent_id") ??
    of("checkout.session_id") ??
    of("Payment.OrderId") ??
    of("subscription.id") ??
    of("payment_intent_id") ??
    null
  );
}

beforeAll(async () => {
  for (const [index, { name, example }] of allEvents.entries())
    await insertRow(events, {
      id: idOf(index),
      partner_id: "acme",
      environment: "test",
      name,
      cause: `about:${index}`,
      payload: JSON.stringify(example),
      endpoint_id: "ep_acme_test",
      state: "exhausted",
      attempts: 2,
      next_attempt_at: 0,
      created_at: Date.now() + index,
    });
  const attempt = { event_id: idOf(0), at: 1, duration_ms: 5, manual: 0, excerpt: null };
  await insertRow(deliveryAttempts, { ...attempt, number: 9, status: null, error_class: "timeout" });
  await insertRow(deliveryAttempts, { ...attempt, number: 10, status: 503, error_class: "status" });
});

it("its order or subscription, for every kind of event", async () => {
  const { body } = await send("/partner/deliveries?environment=test&limit=100", { headers: { "X-Partner-Api-Key": keys.acme } });
  const about = new Map(body.data.map((row: { event: string; about: string | null }) => [row.event, row.about]));
  const subjects = allEvents.map(({ example }) => subjectOf(example));
  expect(allEvents.map((_, index) => about.get(idOf(index)))).toEqual(subjects);
  expect(subjects.filter((one) => one !== null).length).toBeGreaterThan(subjects.length / 2);
});

it("the newest attempt by its number, and nothing before the first", async () => {
  const { body } = await send("/partner/deliveries?environment=test&limit=100", { headers: { "X-Partner-Api-Key": keys.acme } });
  const row = (index: number) => body.data.find(({ event }: { event: string }) => event === idOf(index));
  expect(row(0)).toMatchObject({ last_status: 503, last_error: "status" });
  expect(row(1)).toMatchObject({ last_status: null, last_error: null });
});
