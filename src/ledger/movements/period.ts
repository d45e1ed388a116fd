import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Period } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import type { Database } from "../../db/client.ts";
import { movements } from "../../db/schema/ledger.ts";

const rowsSchema = z.array(
  z.object({
    id: z.string(),
    partnerId: z.string().nullable(),
    amount: z.int(),
    fee: z.int().nullable(),
    currency: z.string(),
    transactionDate: z.int(),
  }),
);

/**
 * What the movements of a period in a database say of their money, with and without an owner. The index of a partner's movements finds
 * them, owner by owner: no other movement is read.
 */
export async function movementsOfPeriod(db: Database, environment: Environment, { from, to }: Period) {
  const columns = sql`m.id AS id, m.partner_id AS partnerId, m.amount AS amount, m.fee AS fee, m.currency AS currency, m.transaction_date AS transactionDate`;
  const isIn = sql`m.environment = ${environment} AND m.transaction_date >= ${from} AND m.transaction_date < ${to}`;
  const rows = await db.all(sql`WITH RECURSIVE owner (id) AS (
      SELECT MIN(partner_id) FROM ${movements}
      UNION ALL SELECT (SELECT MIN(partner_id) FROM ${movements} WHERE partner_id > owner.id) FROM owner WHERE owner.id IS NOT NULL)
    SELECT ${columns} FROM owner CROSS JOIN ${movements} AS m ON m.partner_id = owner.id AND ${isIn}
    UNION ALL SELECT ${columns} FROM ${movements} AS m WHERE m.partner_id IS NULL AND ${isIn}`);
  return rowsSchema.parse(rows);
}

const unownedSchema = z.array(z.object({ currency: z.string(), amount: z.int(), fee: z.int(), count: z.int() }));

/** What movements without a known partner sum to in a period, by currency, in minor units, by index. One D1 round trip. */
export async function sumUnowned(db: Database, environment: Environment, { from, to }: Period): Promise<z.infer<typeof unownedSchema>> {
  const rows = await db.all(sql`SELECT currency AS currency, SUM(amount) AS amount, COALESCE(SUM(fee), 0) AS fee, COUNT(*) AS count
    FROM ${movements} WHERE partner_id IS NULL AND environment = ${environment} AND transaction_date >= ${from} AND transaction_date < ${to} GROUP BY 1`);
  return unownedSchema.parse(rows);
}
