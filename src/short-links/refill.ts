import { and, asc, count, gt, isNotNull, isNull } from "drizzle-orm";
import type { Cell } from "../db/client.ts";
import { paymentLinks } from "../db/schema/links.ts";
import { toCache } from "./target.ts";

/** A Worker can have six connections open at a time. */
const CONCURRENCY = 6;

/** Working links: they have a short link, and are neither disabled nor closed by their payments. */
const IS_LEADING = and(isNotNull(paymentLinks.slug), isNull(paymentLinks.disabledAt), isNull(paymentLinks.closedAt));

/** The number of working short links of a cell. Reads all links. */
export async function countShortLinks(db: Cell): Promise<number> {
  return (await db.select({ count: count() }).from(paymentLinks).where(IS_LEADING).get())?.count ?? 0;
}

/**
 * Writes the short links of a cell to KV again, a page at a time, in slug order. Until then, customers are served from
 * D1. Returns the number of written links, and the last slug; null at the end.
 */
export async function refillShortLinks(
  { db, shortLinkCache }: { readonly db: Cell; readonly shortLinkCache: KVNamespace },
  after: string,
  limit: number,
): Promise<{ readonly count: number; readonly next: string | null }> {
  const rows = await db
    .select({ slug: paymentLinks.slug, partnerId: paymentLinks.partnerId, url: paymentLinks.url, closesAt: paymentLinks.closesAt })
    .from(paymentLinks)
    .where(and(IS_LEADING, gt(paymentLinks.slug, after)))
    .orderBy(asc(paymentLinks.slug))
    .limit(limit);
  for (let start = 0; start < rows.length; start += CONCURRENCY) {
    const some = rows.slice(start, start + CONCURRENCY);
    await Promise.all(some.map(({ slug, ...target }) => shortLinkCache.put(slug ?? "", toCache(target))));
  }
  return { count: rows.length, next: rows.length < limit ? null : (rows.at(-1)?.slug ?? null) };
}
