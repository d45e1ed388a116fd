import { and, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Cell, inList, type Statement } from "../db/client.ts";
import { linkOpens } from "../db/schema/opens.ts";

const { day, environment, opens, paymentLinkId } = linkOpens;

/** What is added to the openings of a link on a day. */
export type AddedOpens = typeof linkOpens.$inferInsert;

/** Adds openings to those of their days, by one statement, where a condition holds. */
export function addOpens(db: Cell, rows: readonly AddedOpens[], where: SQL = sql`TRUE`): Statement {
  const added = sql`SELECT value ->> 'paymentLinkId', value ->> 'day', value ->> 'partnerId', value ->> 'environment', value ->> 'opens' FROM json_each(${JSON.stringify(rows)}) WHERE ${where}`;
  return db
    .insert(linkOpens)
    .select(added)
    .onConflictDoUpdate({ target: [paymentLinkId, day], set: { opens: sql`${opens} + excluded.opens` } });
}

/** The openings of some links, each on all days together. One D1 round trip, by index. */
export async function opensOfLinks(db: Cell, links: readonly string[]) {
  return db
    .select({ link: paymentLinkId, opens: sql<number>`SUM(${opens})` })
    .from(linkOpens)
    .where(inArray(paymentLinkId, inList(links)))
    .groupBy(paymentLinkId)
    .all();
}

/** The openings of a link by day, of the days from one to another, which is in it. One D1 round trip, by index. */
export async function opensByDay(db: Cell, link: string, days: { readonly from: string; readonly to: string }) {
  return db
    .select({ day, opens })
    .from(linkOpens)
    .where(and(inArray(paymentLinkId, inList([link])), gte(day, days.from), lte(day, days.to)))
    .all();
}

/** The openings of a partner's links in some days, of `most` links. One D1 round trip, by index. */
export async function opensOfPartner(
  db: Cell,
  { partner, environments }: { readonly partner: string; readonly environments: readonly Environment[] },
  days: { readonly from: string; readonly to: string },
  most: number,
) {
  return db
    .select({ link: paymentLinkId, opens: sql<number>`SUM(${opens})` })
    .from(linkOpens)
    .where(and(eq(linkOpens.partnerId, partner), gte(day, days.from), lte(day, days.to), inArray(environment, [...environments])))
    .groupBy(paymentLinkId)
    .limit(most)
    .all();
}
