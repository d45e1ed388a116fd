import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { DAY, SECOND, startOfUtcDay } from "../core/clock.ts";
import type { ServiceError } from "../core/errors.ts";
import type { Cell } from "../db/client.ts";
import { prepareOnce, type Value } from "../db/prepared.ts";
import { dailyRecords } from "../db/schema/idempotency.ts";

/**
 * The sampling rate: one in 64 records is counted, and counts for all of them. A count of 100,000 is accurate to about
 * three per cent.
 */
const ONE_IN = 64;

/** SQL condition: the partner has made fewer records of this budget today. Each permission has its own budget. */
export function hasRecordsLeft(partnerId: string, budget: string, most: number, now: number): SQL {
  const isToday = and(eq(dailyRecords.day, startOfUtcDay(now)), eq(dailyRecords.partnerId, partnerId), eq(dailyRecords.budget, budget));
  return sql`COALESCE((SELECT ${dailyRecords.count} FROM ${dailyRecords} WHERE ${isToday}), 0) < ${most}`;
}

/** The parameters of {@link hasRecordsLeft}, in order. */
export const recordsLeftParameters = (partnerId: string, budget: string, most: number, now: number): Value[] => [
  startOfUtcDay(now),
  partnerId,
  budget,
  most,
];

/** Whether to count a record. Random, because the caller influences the id. */
export function isCounted(): boolean {
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
  return random % ONE_IN === 0;
}

/** Counts a record if the previous statement of the batch inserted it. */
export function countRecord(db: Cell, partnerId: string, budget: string, now: number): D1PreparedStatement {
  const build = () =>
    db
      .insert(dailyRecords)
      .select(sql`SELECT ${startOfUtcDay(now)}, ${partnerId}, ${budget}, ${ONE_IN} WHERE changes() > 0`)
      .onConflictDoUpdate({
        target: [dailyRecords.day, dailyRecords.partnerId, dailyRecords.budget],
        set: { count: sql`${dailyRecords.count} + ${ONE_IN}` },
      });
  return prepareOnce(db, "count of records", build, [startOfUtcDay(now), partnerId, budget, ONE_IN, ONE_IN]);
}

/** Deletes the counts of past days. */
export async function expireDailyRecords(db: Cell, now: number) {
  const { meta } = await db.delete(dailyRecords).where(lt(dailyRecords.day, startOfUtcDay(now)));
  return { changed: meta.changes, isAtEnd: true };
}

/** The refusal of a new record until the next day (UTC) begins. */
export function tooManyRecords(budget: string, now: number, most: number): ServiceError {
  const message = `More than ${most} new requests today (${budget}). Nothing was done; repeats of earlier ones are answered. Try again after midnight UTC.`;
  return { kind: "rate_limited", message, retryAfter: Math.ceil((startOfUtcDay(now) + DAY - now) / SECOND) };
}
