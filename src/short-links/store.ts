import { eq } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { paymentLinks, shortLinks } from "../db/schema/links.ts";

/** Inserts the row that maps a slug to a payment link. A slug that already exists violates the primary key. */
export function insertShortLink(db: Database, slug: string, paymentLinkId: string, now: number): Statement {
  return db.insert(shortLinks).values({ slug, paymentLinkId, createdAt: now });
}

/** The target URL of a slug, read from D1 (the source of truth). One D1 round trip. */
export async function findTarget(db: Database, slug: string): Promise<string | undefined> {
  const row = await db
    .select({ url: paymentLinks.url })
    .from(shortLinks)
    .innerJoin(paymentLinks, eq(paymentLinks.id, shortLinks.paymentLinkId))
    .where(eq(shortLinks.slug, slug))
    .get();
  return row?.url;
}
