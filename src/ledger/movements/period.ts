import { and, eq, gte, lt } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import type { Database } from "../../db/client.ts";
import { movements } from "../../db/schema/ledger.ts";

/** What the movements of a period in a database say of their money, with and without an owner. Reads all movements. */
export async function movementsOfPeriod(db: Database, environment: Environment, { from, to }: Period) {
  const { id, partnerId, amount, fee, currency, transactionDate } = movements;
  return db
    .select({ id, partnerId, amount, fee, currency, transactionDate })
    .from(movements)
    .where(and(eq(movements.environment, environment), gte(transactionDate, from), lt(transactionDate, to)))
    .all();
}
