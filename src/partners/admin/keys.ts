import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, or, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { isoTimeOrNull } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { parseJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { SealKeys } from "../../core/seal.ts";
import { type Directory, type InDirectory, inList, violatedColumn } from "../../db/client.ts";
import { apiKeyPermissions, apiKeys } from "../../db/schema/partners.ts";
import { hashApiKey, hintOf, newApiKey } from "../api-key.ts";
import { isRight, type Right } from "../permissions.ts";

/** A key for operators: neither the key itself nor its hash. */
export interface ListedKey extends Omit<typeof apiKeys.$inferSelect, "keyHash"> {
  readonly permissions: readonly Right[];
  /** Of the person that it belongs to; null without one. A disabled person's keys do not work. */
  readonly employeeStatus: string | null;
  /** The keys of a disabled partner do not work either. */
  readonly partnerStatus: string;
}

// Column names with their tables: in a query of one table the query builder leaves tables out, and the two hashes would
// be ambiguous.
const PERMISSIONS = sql<string>`(SELECT json_group_array(p.permission) FROM api_key_permissions AS p WHERE p.key_hash = api_keys.key_hash)`;

function selectListed(directory: Directory) {
  const { keyHash: _, ...shown } = getTableColumns(apiKeys);
  return directory
    .select({
      ...shown,
      employeeStatus: sql<string | null>`(SELECT status FROM employees WHERE employees.id = api_keys.employee_id)`.as("employee_status"),
      partnerStatus: sql<string>`(SELECT status FROM partners WHERE partners.id = api_keys.partner_id)`.as("partner_status"),
      permissions: PERMISSIONS.as("permissions"),
    })
    .from(apiKeys);
}

/** How {@link hashApiKey} writes a hash. */
const KEY_HASH = /^[0-9a-f]{64}$/;

/**
 * The key that a person pasted, in whatever state it is, or whose SHA-256 the console sends instead, so that no key stands in an
 * address; undefined for a text that is none.
 */
export async function findPastedKey(directory: Directory, text: string): Promise<ListedKey | undefined> {
  const isKey = z.guid().safeParse(text).success;
  if (!isKey && !KEY_HASH.test(text)) return undefined;
  const row = await selectListed(directory)
    .where(eq(apiKeys.keyHash, isKey ? await hashApiKey(text) : text))
    .get();
  return row && listed(row);
}

/** Keys that end alike and are shown. */
const MOST_ALIKE = 10;

/** The keys with these last characters, of a partner or of all. By index. */
export async function findKeysByHint(directory: Directory, hint: string, partnerId?: string): Promise<ListedKey[]> {
  const isOwn = partnerId === undefined ? undefined : eq(apiKeys.partnerId, partnerId);
  const rows = await selectListed(directory)
    .where(and(eq(apiKeys.hint, hint), isOwn))
    .orderBy(desc(apiKeys.createdAt))
    .limit(MOST_ALIKE)
    .all();
  return rows.map(listed);
}

const textList = z.array(z.string());

function listed(row: Omit<ListedKey, "permissions"> & { readonly permissions: string }): ListedKey {
  return { ...row, permissions: parseJson(textList, row.permissions).filter(isRight).toSorted() };
}

/** The keys of a partner, including revoked ones, in id order, after a given one. */
export async function listKeys(directory: Directory, partnerId: string, after: string, limit: number): Promise<ListedKey[]> {
  const rows = await selectListed(directory)
    .where(and(eq(apiKeys.partnerId, partnerId), gt(apiKeys.id, after)))
    .orderBy(asc(apiKeys.id))
    .limit(limit)
    .all();
  return rows.map(listed);
}

/** The keys with some ids, by id. */
export async function findListedKeys(directory: Directory, ids: readonly string[]): Promise<ReadonlyMap<string, ListedKey>> {
  const isOne = inArray(apiKeys.id, inList(ids));
  const rows = await selectListed(directory).where(isOne).all();
  return new Map(rows.map((row) => [row.id, listed(row)]));
}

/** Undefined for an unknown id. */
export async function findListedKey(directory: Directory, id: string): Promise<ListedKey | undefined> {
  const row = await selectListed(directory).where(eq(apiKeys.id, id)).get();
  return row && listed(row);
}

/**
 * Issues a key (interface K.1). The key itself is only in this answer: its hash is stored. If the answer is lost, the
 * unknown key is in the list, and can be revoked. Null if the partner has as many valid keys as it may have.
 */
export async function issueKey(
  { directory, clock, settings }: InDirectory & { readonly settings: { readonly encryptionKeys: SealKeys } },
  wanted: Pick<ListedKey, "partnerId" | "employeeId" | "label" | "permissions" | "expiresAt" | "madeBy">,
  actor: Actor,
): Promise<{ readonly key: string; readonly listed: ListedKey } | null> {
  const key = await newApiKey(settings.encryptionKeys);
  const keyHash = await hashApiKey(key);
  const now = clock.now();
  const { partnerId, employeeId, label, expiresAt, madeBy } = wanted;
  const permissions = [...new Set(wanted.permissions)].toSorted();
  const row = {
    id: newId("key"),
    partnerId,
    employeeId,
    label,
    createdAt: now,
    revokedAt: null,
    hint: hintOf(key),
    lastUsedAt: null,
    expiresAt,
    madeBy,
  };
  const entry = {
    actor,
    action: "key.issue" as const,
    target: row.id,
    partnerId,
    after: { permissions, employee_id: employeeId, expires_at: isoTimeOrNull(expiresAt) },
  };
  const isValid = and(
    eq(apiKeys.partnerId, partnerId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );
  const hasRoom = sql`(SELECT count(*) FROM ${apiKeys} WHERE ${isValid}) < ${limits.live.keys}`;
  // Without room, the label is NULL, and the batch is rolled back.
  const insert = directory.insert(apiKeys).values({ keyHash, ...row, label: sql`CASE WHEN ${hasRoom} THEN ${label} END` });
  try {
    await directory.batch([
      insert,
      ...permissions.map((permission) => directory.insert(apiKeyPermissions).values({ keyHash, permission })),
      auditRow(directory, entry, now),
    ]);
  } catch (thrown) {
    if (violatedColumn(thrown) === "api_keys.label") return null;
    throw thrown;
  }
  const issued = await findListedKey(directory, row.id);
  return issued === undefined ? null : { key, listed: issued };
}

/**
 * Revokes a key: the next request with it is refused (interface K.8). A revoked key stays unchanged. Undefined for an
 * unknown id.
 */
export async function revokeKey({ directory, clock }: InDirectory, id: string, actor: Actor): Promise<ListedKey | undefined> {
  const found = await findListedKey(directory, id);
  if (found === undefined || found.revokedAt !== null) return found;
  const now = clock.now();
  const isValid = and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt));
  const entry = { actor, action: "key.revoke" as const, target: id, partnerId: found.partnerId };
  await directory.batch([
    auditRow(directory, entry, now, sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isValid})`),
    directory.update(apiKeys).set({ revokedAt: now }).where(isValid),
  ]);
  return findListedKey(directory, id);
}

/**
 * Replaces the permissions of a key, from the next request on. Undefined for an unknown id. `seen`: the permissions that
 * the caller has judged; if they are others by now, nothing is changed.
 */
export async function setPermissions(
  { directory, clock }: InDirectory,
  id: string,
  wanted: readonly Right[],
  actor: Actor,
  seen?: readonly Right[],
): Promise<ListedKey | "changed_since" | undefined> {
  const found = await directory
    .select({ keyHash: apiKeys.keyHash, partnerId: apiKeys.partnerId })
    .from(apiKeys)
    .where(eq(apiKeys.id, id))
    .get();
  if (found === undefined) return undefined;
  const { keyHash, partnerId } = found;
  const permissions = [...new Set(wanted)].toSorted();
  const listedBefore = await findListedKey(directory, id);
  const text = JSON.stringify(permissions);
  if (JSON.stringify(listedBefore?.permissions) === text) return listedBefore;
  const before = sql`(SELECT json_object('permissions', json(${PERMISSIONS})) FROM ${apiKeys} WHERE ${apiKeys.keyHash} = ${keyHash})`;
  const entry = { actor, action: "key.set_permissions" as const, target: id, partnerId, before, after: { permissions } };
  // Stored by their key, so they come in order.
  const current = sql`(SELECT json_group_array(permission) FROM ${apiKeyPermissions} WHERE key_hash = ${keyHash})`;
  const isAsSeen = seen === undefined ? sql`TRUE` : sql`${current} = ${JSON.stringify([...seen].toSorted())}`;
  // The audit row is the sign that the condition held: the next statement already changes what it looks at.
  const holds = sql`EXISTS (SELECT 1 FROM audit_log WHERE target = ${id} AND request_id = ${actor.requestId} AND action = ${entry.action})`;
  await directory.batch([
    auditRow(directory, entry, clock.now(), isAsSeen),
    directory.delete(apiKeyPermissions).where(and(eq(apiKeyPermissions.keyHash, keyHash), holds)),
    directory.insert(apiKeyPermissions).select(sql`SELECT ${keyHash}, value FROM json_each(${text}) WHERE ${holds}`),
  ]);
  const after = await findListedKey(directory, id);
  return JSON.stringify(after?.permissions) === text ? after : "changed_since";
}
