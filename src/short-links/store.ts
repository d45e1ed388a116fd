import { and, eq, isNull } from "drizzle-orm";
import type { Cell } from "../db/client.ts";
import { paymentLinks } from "../db/schema/links.ts";

/** The target URL of a slug that is not disabled, read from D1 (the source of truth). One D1 round trip. */
export async function findTarget(db: Cell, slug: string): Promise<string | undefined> {
  const row = await db
    .select({ url: paymentLinks.url })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.slug, slug), isNull(paymentLinks.disabledAt)))
    .get();
  return row?.url;
}
