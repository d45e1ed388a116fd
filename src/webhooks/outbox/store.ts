import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { endpointIdOf } from "../../core/ids.ts";
import type { MessageQueue } from "../../core/message-queue.ts";
import { type Database, inList, type ReturnedRows, rowsOfKind, runBatch, type Statement } from "../../db/client.ts";
import { type deliveryStates, endpoints, events } from "../../db/schema/webhooks.ts";
import type { PartnerEvent } from "./events/define-event.ts";

/**
 * The time of an event that is recorded now, later than that of each earlier event of the environment: what is behind a time that a
 * reader has seen was committed after it. SQL for an inserted row. By index.
 */
export function nextEventTime(endpointId: string, now: number): SQL {
  return sql`MAX(${now}, COALESCE((SELECT MAX(created_at) FROM ${events} WHERE endpoint_id = ${endpointId}), 0) + 1)`;
}

/** SQL condition: a further endpoint gets this event: a webhook those of its kinds, a channel those with a message for it. */
const wants = ({
  name,
  channels,
}: PartnerEvent): SQL => sql`CASE WHEN ${endpoints.channel} IS NOT NULL THEN ${endpoints.channel} IN ${inList(channels)}
  ELSE ${endpoints.kinds} IS NULL OR EXISTS (SELECT 1 FROM json_each(${endpoints.kinds}) WHERE value = ${name}) END`;

/**
 * The rows of a partner event: with its delivery to the first endpoint of its environment (interface W.1), and its deliveries to the
 * further endpoints that want it. The caller writes them in the same batch as the change that caused the event. Nothing is inserted if
 * the cause was recorded before, or if `onlyIf` is false at that point of the batch. `fill` puts into the payload what only the batch
 * knows. A delivery is `pending`, `suspended` if its endpoint is suspended, and `no_endpoint` if the partner has registered none, or if
 * the event is about that endpoint. A channel that is suspended gets no message later, so it has no row.
 */
export function recordEvent(
  db: Database,
  event: PartnerEvent,
  now: number,
  onlyIf: SQL = sql`TRUE`,
  fill: (written: string) => SQL | string = (written) => written,
): Statement {
  const { id, cause, name, recipient, payload, about } = event;
  const { partnerId, environment } = recipient;
  const endpointId = endpointIdOf(partnerId, environment);
  const isOther = sql`${endpoints.id} IS NOT ${about}`;
  const state = sql`CASE ${endpoints.status} WHEN 'active' THEN 'pending' ELSE 'suspended' END`;
  const first = sql`SELECT ${id} AS id, ${endpointId} AS endpoint,
    COALESCE((SELECT ${state} FROM ${endpoints} WHERE ${endpoints.id} = ${endpointId} AND ${isOther}), 'no_endpoint') AS state`;
  const further = sql`SELECT ${id} || '.' || ${endpoints.code}, ${endpoints.id}, ${state} FROM ${endpoints}
    WHERE ${endpoints.partnerId} = ${partnerId} AND ${endpoints.environment} = ${environment} AND ${endpoints.code} > '' AND ${wants(event)}
      AND ${isOther} AND (${endpoints.channel} IS NULL OR ${endpoints.status} = 'active') AND NOT EXISTS (SELECT 1 FROM ${events} AS known WHERE known.id = ${id})`;
  return db
    .insert(events)
    .select(
      sql`SELECT recipient.id, ${cause}, ${partnerId}, ${environment}, recipient.endpoint, ${name}, ${fill(payload)}, ${nextEventTime(endpointId, now)},
          recipient.state, 0, 0, ${now}, 0, NULL, NULL
        FROM (${first} UNION ALL ${further}) AS recipient WHERE ${onlyIf}`,
    )
    .onConflictDoNothing()
    .returning({ newEvent: events.id, newState: events.state });
}

/** Whether the event is recorded, and has not expired. */
export function isRecorded({ id }: Pick<PartnerEvent, "id">): SQL {
  return sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${id})`;
}

const newEventSchema = z.object({ newEvent: z.string(), newState: z.string() });

/** Among the rows that a batch with {@link recordEvent} returned: the ids of the new events that are to be delivered. */
export function newlyDue(returned: ReturnedRows): string[] {
  const due: (typeof deliveryStates)[number] = "pending";
  return rowsOfKind(returned, newEventSchema).flatMap(({ newEvent, newState }) => (newState === due ? [newEvent] : []));
}

/** The partner has registered an endpoint since the event was recorded: a manual resend may now send it there. */
export function allowResend(db: Database, eventId: string, isAllowed: SQL = sql`TRUE`): Statement {
  return db
    .update(events)
    .set({ state: "exhausted" })
    .where(
      sql`${events.id} = ${eventId} AND ${events.state} = 'no_endpoint' AND EXISTS (SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = ${events.endpointId}) AND ${isAllowed}`,
    );
}

export interface OutboxDeps {
  readonly db: Database;
  readonly deliveryQueue: MessageQueue;
}

/**
 * Executes statements in one transaction, and enqueues the deliveries of the events that they recorded, and no others.
 * The sweep finds deliveries that were not enqueued. Returns the rows that the statements returned.
 */
export async function runWithOutbox({ db, deliveryQueue }: OutboxDeps, statements: readonly Statement[]): Promise<ReturnedRows> {
  const returned = (await runBatch(db, statements)).flat();
  await deliveryQueue.send(newlyDue(returned));
  return returned;
}
