import { eq, type SQL, sql } from "drizzle-orm";
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

/** A bound number is a real one, and would make a division one of reals. */
const whole = (value: number): SQL => sql`CAST(${value} AS INTEGER)`;

/**
 * SQL for what the terms make of an entry `e`, signed as an amount: negative for a payment, positive where a payment is taken back. An
 * entry has the terms of its own time, so later terms change no earlier month. The percentage is rounded to the nearest.
 */
export function termOfEntry(all: readonly Terms[]): SQL {
  if (all.length === 0) return sql`0`;
  const kept = ({ basisPoints, fixed }: Terms) => sql`((abs(e.amount) * ${whole(basisPoints)} + 5000) / 10000 + ${whole(fixed)})`;
  const cases = all
    .toSorted((one, other) => other.since - one.since)
    .map((one) => sql`WHEN e.currency = ${one.currency} AND e.at >= ${one.since} THEN ${kept(one)}`);
  return sql`CASE WHEN e.is_charge AND e.amount <> 0 AND e.environment = 'live' THEN -sign(e.amount) * (CASE ${sql.join(cases, sql` `)} ELSE 0 END) ELSE 0 END`;
}
