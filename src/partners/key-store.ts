import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Directory, Query } from "../db/client.ts";
import { type Prepared, preparedQuery, prepareOnce, type StoredRow } from "../db/prepared.ts";
import { apiKeyPermissions, apiKeys, employees, partners } from "../db/schema/partners.ts";
import { EARLIER } from "./location-store.ts";

/** A key with its permissions as a JSON array, the cell and the id code of its partner, and the status of partner and employee. */
export interface KeyRow {
  readonly partnerId: string;
  readonly keyHash: string;
  readonly keyId: string;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly partnerStatus: string;
  readonly cell: string;
  readonly idCode: string;
  /** JSON: `EARLIER`. */
  readonly earlier: string;
  readonly employeeStatus: string | null;
  /** Whether the key may have `owner`: it belongs to no person, or to one who has it. 1 or 0. */
  readonly mayOwn: number;
  readonly permissions: string;
  readonly cancelPermission: string | null;
  readonly timeZone: string;
}

/** Query for the key with this id: one row or none. */
export function selectKeyById(directory: Directory, id: string): Query<KeyRow> {
  return selectKeys(directory).where(eq(apiKeys.id, id));
}

function selectKeys(directory: Directory) {
  return directory
    .select({
      partnerId: apiKeys.partnerId,
      keyHash: apiKeys.keyHash,
      keyId: sql<string>`${apiKeys.id}`.as("key_id"),
      revokedAt: apiKeys.revokedAt,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      // A batch maps columns by name, so no two may have the same name.
      partnerStatus: sql<string>`${partners.status}`.as("partner_status"),
      cell: partners.cell,
      idCode: partners.idCode,
      cancelPermission: partners.cancelPermission,
      timeZone: partners.timeZone,
      earlier: EARLIER,
      employeeStatus: sql<string | null>`${employees.status}`.as("employee_status"),
      mayOwn: sql<number>`${employees.id} IS NULL OR ${employees.rights} LIKE '%"owner"%'`.as("may_own"),
      permissions:
        sql<string>`(SELECT json_group_array(${apiKeyPermissions.permission}) FROM ${apiKeyPermissions} WHERE ${apiKeyPermissions.keyHash} = ${apiKeys.keyHash})`.as(
          "permissions",
        ),
    })
    .from(apiKeys)
    .innerJoin(partners, eq(partners.id, apiKeys.partnerId))
    .leftJoin(employees, eq(employees.id, apiKeys.employeeId));
}

/** The names of a key and of its partner. */
export interface KeyNames {
  readonly keyId: string;
  readonly label: string;
  readonly partnerName: string;
}

/** Query for the names of the key with this hash: one row or none. */
export function selectNames(directory: Directory, keyHash: string): Query<KeyNames> {
  return selectNamesOfAll(directory).where(eq(apiKeys.keyHash, keyHash));
}

/** Query for the names of the key with this id: one row or none. */
export function selectNamesById(directory: Directory, id: string): Query<KeyNames> {
  return selectNamesOfAll(directory).where(eq(apiKeys.id, id));
}

function selectNamesOfAll(directory: Directory) {
  return directory
    .select({ keyId: apiKeys.id, label: apiKeys.label, partnerName: partners.name })
    .from(apiKeys)
    .innerJoin(partners, eq(partners.id, apiKeys.partnerId));
}

const storedKeySchema = z.object({
  partner_id: z.string(),
  key_hash: z.string(),
  key_id: z.string(),
  revoked_at: z.number().nullable(),
  expires_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
  partner_status: z.string(),
  cell: z.string(),
  id_code: z.string(),
  earlier: z.string(),
  employee_status: z.string().nullable(),
  may_own: z.number(),
  permissions: z.string(),
  cancel_permission: z.string().nullable(),
  time_zone: z.string(),
});

/** The statement for the key with this hash: one row or none. Each request begins with it. */
export function findKey(directory: Directory, keyHash: string): Prepared<KeyRow> {
  const build = () => selectKeys(directory).where(eq(apiKeys.keyHash, keyHash));
  return preparedQuery(prepareOnce(directory, "key", build, [keyHash]), readKey);
}

function readKey(stored: StoredRow): KeyRow {
  const row = storedKeySchema.parse(stored);
  return {
    partnerId: row.partner_id,
    keyHash: row.key_hash,
    keyId: row.key_id,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    partnerStatus: row.partner_status,
    cell: row.cell,
    idCode: row.id_code,
    earlier: row.earlier,
    employeeStatus: row.employee_status,
    mayOwn: row.may_own,
    permissions: row.permissions,
    cancelPermission: row.cancel_permission,
    timeZone: row.time_zone,
  };
}
