import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../../db/client.ts";
import { firstEvents, listsEvent, type RowEvent, withEvents } from "../../db/recorded-events.ts";
import { movements } from "../../db/schema/ledger.ts";
import { excluded, isIncomingNewer, maxOf, newestNonNull } from "../../db/upsert.ts";
import type { Movement } from "../movement.ts";

/**
 * Stores the movement in the processor's state at `asOf`. Two refreshes of one movement may be written in the wrong
 * order. The state comes from the later refresh. Known values are kept, whichever refresh saw them. A known owner never
 * changes. A refresh that could not classify the movement never overrides one that could.
 *
 * The row lists the names of those `events` that are recorded by then. `now`: when it is booked, if it is new.
 *
 * Indexed columns have a statement of their own, which runs first and does nothing if they are unchanged: an update
 * that names them would rewrite their index rows.
 */
export function upsertMovement(
  db: Database,
  movement: Movement,
  { asOf, now }: { readonly asOf: number; readonly now: number },
  events: readonly RowEvent[] = [],
): Statement[] {
  const { id, partnerId, paymentIntentId, clientReferenceId } = movement;
  const { updatedAt, type } = movements;
  const isUnclassified = sql`${type} IS NULL`;
  const counts = sql`CASE WHEN (${excluded(type)} IS NULL) = (${isUnclassified}) THEN ${isIncomingNewer(updatedAt)} ELSE ${isUnclassified} END`;
  const state = (column: SQLiteColumn) => sql`CASE WHEN ${counts} THEN ${excluded(column)} ELSE ${column} END`;
  const isNewer = sql`${asOf} >= ${updatedAt}`;
  const known = (value: string | null, column: SQLiteColumn) =>
    sql`CASE WHEN ${isNewer} THEN COALESCE(${value}, ${column}) ELSE COALESCE(${column}, ${value}) END`;
  const owner = sql`COALESCE(${movements.partnerId}, ${partnerId})`;
  const payment = known(paymentIntentId, movements.paymentIntentId);
  const reference = known(clientReferenceId, movements.clientReferenceId);
  return [
    db
      .update(movements)
      .set({
        partnerId: owner,
        paymentIntentId: payment,
        clientReferenceId: reference,
        // Without an owner it was in no statement.
        bookedAt: sql`CASE WHEN ${movements.partnerId} IS NULL THEN ${now} ELSE ${movements.bookedAt} END`,
      })
      .where(
        sql`${movements.id} = ${id} AND (${movements.partnerId}, ${movements.paymentIntentId}, ${movements.clientReferenceId}) IS NOT (${owner}, ${payment}, ${reference})`,
      ),
    db
      .insert(movements)
      .values({ ...movement, recordedEvents: firstEvents(events), bookedAt: now, updatedAt: asOf })
      .onConflictDoUpdate({
        target: movements.id,
        set: {
          status: state(movements.status),
          // The processor changes none of its transactions: this mends a row that something else changed.
          amount: state(movements.amount),
          fee: state(movements.fee),
          net: state(movements.net),
          description: state(movements.description),
          type: newestNonNull(type, updatedAt),
          sourceId: newestNonNull(movements.sourceId, updatedAt),
          subscriptionId: newestNonNull(movements.subscriptionId, updatedAt),
          paymentLinkId: newestNonNull(movements.paymentLinkId, updatedAt),
          chargedAmount: newestNonNull(movements.chargedAmount, updatedAt),
          chargedCurrency: newestNonNull(movements.chargedCurrency, updatedAt),
          availableAt: newestNonNull(movements.availableAt, updatedAt),
          isSubscription: maxOf(movements.isSubscription),
          recordedEvents: withEvents(movements.recordedEvents, events),
          updatedAt: maxOf(updatedAt),
        },
      })
      .returning({ seen: movements.id, seenAt: movements.updatedAt }),
  ];
}

/**
 * True unless a later refresh has stored another status for the movement: then this status is superseded. A refresh
 * that could not classify the movement supersedes none that could.
 */
export function isMovementCurrent({ id, status, type }: Movement, asOf: number): SQL {
  const { updatedAt } = movements;
  const isClassified = type === null ? sql`TRUE` : sql`${movements.type} IS NOT NULL`;
  return sql`NOT EXISTS (SELECT 1 FROM ${movements} WHERE ${movements.id} = ${id} AND ${updatedAt} > ${asOf} AND ${movements.status} <> ${status} AND ${isClassified})`;
}

/** True unless the event was already recorded for the movement. */
export function isUnreported({ id }: Movement, name: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${movements} WHERE ${movements.id} = ${id} AND ${listsEvent(movements.recordedEvents, name)})`;
}
