import { eq } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { paymentLinks, shortLinks } from "../db/schema/links.ts";

/** The row that makes a slug lead to a payment link. A slug that is taken breaks the primary key. */
export function insertShortLink(db: Database, slug: string, paymentLinkId: string, now: number): Statement {
  return db.insert(shortLinks).values({ slug, paymentLinkId, createdAt: now });
}

/** Where a slug leads, by the truth: one D1 round trip. */
export async function findTarget(db: Database, slug: string): Promise<string | undefined> {
  const row = await db
    .select({ url: paymentLinks.url })
    .from(shortLinks)
    .innerJoin(paymentLinks, eq(paymentLinks.id, shortLinks.paymentLinkId))
    .where(eq(shortLinks.slug, slug))
    .get();
  return row?.url;
}
