import { and, eq, isNull } from "drizzle-orm";
import type { Cell } from "../db/client.ts";
import { paymentLinks } from "../db/schema/links.ts";
import type { Target } from "./target.ts";

/** The target of a slug that is not disabled, read from D1 (the source of truth). One D1 round trip. */
export async function findTarget(db: Cell, slug: string): Promise<Target | undefined> {
  return db
    .select({ partnerId: paymentLinks.partnerId, url: paymentLinks.url })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.slug, slug), isNull(paymentLinks.disabledAt)))
    .get();
}
