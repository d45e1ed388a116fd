import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { Environment } from "../core/environment.ts";
import { addedUp, groupsBy } from "../core/sums.ts";
import { type Cell, inList } from "../db/client.ts";
import { isOwnedBy, type ListData, type OwnList } from "../db/newest-page.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";

/** Subscriptions that are alike: of one link, with the same prices, in the same state. `items` as `pricesIn` reads them. */
export type SubscriptionGroup = Awaited<ReturnType<typeof groupSubscriptions>>[number];

/** The subscriptions that began through a link, also by a trial. At most `limit`. One D1 round trip, by the index of its partner's. */
export async function subscriptionsThrough(
  db: Cell,
  link: { readonly id: string; readonly partnerId: string; readonly environment: Environment },
  limit: number,
) {
  const { id, partnerId, environment, paymentLinkId, status } = subscriptions;
  const isOfPartner = and(eq(partnerId, link.partnerId), eq(environment, link.environment));
  const found = await db
    .select({ id })
    .from(subscriptions)
    .where(and(isOfPartner, eq(paymentLinkId, link.id), sql`${status} NOT LIKE 'incomplete%'`))
    .limit(limit)
    .all();
  return found.map((row) => row.id);
}

/** Counts the subscriptions of partners that have not ended, by link, prices and state. One D1 round trip to each cell. */
export async function groupSubscriptions(data: ListData, partnerId: OwnList["partnerId"], wanted: readonly Environment[]) {
  const { environment, cancelAt, paymentLinkId, items, currency, interval, intervalCount, status, cancelAtPeriodEnd } = subscriptions;
  const alike = {
    environment,
    partnerId: subscriptions.partnerId,
    paymentLinkId,
    items,
    currency,
    interval,
    intervalCount,
    status,
    cancelAtPeriodEnd,
  };
  const found = await data.each(({ db }) =>
    db
      .select({
        ...alike,
        cancelAt: sql<number | null>`MAX(${cancelAt})`,
        currentPeriodEnd: sql<number | null>`MAX(${subscriptions.currentPeriodEnd})`,
        count: sql<number>`COUNT(*)`,
      })
      .from(subscriptions)
      .where(and(isOwnedBy(subscriptions.partnerId, { partnerId }), inArray(environment, inList(wanted))))
      .groupBy(...Object.values(alike), sql`${cancelAt} IS NULL`)
      .all(),
  );
  return found.flat();
}

const monthSchema = z.object({ month: z.string(), started: z.int(), ended: z.int(), kept: z.int() });

/** How many subscriptions a month began, ended and kept: of those that ran as it began, how many ran as it ended, or run now. */
type SubscriptionMonth = z.infer<typeof monthSchema>;

const countOf = (condition: SQL): SQL => sql`COALESCE(SUM(${condition}), 0)`;

/**
 * Counts the subscriptions of partners by months, which are periods in Unix milliseconds. One whose first payment never came has not
 * begun. One D1 round trip to each cell, which reads each of their subscriptions once for each month.
 */
export async function countByMonths(
  data: ListData,
  partnerId: OwnList["partnerId"],
  wanted: readonly Environment[],
  months: readonly { readonly month: string; readonly from: number; readonly to: number }[],
): Promise<SubscriptionMonth[]> {
  const { environment, startedAt, endedAt, status } = subscriptions;
  const [from, to] = [sql`m.value ->> 'from'`, sql`m.value ->> 'to'`];
  const isIn = (time: SQLiteColumn) => sql`${time} >= ${from} AND ${time} < ${to}`;
  const found = await data.each(({ db }) =>
    db.all(sql`SELECT m.value ->> 'month' AS month, ${countOf(isIn(startedAt))} AS started, ${countOf(isIn(endedAt))} AS ended,
        ${countOf(sql`${startedAt} < ${from} AND (${endedAt} IS NULL OR ${endedAt} >= ${to})`)} AS kept
      FROM ${subscriptions} JOIN json_each(${JSON.stringify(months)}) AS m
      WHERE ${isOwnedBy(subscriptions.partnerId, { partnerId })} AND ${environment} IN ${inList(wanted)}
        AND ${status} NOT LIKE 'incomplete%' GROUP BY 1`),
  );
  return joinMonths([months.map(({ month }) => ({ month, started: 0, ended: 0, kept: 0 })), z.array(monthSchema).parse(found.flat())]);
}

/** The counts of several parts by month, in order of the months. */
export function joinMonths(parts: readonly (readonly SubscriptionMonth[])[]): SubscriptionMonth[] {
  const byMonth = groupsBy(parts.flat(), ({ month }) => month);
  return byMonth.map(([month, of]) => ({ month, ...addedUp(["started", "ended", "kept"], of) }));
}
