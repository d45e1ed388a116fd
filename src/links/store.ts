import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { parseJson } from "../core/json.ts";
import type { Database, Statement } from "../db/client.ts";
import { paymentLinks } from "../db/schema/links.ts";

/** Inserts a link's row. Run it in the same transaction as the step that created the link. */
export function insertPaymentLink(db: Database, row: typeof paymentLinks.$inferInsert): Statement {
  return db.insert(paymentLinks).values(row);
}

/** A line of a link, as its row stores it. The amount in minor units, for one. */
const storedItemSchema = z.object({ productId: z.string(), priceId: z.string(), unitAmount: z.int(), quantity: z.int() });
export type StoredItem = z.infer<typeof storedItemSchema>;

/** Gives a link its lines and its slug. A slug that another link has violates the unique index. */
export function completePaymentLink(db: Database, id: string, items: readonly StoredItem[], slug: string): Statement {
  return db
    .update(paymentLinks)
    .set({ items: JSON.stringify(items), slug })
    .where(eq(paymentLinks.id, id));
}

/** What created a link, and its short link, if it has one. Undefined for an unknown link. */
export async function findOriginOfLink(db: Database, paymentLinkId: string) {
  const { recordId, source, slug } = paymentLinks;
  return db.select({ recordId, source, slug }).from(paymentLinks).where(eq(paymentLinks.id, paymentLinkId)).get();
}

/** Selects the owner of a link: one row or none. For use in a batch with other queries. */
export function ownerOfLink(db: Database, paymentLinkId: string) {
  return db.select({ partnerId: paymentLinks.partnerId }).from(paymentLinks).where(eq(paymentLinks.id, paymentLinkId));
}

/** A partner's live links for one product that have a short link, newest first. One round trip, by index. */
export async function liveProductLinksOf(db: Database, partnerId: string) {
  const rows = await db
    .select({ items: paymentLinks.items, currency: paymentLinks.currency, slug: paymentLinks.slug })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.partnerId, partnerId), IS_LIVE_PRODUCT_LINK, isNotNull(paymentLinks.slug)))
    .orderBy(desc(paymentLinks.createdAt), desc(paymentLinks.id))
    .all();
  return rows.flatMap(({ items, currency, slug }) => {
    const [item] = items === null ? [] : parseJson(z.array(storedItemSchema), items);
    return item === undefined || slug === null ? [] : [{ productId: item.productId, unitAmount: item.unitAmount, currency, slug }];
  });
}

// Literals, not bound parameters: only then does SQLite use the partial index of these links.
const IS_LIVE_PRODUCT_LINK = sql`${paymentLinks.environment} = 'live' AND ${paymentLinks.source} <> 'cart'`;
