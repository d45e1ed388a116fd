import { inArray, sql } from "drizzle-orm";
import { type Directory, inList, type Statement } from "../db/client.ts";
import { namedOwners } from "../db/schema/owners.ts";
import { excluded } from "../db/upsert.ts";

/**
 * Query for the owner that an operator has named for one of these. The payment's owner comes before the subscription's.
 */
export function namedOwner(directory: Directory, subjects: readonly (string | null)[]) {
  return directory
    .select({ partnerId: namedOwners.partnerId })
    .from(namedOwners)
    .where(inArray(namedOwners.subject, inList(subjects)))
    .orderBy(namedOwners.subject)
    .limit(1);
}

/**
 * Those movements or subscriptions in the directory whose payment or subscription an operator has assigned to a
 * partner.
 */
export async function withNamedOwner(directory: Directory, ids: readonly string[]): Promise<Set<string>> {
  const rows = await directory.all<{ id: string }>(
    sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)}) LEFT JOIN movements ON movements.id = value
      WHERE EXISTS (SELECT 1 FROM named_owners WHERE subject IN (value, movements.payment_intent_id, movements.subscription_id))`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Sets the owner of a payment and of its subscription. The last one wins. */
export function nameOwner(directory: Directory, subjects: readonly string[], partnerId: string, at: number): Statement {
  return directory
    .insert(namedOwners)
    .values(subjects.map((subject) => ({ subject, partnerId, at })))
    .onConflictDoUpdate({ target: namedOwners.subject, set: { partnerId: excluded(namedOwners.partnerId), at: excluded(namedOwners.at) } });
}
