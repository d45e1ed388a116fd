import { type SQL, sql } from "drizzle-orm";
import { HOUR, MINUTE, type Period, SECOND } from "../../core/clock.ts";
import { type CountedBy, countIf, dayOf } from "../../db/aggregates.ts";
import { inList } from "../../db/client.ts";
import { deliveryAttempts, endpoints, events } from "../../db/schema/webhooks.ts";
import { isRealEvent } from "../endpoints/delivery-state.ts";

/** Deliveries that were accepted within so many milliseconds. */
const soon = (limit: number): SQL => countIf(sql`took <= ${limit}`);

/**
 * Counts the deliveries of some partners' events of a period by day and endpoint, and how soon each was accepted after its event was
 * recorded, as rows of `daily_endpoints`. Test events, and events without a delivery, are not counted. By index.
 */
export function countEndpointsByDay(partnerIds: readonly string[], { from, to }: Period): SQL {
  const ofPartners = sql`SELECT id FROM ${endpoints} WHERE partner_id IN ${inList(partnerIds)}`;
  const acceptedAt = sql`(SELECT MIN(at + duration_ms) FROM ${deliveryAttempts} WHERE event_id = ${events.id} AND error_class IS NULL)`;
  const { createdAt, endpointId, state } = events;
  return sql`SELECT day, endpoint_id, partner_id, COUNT(*), SUM(attempts), ${countIf(sql`state = 'succeeded'`)}, ${soon(SECOND)}, ${soon(MINUTE)}, ${soon(HOUR)},
      ${countIf(sql`state = 'exhausted'`)}
    FROM (SELECT ${dayOf(createdAt)} AS day, endpoint_id, partner_id, attempts, state, ${acceptedAt} - ${createdAt} AS took FROM ${events}
      WHERE ${endpointId} IN (${ofPartners}) AND ${createdAt} >= ${from} AND ${createdAt} < ${to} AND ${state} <> 'no_endpoint' AND ${isRealEvent}) AS owed
    GROUP BY 1, 2, 3`;
}

/** SQL condition: a row of {@link countEndpointsByDay} that was stored would be counted again. By index. */
export const hasEvents = (row: CountedBy<"endpointId">, { from, to }: Period): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.endpointId} = ${row.endpointId} AND ${events.createdAt} >= ${from} AND ${events.createdAt} < ${to}
    AND ${events.state} <> 'no_endpoint' AND ${isRealEvent})`;
