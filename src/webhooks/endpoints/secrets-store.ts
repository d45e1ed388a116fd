import { and, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Clock } from "../../core/clock.ts";
import type { SecretCipher } from "../../core/secret-cipher.ts";
import type { Cell, Statement } from "../../db/client.ts";
import { endpointSecrets } from "../../db/schema/webhooks.ts";

/** What setting a secret needs. */
export interface SecretDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly secretCipher: SecretCipher;
}

/** A new signing secret, encrypted; it is not valid until it is stored. */
export interface NewSecret {
  readonly id: string;
  readonly encrypted: string;
}

/** Inserts a secret for an endpoint, unless the endpoint has a current secret, or `onlyIf` is false at that point of the batch. */
export function insertFirstSecret(
  db: Cell,
  endpointId: string,
  { id, encrypted }: NewSecret,
  now: number,
  onlyIf: SQL = sql`TRUE`,
): Statement {
  return db
    .insert(endpointSecrets)
    .select(sql`SELECT ${id}, ${endpointId}, ${encrypted}, ${now}, NULL, NULL WHERE ${onlyIf}`)
    .onConflictDoNothing();
}

/**
 * Inserts a new current secret. The secret before it stays valid until `previousValidUntil`. Any older secret is
 * deleted: there is only one previous secret. Write the statements in one transaction. Timestamps in Unix milliseconds. `current`: only
 * while this is the current secret; left out: whatever the current one is.
 */
export function rotateSecret(
  db: Cell,
  endpointId: string,
  { id, encrypted }: NewSecret,
  now: number,
  previousValidUntil: number,
  current?: string,
): Statement[] {
  const ofEndpoint = eq(endpointSecrets.endpointId, endpointId);
  const onlyIf = current === undefined ? undefined : isCurrent(current);
  // Where it was another one, that still is.
  const hasNone = sql`NOT EXISTS (SELECT 1 FROM ${endpointSecrets} WHERE ${and(ofEndpoint, isNull(endpointSecrets.expiresAt))})`;
  return [
    db.delete(endpointSecrets).where(and(ofEndpoint, isNotNull(endpointSecrets.expiresAt), onlyIf)),
    db
      .update(endpointSecrets)
      .set({ expiresAt: previousValidUntil })
      .where(and(ofEndpoint, isNull(endpointSecrets.expiresAt), onlyIf)),
    db.insert(endpointSecrets).select(sql`SELECT ${id}, ${endpointId}, ${encrypted}, ${now}, NULL, ${previousValidUntil} WHERE ${hasNone}`),
  ];
}

/** SQL condition: this is the current secret of its endpoint. */
export const isCurrent = (id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${endpointSecrets} WHERE ${and(eq(endpointSecrets.id, id), isNull(endpointSecrets.expiresAt))})`;

/** An endpoint's stored secrets, the current one first. Expired ones may be included. */
export async function secretsOf(db: Cell, endpointId: string) {
  return db
    .select()
    .from(endpointSecrets)
    .where(eq(endpointSecrets.endpointId, endpointId))
    .orderBy(sql`${endpointSecrets.expiresAt} IS NOT NULL`)
    .all();
}

/** The current secret of each of these endpoints. */
export async function currentSecrets(db: Cell, endpointIds: readonly string[]) {
  return db
    .select({
      id: endpointSecrets.id,
      endpointId: endpointSecrets.endpointId,
      encrypted: endpointSecrets.encrypted,
      previousValidUntil: endpointSecrets.previousValidUntil,
    })
    .from(endpointSecrets)
    .where(and(inArray(endpointSecrets.endpointId, [...endpointIds]), isNull(endpointSecrets.expiresAt)))
    .all();
}

/** Secrets encrypted with a key other than `keyId`. Reads the whole table, so only an operator's command may use it. */
export async function encryptedWithOtherKey(db: Cell, keyId: string, limit: number) {
  const prefix = `${keyId}.`;
  return db
    .select({ id: endpointSecrets.id, endpointId: endpointSecrets.endpointId, encrypted: endpointSecrets.encrypted })
    .from(endpointSecrets)
    .where(sql`substr(${endpointSecrets.encrypted}, 1, ${prefix.length}) <> ${prefix}`)
    .limit(limit)
    .all();
}

/** Replaces a secret by its re-encrypted text, only if the row has not changed since it was read. */
export function replaceEncrypted(db: Cell, id: string, before: string, encrypted: string) {
  return db
    .update(endpointSecrets)
    .set({ encrypted })
    .where(and(eq(endpointSecrets.id, id), eq(endpointSecrets.encrypted, before)));
}

/** Deletes secrets after the end of their grace period; they no longer sign deliveries. */
export async function deleteExpiredSecrets(db: Cell, now: number): Promise<void> {
  await db.delete(endpointSecrets).where(and(isNotNull(endpointSecrets.expiresAt), lte(endpointSecrets.expiresAt, now)));
}

/** SQL condition: the current secret, or the previous one during its grace period (interface 11.4). */
export function isValidSecret(now: number) {
  return or(isNull(endpointSecrets.expiresAt), gt(endpointSecrets.expiresAt, now));
}

/** The encrypted secrets that sign now, the current one first. */
export async function validSecretsOf(db: Cell, endpointId: string, now: number): Promise<string[]> {
  const found = await db
    .select({ encrypted: endpointSecrets.encrypted })
    .from(endpointSecrets)
    .where(and(eq(endpointSecrets.endpointId, endpointId), isValidSecret(now)))
    .orderBy(sql`${endpointSecrets.expiresAt} IS NOT NULL`)
    .all();
  return found.map(({ encrypted }) => encrypted);
}
