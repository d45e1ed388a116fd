import { and, desc, eq, ne } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { paymentLinkItems, paymentLinks, shortLinks } from "../db/schema/links.ts";

/** The row of a link, to be written with whatever made it. */
export function insertPaymentLink(db: Database, row: typeof paymentLinks.$inferInsert): Statement {
  return db.insert(paymentLinks).values(row);
}

/** D1 takes 100 parameters in a statement, and a line has six columns. */
const LINES_PER_STATEMENT = 16;

/** A link's lines, in as many statements as D1's limit asks for. */
export function insertPaymentLinkItems(db: Database, rows: readonly (typeof paymentLinkItems.$inferInsert)[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += LINES_PER_STATEMENT) {
    statements.push(db.insert(paymentLinkItems).values(rows.slice(start, start + LINES_PER_STATEMENT)));
  }
  return statements;
}

/** The idempotency record that a link was made under; null for an unknown link, and for one that moderation made. */
export async function findRecordOfLink(db: Database, paymentLinkId: string): Promise<string | null> {
  const row = await db.select({ recordId: paymentLinks.recordId }).from(paymentLinks).where(eq(paymentLinks.id, paymentLinkId)).get();
  return row?.recordId ?? null;
}

/** Whose a link is, as a row or none; to be sent together with other questions. */
export function partnerOfLink(db: Database, paymentLinkId: string) {
  return db.select({ partnerId: paymentLinks.partnerId }).from(paymentLinks).where(eq(paymentLinks.id, paymentLinkId));
}

/**
 * A partner's live links for one product that have a short link, newest first; to be sent together with other
 * questions. A link of a cart has a source of its own.
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
