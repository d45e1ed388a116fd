import { type SQL, sql } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import { environments } from "../../core/environment.ts";
import { endpointIdOf } from "../../core/ids.ts";
import { type CountedBy, countIf, dayOf } from "../../db/aggregates.ts";
import { inList } from "../../db/client.ts";
import { events } from "../../db/schema/webhooks.ts";
import { isRealEvent } from "../endpoints/delivery-state.ts";

const { createdAt, endpointId, environment, partnerId, state } = events;

/**
 * Counts the events that were recorded for some partners in a period, by day and delivery result, as rows of
 * `daily_deliveries`. Test events are not counted. By index.
 */
export function countDeliveriesByDay(partnerIds: readonly string[], { from, to }: Period): SQL {
  const endpointIds = partnerIds.flatMap((id) => environments.map((one) => endpointIdOf(id, one)));
  const isWaiting = sql`${state} IN ('pending', 'sending', 'suspended')`;
  return sql`SELECT ${dayOf(createdAt)}, ${partnerId}, ${environment}, ${countIf(sql`${state} <> 'no_endpoint'`)}, ${countIf(sql`${state} = 'succeeded'`)},
    ${countIf(sql`${state} = 'exhausted'`)}, ${countIf(isWaiting)}, MIN(${createdAt}) FILTER (WHERE ${isWaiting})
    FROM ${events} WHERE ${endpointId} IN ${inList(endpointIds)} AND ${createdAt} >= ${from} AND ${createdAt} < ${to} AND ${isRealEvent} GROUP BY 1, 2, 3`;
}

/** SQL condition: a row of {@link countDeliveriesByDay} that was stored would be counted again. By index. */
export const hasDeliveries = (row: CountedBy<"partnerId" | "environment">, { from, to }: Period): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${endpointId} = 'ep_' || ${row.partnerId} || '_' || ${row.environment}
    AND ${createdAt} >= ${from} AND ${createdAt} < ${to} AND ${isRealEvent})`;
