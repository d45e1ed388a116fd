import { and, desc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { movements, sweeps } from "../db/schema/ledger.ts";
import type { Movement } from "./movement.ts";

/**
 * The movement as the processor had it at `asOf`, unless a later look has been written already: two looks at one
 * charge may be written in the wrong order. Whose it is, once known, never changes.
 */
export function upsertMovement(db: Database, movement: Movement, asOf: number): Statement {
  const { fee, net, status, description, isSubscription, clientReferenceId, paymentIntentId, subscriptionId } = movement;
  return db
    .insert(movements)
    .values({ ...movement, updatedAt: asOf })
    .onConflictDoUpdate({
      target: movements.id,
      set: {
        fee,
        net,
        status,
        description,
        isSubscription,
        clientReferenceId,
        paymentIntentId,
        subscriptionId,
        partnerId: sql`COALESCE(${movements.partnerId}, excluded.partner_id)`,
        updatedAt: asOf,
      },
      setWhere: lte(movements.updatedAt, asOf),
    });
}

export interface MovementFilter {
  readonly partnerId: string;
  readonly environment: Environment | undefined;
  /** Unix milliseconds, inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly clientReferenceId: string | undefined;
  readonly limit: number;
}

/** Unix milliseconds, both inclusive; a bound that is not given does not bind. */
export function inPeriod({ from, to }: Pick<MovementFilter, "from" | "to">) {
  const { transactionDate } = movements;
  return and(from === undefined ? undefined : gte(transactionDate, from), to === undefined ? undefined : lte(transactionDate, to));
}

/** A partner's latest movements, newest first. One round trip, by index, no more rows than asked for. */
export async function listMovements(db: Database, filter: MovementFilter): Promise<Movement[]> {
  return db
    .select()
    .from(movements)
    .where(
      and(
        eq(movements.partnerId, filter.partnerId),
        filter.environment === undefined ? undefined : eq(movements.environment, filter.environment),
        filter.clientReferenceId === undefined ? undefined : eq(movements.clientReferenceId, filter.clientReferenceId),
        inPeriod(filter),
      ),
    )
    .orderBy(desc(movements.transactionDate), desc(movements.id))
    .limit(filter.limit)
    .all();
}

/** Which of these movements are not in the ledger. */
export async function missingMovements(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const rows = await db.select({ id: movements.id }).from(movements).where(inArray(movements.id, wanted)).all();
  const known = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

/** How far a sweep has come, if it ever ran. */
export async function findSweep(db: Database, name: string) {
  return db.select().from(sweeps).where(eq(sweeps.name, name)).get();
}

/** Notes how far a sweep has come, never back, and how many movements it found that events had missed. */
export async function recordSweep(db: Database, name: string, cursor: number, found: number, now: number): Promise<void> {
  await db
    .insert(sweeps)
    .values({ name, cursor, found, updatedAt: now })
    .onConflictDoUpdate({
      target: sweeps.name,
      set: { cursor: sql`MAX(${sweeps.cursor}, ${cursor})`, found: sql`${sweeps.found} + ${found}`, updatedAt: now },
    });
}
