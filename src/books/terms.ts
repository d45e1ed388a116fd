import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { type Cell, violatedColumn } from "../db/client.ts";
import { terms } from "../db/schema/books.ts";

/** What the service keeps of each payment in a currency, from a time on. */
export type Terms = Pick<typeof terms.$inferSelect, "currency" | "since" | "basisPoints" | "fixed">;

/** A partner's terms of all times, the latest first. They are few. One D1 round trip. */
export async function readTerms(db: Cell, partnerId: string): Promise<Terms[]> {
  const { currency, since, basisPoints, fixed } = terms;
  const rows = await db.select({ currency, since, basisPoints, fixed }).from(terms).where(eq(terms.partnerId, partnerId)).all();
  return rows.toSorted((one, other) => other.since - one.since || (one.currency < other.currency ? -1 : 1));
}

/**
 * Sets what the service keeps from a time on. The payments before it keep the terms of their time. False if there are terms of that
 * currency from that time on already: terms are never changed.
 */
export async function setTerms(
  { db, clock }: { readonly db: Cell; readonly clock: Clock },
  partnerId: string,
  set: Terms,
  actor: Actor,
): Promise<boolean> {
  const now = clock.now();
  const after = { ...set };
  try {
    await db.batch([
      auditRow(db, { actor, action: "terms.set", target: `${partnerId}/${set.currency}`, partnerId, after }, now),
      db.insert(terms).values({ ...set, partnerId, holder: actor.name, createdAt: now }),
    ]);
    return true;
  } catch (thrown) {
    if (violatedColumn(thrown)?.startsWith("terms.") === true) return false;
    throw thrown;
  }
}

/**
 * Whole numbers and currencies of our own rows stand in the statement itself: a bound number is a real one, which would make a division
 * one of reals, and a statement takes at most a hundred of them.
 */
const written = z.object({ currency: z.string().regex(/^[A-Z]{3}$/), since: z.int(), basisPoints: z.int(), fixed: z.int() });

/**
 * SQL for what the terms make of an entry `e`, signed as an amount: negative for a payment, positive where a payment is taken back. A
 * payment has the terms of its own time, so later terms change no earlier month; one that is taken back gets just that back. The
 * percentage is rounded to the nearest.
 */
export function termOfEntry(all: readonly Terms[]): SQL {
  if (all.length === 0) return sql`0`;
  const cases = all
    .map((one) => written.parse(one))
    .toSorted((one, other) => other.since - one.since)
    .map(({ currency, since, basisPoints, fixed }) => {
      const kept = `((abs(e.amount) * ${basisPoints} + 5000) / 10000 + ${fixed})`;
      return `WHEN e.currency = '${currency}' AND e.terms_at >= ${since} THEN ${kept}`;
    });
  return sql.raw(
    `CASE WHEN e.is_charge AND e.amount <> 0 AND e.environment = 'live' THEN -sign(e.amount) * (CASE ${cases.join(" ")} ELSE 0 END) ELSE 0 END`,
  );
}
