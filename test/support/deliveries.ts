import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { newIdCode } from "../../src/core/cell-code.ts";
import type { Environment } from "../../src/core/environment.ts";
import { endpointIdOf } from "../../src/core/ids.ts";
import { newSigningSecret } from "../../src/core/secret-cipher.ts";
import { connectCell, type Database, runBatch } from "../../src/db/client.ts";
import { endpoints, events, partners } from "../../src/db/schema/index.ts";
import { bodyOf } from "../../src/views/event-body.ts";
import { exampleMovement } from "../../src/views/transaction.ts";
import { insertFirstSecret } from "../../src/webhooks/endpoints/secrets-store.ts";
import { upsertEndpoint } from "../../src/webhooks/endpoints/store.ts";
import { transactionEvents } from "../../src/webhooks/outbox/events/transaction-events.ts";
import { recordEvent } from "../../src/webhooks/outbox/store.ts";
import { CELL, cellDeps, cellOf, homes, ID_CODE } from "./cells.ts";
import { world } from "./stack.ts";
import { rowOf, updateRows } from "./tables.ts";

interface Recorded {
  readonly partnerId?: string;
  readonly environment?: Environment;
  /** Of the movement: two with one id are one event. */
  readonly movementId?: string;
  readonly db?: Database;
  /** The time of the event, also if others of its environment are later. */
  readonly now?: number;
  /** What the clock says when it is recorded: the event is later than all others of its environment. */
  readonly clock?: number;
}

const paymentEvent = (partnerId: string, environment: Environment, id = `processor:txn_${crypto.randomUUID()}`) =>
  transactionEvents.paymentSucceeded.make(newIdCode(homes[partnerId] ?? CELL), {
    ...exampleMovement,
    id,
    partnerId,
    environment,
    discount: null,
    dispute: null,
  });

/** Records an event as an operation would; its delivery is not enqueued. Returns the event's id. */
export async function recordPayment({
  partnerId = "acme",
  environment = "test",
  movementId,
  db = connectCell(cellOf(partnerId)),
  now,
  clock = now ?? Date.now(),
}: Recorded = {}): Promise<string> {
  const event = await paymentEvent(partnerId, environment, movementId);
  await runBatch(db, [recordEvent(db, event, clock)]);
  if (now !== undefined) await updateRows(events, { created_at: now }, { id: event.id });
  return event.id;
}

/** Records many events, of each partner in turn. Returns their ids. */
export async function recordPayments(partnerIds: readonly string[], count: number, now: number): Promise<string[]> {
  const db = connectCell(env.CELL_1);
  const ids: string[] = [];
  while (ids.length < count) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(100, count - ids.length) }, (_, index) =>
        paymentEvent(partnerIds[(ids.length + index) % partnerIds.length] ?? "", "test"),
      ),
    );
    await runBatch(
      db,
      batch.map((event) => recordEvent(db, event, now)),
    );
    ids.push(...batch.map(({ id }) => id));
  }
  return ids;
}

/** What an inbox got of an event, oldest first. */
export const received = (inbox: string, eventId: string) =>
  (world.state.inboxes[inbox]?.received ?? []).filter(({ headers }) => headers["service-event-id"] === eventId);

export const deliveryOf = (eventId: string) => rowOf(events, { id: eventId });

interface AttemptRow {
  number: number;
  status: number | null;
  error_class: string | null;
  manual: number;
  excerpt: string | null;
}

export async function attemptsOf(eventId: string): Promise<AttemptRow[]> {
  const attempts = env.CELL_1.prepare("SELECT * FROM delivery_attempts WHERE event_id = ? ORDER BY number").bind(eventId);
  return (await attempts.all<AttemptRow>()).results;
}

/** The bodies of the recorded events with this cause. */
export async function bodiesOf(cause: string): Promise<any[]> {
  const found = await connectCell(env.CELL_1).select().from(events).where(eq(events.cause, cause)).all();
  return found.map((event) => JSON.parse(bodyOf(event)));
}

export const endpointOf = (id: string) => rowOf(endpoints, { id });

/** Ends all that is on its way, and forgets what endpoints have failed: what one test did is nothing to the next. */
export async function clearTheWay(): Promise<void> {
  await env.CELL_1.exec(
    "UPDATE endpoints SET status = 'active', failing_since = NULL, failures = 0, cooldown_until = 0, suspended_at = NULL, suspension_reason = NULL",
  );
  await env.CELL_1.exec("UPDATE events SET state = 'succeeded', waiting = 0, claimed_at = NULL, state_before_resend = NULL");
}

/** Makes partners with a test endpoint each, at these URLs, as registering them does. Gives the ids of the partners. */
export async function partnersAt(urls: readonly string[]): Promise<string[]> {
  const { directory, db, secretCipher } = cellDeps();
  const now = Date.now();
  const ids = urls.map((_, index) => `partner-${index}-${crypto.randomUUID()}`);
  const statements = ids.map(async (id, index) => {
    const endpointId = endpointIdOf(id, "test");
    const secret = { id: `secret_${id}`, encrypted: await secretCipher.encrypt(newSigningSecret("test"), endpointId) };
    return [
      ...upsertEndpoint(db, { partnerId: id, environment: "test", url: urls[index] ?? "" }, now),
      insertFirstSecret(db, endpointId, secret, now),
    ];
  });
  await runBatch(
    directory,
    ids.map((id) => directory.insert(partners).values({ id, name: id, cell: CELL, idCode: ID_CODE, createdAt: now })),
  );
  await runBatch(db, (await Promise.all(statements)).flat());
  return ids;
}
