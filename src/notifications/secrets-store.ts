import { and, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { endpointSecrets } from "../db/schema/notifications.ts";

/** A signing secret that is on offer: encrypted, and not in force until it is stored. */
export interface NewSecret {
  readonly id: string;
  readonly sealed: string;
}

/** A secret for an endpoint, unless it has a current one. */
export function putFirstSecret(db: Database, endpointId: string, { id, sealed }: NewSecret, now: number): Statement {
  return db.insert(endpointSecrets).values({ id, endpointId, sealed, createdAt: now }).onConflictDoNothing();
}

/**
 * A new current secret; the one before it is valid until `previousValidUntil`, and an older one no more: there is one
 * "previous". To be written in one transaction. Moments in Unix milliseconds.
 */
export function rotateSecret(
  db: Database,
  endpointId: string,
  { id, sealed }: NewSecret,
  now: number,
  previousValidUntil: number,
): Statement[] {
  return [
    db.delete(endpointSecrets).where(and(eq(endpointSecrets.endpointId, endpointId), isNotNull(endpointSecrets.expiresAt))),
    db
      .update(endpointSecrets)
      .set({ expiresAt: previousValidUntil })
      .where(and(eq(endpointSecrets.endpointId, endpointId), isNull(endpointSecrets.expiresAt))),
    db.insert(endpointSecrets).values({ id, endpointId, sealed, createdAt: now, previousValidUntil }),
  ];
}

/** An endpoint's valid secrets, the current one first. */
export async function secretsOf(db: Database, endpointId: string) {
  return db
    .select()
    .from(endpointSecrets)
    .where(eq(endpointSecrets.endpointId, endpointId))
    .orderBy(sql`${endpointSecrets.expiresAt} IS NOT NULL`)
    .all();
}

/** The current secret of each of these endpoints. */
export async function currentSecrets(db: Database, endpointIds: readonly string[]) {
  return db
    .select({
      id: endpointSecrets.id,
      endpointId: endpointSecrets.endpointId,
      sealed: endpointSecrets.sealed,
    })
    .from(endpointSecrets)
    .where(and(inArray(endpointSecrets.endpointId, [...endpointIds]), isNull(endpointSecrets.expiresAt)))
    .all();
}

/** Secrets that were sealed with another key than this one. Reads the whole table, which is for a person's command alone. */
export async function sealedOtherwise(db: Database, keyId: string, most: number) {
  const prefix = `${keyId}.`;
  return db
    .select({ id: endpointSecrets.id, endpointId: endpointSecrets.endpointId, sealed: endpointSecrets.sealed })
    .from(endpointSecrets)
    .where(sql`substr(${endpointSecrets.sealed}, 1, ${prefix.length}) <> ${prefix}`)
    .limit(most)
    .all();
}

/** Puts the same secret, sealed anew, in the place of one as it was read. */
export function replaceSealed(db: Database, id: string, before: string, sealed: string) {
  return db
    .update(endpointSecrets)
    .set({ sealed })
    .where(and(eq(endpointSecrets.id, id), eq(endpointSecrets.sealed, before)));
}

/** Forgets secrets whose grace is over: they sign nothing any more. */
export async function deleteExpiredSecrets(db: Database, now: number): Promise<void> {
  await db.delete(endpointSecrets).where(and(isNotNull(endpointSecrets.expiresAt), lte(endpointSecrets.expiresAt, now)));
}
