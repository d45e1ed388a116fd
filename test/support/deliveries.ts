import { env } from "cloudflare:workers";
import { type Database, openDatabase, writeTogether } from "../../src/db/client.ts";
import { partners } from "../../src/db/schema/index.ts";
import { buildTools } from "../../src/deps.ts";
import { paymentExample as payment } from "../../src/http/v2/transaction.ts";
import { endpointIdOf, putEndpoint } from "../../src/notifications/endpoints-store.ts";
import { recordEvent } from "../../src/notifications/outbox.ts";
import { newSigningSecret } from "../../src/notifications/secret-box.ts";
import { putFirstSecret } from "../../src/notifications/secrets-store.ts";
import { world } from "./stack.ts";

/** A payment's transaction as partners are shown it. */
export const TRANSACTION = { ...payment, environment: "test" };

interface Recorded {
  readonly partnerId?: string;
  readonly environment?: "live" | "test";
  readonly cause?: string;
  readonly db?: Database;
  readonly now?: number;
}

/** An event on the record, as an operation would leave it; nobody has been woken for it yet. Gives its id. */
export async function recordPayment({
  partnerId = "acme",
  environment = "test",
  cause = crypto.randomUUID(),
  db = openDatabase(env.DB),
  now = Date.now(),
}: Recorded = {}): Promise<string> {
  const id = `evt_${crypto.randomUUID().replaceAll("-", "")}`;
  const payload = { transaction: { ...TRANSACTION, environment } };
  await writeTogether(db, recordEvent({ db }, { id, cause, partnerId, environment, name: "Processor.payment.succeeded", payload }, now));
  return id;
}

/** Many events at once, so many of each partner in turn; gives their ids. */
export async function recordPayments(partnerIds: readonly string[], count: number, now: number): Promise<string[]> {
  const db = openDatabase(env.DB);
  const ids: string[] = [];
  while (ids.length < count) {
    const batch = Array.from({ length: Math.min(100, count - ids.length) }, (_, index) => {
      const id = `evt_${crypto.randomUUID().replaceAll("-", "")}`;
      const partnerId = partnerIds[(ids.length + index) % partnerIds.length] ?? "";
      const event = { id, cause: id, partnerId, environment: "test", name: "Processor.payment.succeeded" } as const;
      return { ...event, payload: { transaction: TRANSACTION } };
    });
    await writeTogether(
      db,
      batch.flatMap((event) => recordEvent({ db }, event, now)),
    );
    ids.push(...batch.map(({ id }) => id));
  }
  return ids;
}

/** What an inbox got of an event, oldest first. */
export const received = (inbox: string, eventId: string) =>
  (world.state.inboxes[inbox]?.received ?? []).filter(({ headers }) => headers["service-event-id"] === eventId);

interface DeliveryRow {
  state: string;
  attempts: number;
  off_schedule: number;
  next_attempt_at: number;
  waiting: number;
  claimed_at: number | null;
  resend_from: string | null;
  created_at: number;
}

export const deliveryOf = (eventId: string) =>
  env.DB.prepare("SELECT * FROM deliveries WHERE event_id = ?").bind(eventId).first<DeliveryRow>();

interface AttemptRow {
  number: number;
  status: number | null;
  error_class: string | null;
  by_hand: number;
  excerpt: string | null;
}

export async function attemptsOf(eventId: string): Promise<AttemptRow[]> {
  const attempts = env.DB.prepare("SELECT * FROM delivery_attempts WHERE event_id = ? ORDER BY number").bind(eventId);
  return (await attempts.all<AttemptRow>()).results;
}

interface EndpointRow {
  status: string;
  url: string;
  failing_since: number | null;
  failures: number;
  rest_until: number;
  suspended_for: string | null;
  revision: number;
}

export const endpointOf = (id: string) => env.DB.prepare("SELECT * FROM endpoints WHERE id = ?").bind(id).first<EndpointRow>();

/** Ends all that is on its way, and forgets what endpoints have failed: what one test did is nothing to the next. */
export async function clearTheWay(): Promise<void> {
  await env.DB.exec(
    "UPDATE endpoints SET status = 'active', failing_since = NULL, failures = 0, rest_until = 0, suspended_at = NULL, suspended_for = NULL",
  );
  await env.DB.exec("UPDATE deliveries SET state = 'succeeded', waiting = 0, claimed_at = NULL, resend_from = NULL");
}

/** Makes partners with a test endpoint each, at these URLs, as registering them does. Gives the ids of the partners. */
export async function partnersAt(urls: readonly string[]): Promise<string[]> {
  const { db, secretBox } = buildTools(env);
  const now = Date.now();
  const ids = urls.map((_, index) => `partner-${index}-${crypto.randomUUID()}`);
  const statements = ids.map(async (id, index) => {
    const endpointId = endpointIdOf(id, "test");
    const secret = { id: `secret_${id}`, sealed: await secretBox.seal(newSigningSecret("test"), endpointId) };
    return [
      db.insert(partners).values({ id, name: id, createdAt: now }),
      ...putEndpoint(db, { partnerId: id, environment: "test", url: urls[index] ?? "" }, now),
      putFirstSecret(db, endpointId, secret, now),
    ];
  });
  await writeTogether(db, (await Promise.all(statements)).flat());
  return ids;
}
