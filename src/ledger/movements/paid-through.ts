import { and, desc, eq, notInArray, sql } from "drizzle-orm";
import { limits } from "../../core/limits.ts";
import { type Cell, inList } from "../../db/client.ts";
import type { PartnerData } from "../../db/partner-data.ts";
import { movements } from "../../db/schema/ledger.ts";
import { newestOfReference } from "./known-payments.ts";

/** Movements of one kind that came through a link: signed, in minor units of `currency`. */
type LinkSum = Awaited<ReturnType<typeof sumsIn>>[number];

/** What came through a link. `isComplete`: every movement was counted, and not only the newest ones. */
export interface PaidThrough {
  readonly sums: readonly LinkSum[];
  readonly isComplete: boolean;
}

/**
 * Sums the movements of a partner's link, the newest 20,000 of each of its cells at most. One D1 round trip to each, by
 * index, and two more for several.
 */
export async function paidThrough(data: PartnerData, partnerId: string, linkId: string): Promise<PaidThrough> {
  const parts = await data.sums(
    ({ db }) => idsIn(db, partnerId, linkId),
    ({ db }, without) => sumsIn(db, partnerId, linkId, without),
  );
  const found = parts.flat();
  const sums = new Map<string, LinkSum>();
  for (const { type, status, currency, count, amount } of found) {
    const key = `${type} ${status} ${currency}`;
    const known = sums.get(key);
    sums.set(key, { type, status, currency, count: count + (known?.count ?? 0), amount: amount + (known?.amount ?? 0) });
  }
  const counted = found.reduce((sum, { count }) => sum + count, 0);
  return { sums: [...sums.values()].toSorted(byTypeAndCurrency), isComplete: counted < limits.sums.movements };
}

const byTypeAndCurrency = (left: LinkSum, right: LinkSum) =>
  `${left.type} ${left.status} ${left.currency}` < `${right.type} ${right.status} ${right.currency}` ? -1 : 1;

/** The movements of a link in one cell. */
async function idsIn(db: Cell, partnerId: string, linkId: string): Promise<string[]> {
  const { id, paymentLinkId, transactionDate } = movements;
  const rows = await db
    .select({ id })
    .from(movements)
    .where(and(eq(paymentLinkId, linkId), sql`+${movements.partnerId} = ${partnerId}`))
    .orderBy(desc(transactionDate), desc(id))
    .limit(limits.sums.movements)
    .all();
  return rows.map((row) => row.id);
}

async function sumsIn(db: Cell, partnerId: string, linkId: string, leftOut: readonly string[]) {
  const { type, status, currency, amount, paymentLinkId, transactionDate } = movements;
  const newest = db
    .select({ type, status, currency, amount })
    .from(movements)
    // The plus keeps SQLite from using the index by partner.
    .where(
      and(
        eq(paymentLinkId, linkId),
        sql`+${movements.partnerId} = ${partnerId}`,
        leftOut.length === 0 ? undefined : notInArray(movements.id, inList(leftOut)),
      ),
    )
    .orderBy(desc(transactionDate))
    .limit(limits.sums.movements)
    .as("newest");
  return db
    .select({
      type: newest.type,
      status: newest.status,
      currency: newest.currency,
      count: sql<number>`count(*)`,
      amount: sql<number>`sum(${newest.amount})`,
    })
    .from(newest)
    .groupBy(newest.type, newest.status, newest.currency)
    .all();
}

/** The links of the payments with an order reference, of one partner. One D1 round trip to each of its cells, by index. */
export async function linksOfReference(data: PartnerData, partnerId: string, reference: string): Promise<string[]> {
  const found = await data.each(({ db }) => newestOfReference(db, partnerId, reference));
  return [...new Set(found.flat().flatMap(({ paymentLinkId }) => paymentLinkId ?? []))];
}
