import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { endpointIdOf } from "../../core/ids.ts";
import { type Database, type ReturnedRows, rowsOfKind, type Statement } from "../../db/client.ts";
import { type deliveryStates, endpoints, events } from "../../db/schema/webhooks.ts";
import type { PartnerEvent } from "./events/define-event.ts";

/**
 * The row of a partner event, with its delivery to the endpoint of its environment (interface W.1). The caller writes it
 * in the same batch as the change that caused the event. Nothing is inserted if the cause was recorded before, or if
 * `onlyIf` is false at that point of the batch. `fill` puts into the payload what only the batch knows. The delivery is `pending`, `suspended` if its endpoint is suspended,
 * and `no_endpoint` if the partner has registered none.
 */
export function recordEvent(
  db: Database,
  { id, cause, name, recipient, payload }: PartnerEvent,
  now: number,
  onlyIf: SQL = sql`TRUE`,
  fill: (written: string) => SQL | string = (written) => written,
): Statement {
  const { partnerId, environment } = recipient;
  const endpointId = endpointIdOf(partnerId, environment);
  const status = db.select({ status: endpoints.status }).from(endpoints).where(eq(endpoints.id, endpointId));
  const state = sql`CASE ${status} WHEN 'active' THEN 'pending' WHEN 'suspended' THEN 'suspended' ELSE 'no_endpoint' END`;
  return db
    .insert(events)
    .select(
      sql`SELECT ${id}, ${cause}, ${partnerId}, ${environment}, ${endpointId}, ${name}, ${fill(payload)}, ${now}, ${state}, 0, 0, ${now}, 0, NULL, NULL WHERE ${onlyIf}`,
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
