import { and, desc, eq, ne } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { paymentLinkItems, paymentLinks, shortLinks } from "../db/schema/links.ts";

/** Inserts a link's row. Run it in the same transaction as the step that created the link. */
export function insertPaymentLink(db: Database, row: typeof paymentLinks.$inferInsert): Statement {
  return db.insert(paymentLinks).values(row);
}

/** D1 allows 100 parameters per statement, and a line has six columns. */
const LINES_PER_STATEMENT = 16;

/** Inserts a link's lines, split into statements because of D1's limit. */
export function insertPaymentLinkItems(db: Database, rows: readonly (typeof paymentLinkItems.$inferInsert)[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += LINES_PER_STATEMENT) {
    statements.push(db.insert(paymentLinkItems).values(rows.slice(start, start + LINES_PER_STATEMENT)));
  }
  return statements;
}

/** The idempotency record that created a link. Null for an unknown link, and for a link that moderation created. */
export async function findRecordOfLink(db: Database, paymentLinkId: string): Promise<string | null> {
  const row = await db.select({ recordId: paymentLinks.recordId }).from(paymentLinks).where(eq(paymentLinks.id, paymentLinkId)).get();
  return row?.recordId ?? null;
}

/** Selects the owner of a link: one row or none. For use in a batch with other queries. */
export function ownerOfLink(db: Database, paymentLinkId: string) {
  return db.select({ partnerId: paymentLinks.partnerId }).from(paymentLinks).where(eq(paymentLinks.id, paymentLinkId));
}

/**
 * Selects a partner's live links for one product that have a short link, newest first. For use in a batch with other
 * queries. Cart links are excluded by their `source`.
 */
export function liveProductLinksOf(db: Database, partnerId: string) {
  return db
    .select({
      productId: paymentLinkItems.processorProductId,
      unitAmount: paymentLinkItems.unitAmount,
      currency: paymentLinks.currency,
      slug: shortLinks.slug,
    })
    .from(paymentLinks)
    .innerJoin(shortLinks, eq(shortLinks.paymentLinkId, paymentLinks.id))
    .innerJoin(paymentLinkItems, and(eq(paymentLinkItems.paymentLinkId, paymentLinks.id), eq(paymentLinkItems.position, 0)))
    .where(and(eq(paymentLinks.partnerId, partnerId), eq(paymentLinks.environment, "live"), ne(paymentLinks.source, "cart")))
    .orderBy(desc(paymentLinks.createdAt), desc(paymentLinks.id));
}
