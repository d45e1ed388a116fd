import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { upstreamBudget } from "../core/call-budget.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { type Cell, inList } from "../db/client.ts";
import { promotionCodes } from "../db/schema/promotions.ts";
import type { Processor } from "../processor/processor.ts";

export type PromotionCodeRow = typeof promotionCodes.$inferSelect;

/** Undefined if this cell does not have the code. */
export async function findPromotionCodeRow(db: Cell, id: string): Promise<PromotionCodeRow | undefined> {
  return db.select().from(promotionCodes).where(eq(promotionCodes.id, id)).get();
}

/** Codes with one text that a search shows: one text may be used again and again, once the code before was stopped. */
const MOST_WITH_TEXT = 20;

/** The codes with this text, the newest first, stopped ones too: support is asked why a code is refused. By index. */
export const findCodesWithText = (db: Cell, text: string): Promise<PromotionCodeRow[]> => findCodesWithTexts(db, [text.toUpperCase()]);

/** {@link findCodesWithText} for several texts in capitals. */
export async function findCodesWithTexts(db: Cell, texts: readonly string[]): Promise<PromotionCodeRow[]> {
  const { code, createdAt } = promotionCodes;
  return db
    .select()
    .from(promotionCodes)
    .where(inArray(code, inList(texts)))
    .orderBy(desc(createdAt))
    .limit(MOST_WITH_TEXT)
    .all();
}

/** The codes of a coupon: usually one. By index. */
export async function findCodesOfCoupon(db: Cell, couponId: string): Promise<PromotionCodeRow[]> {
  return db.select().from(promotionCodes).where(eq(promotionCodes.couponId, couponId)).limit(1).all();
}

interface DeactivationDeps {
  readonly db: Cell;
  readonly clock: Clock;
  processor(environment: Environment): Processor;
}

/**
 * Deactivates a promotion code: at the processor, then here with its audit row. Where the processor does not do it, the code stays
 * active, so that it is seen to be, and a repeat tries again. `reason`: in words that its partner reads.
 * @throws ServiceFailure from the processor.
 */
export async function deactivatePromotionCode(
  deps: DeactivationDeps,
  row: PromotionCodeRow,
  reason: string | null,
  actor: Actor,
): Promise<PromotionCodeRow> {
  const { db, clock } = deps;
  const { id, environment, partnerId } = row;
  const now = clock.now();
  const { deactivatedAt, deactivatedReason } = promotionCodes;
  // One that is deactivated already may be given another reason.
  const isOtherReason = reason === null ? undefined : sql`${deactivatedReason} IS NOT ${reason}`;
  const isOther = and(eq(promotionCodes.id, id), or(isNull(deactivatedAt), isOtherReason));
  const entry = {
    actor,
    action: "promotion_code.deactivate" as const,
    target: id,
    partnerId,
    ...(reason !== null && { after: { reason } }),
  };
  await deps.processor(environment).deactivatePromotionCode(id, { budget: upstreamBudget(clock) });
  await db.batch([
    auditRow(db, entry, now, sql`EXISTS (SELECT 1 FROM ${promotionCodes} WHERE ${isOther})`),
    db
      .update(promotionCodes)
      .set({ deactivatedAt: sql`COALESCE(${deactivatedAt}, ${now})`, deactivatedReason: reason })
      .where(isOther),
  ]);
  return (await findPromotionCodeRow(db, id)) ?? row;
}
