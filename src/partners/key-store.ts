import { eq, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { Directory, Query } from "../db/client.ts";
import { type Prepared, preparedQuery, prepareOnce, readerOf } from "../db/prepared.ts";
import { apiKeyPermissions, apiKeys, employees, partners } from "../db/schema/partners.ts";
import { EARLIER } from "./location-store.ts";

/** Query for the key with this id: one row or none. */
export function selectKeyById(directory: Directory, id: string): Query<KeyRow> {
  return selectKeys(directory).where(eq(apiKeys.id, id));
}

/** A key with its permissions as a JSON array, the cell and the id code of its partner, and the status of partner and employee. */
const KEY = {
  partnerId: apiKeys.partnerId,
  keyHash: apiKeys.keyHash,
  // A batch maps columns by name, so no two may have the same name.
  keyId: sql<string>`${apiKeys.id}`.as("key_id"),
  revokedAt: apiKeys.revokedAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  partnerStatus: sql<string>`${partners.status}`.as("partner_status"),
  cell: partners.cell,
  idCode: partners.idCode,
  cancelPermission: partners.cancelPermission,
  timeZone: partners.timeZone,
  earlier: EARLIER,
  employeeStatus: sql<string | null>`${employees.status}`.as("employee_status"),
  /** Whether the key may have `owner`: it belongs to no person, or to one who has it. 1 or 0. */
  mayOwn: sql<number>`${employees.id} IS NULL OR ${employees.rights} LIKE '%"owner"%'`.as("may_own"),
  permissions:
    sql<string>`(SELECT json_group_array(${apiKeyPermissions.permission}) FROM ${apiKeyPermissions} WHERE ${apiKeyPermissions.keyHash} = ${apiKeys.keyHash})`.as(
      "permissions",
    ),
};
export type KeyRow = SelectResultFields<typeof KEY>;

function selectKeys(directory: Directory) {
  return directory
    .select(KEY)
    .from(apiKeys)
    .innerJoin(partners, eq(partners.id, apiKeys.partnerId))
    .leftJoin(employees, eq(employees.id, apiKeys.employeeId));
}

/** The names of a key and of its partner. */
export type KeyNames = Awaited<ReturnType<typeof selectNamesOfAll>>[number];

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

const readKey = readerOf(KEY);

/** The statement for the key with this hash: one row or none. Each request begins with it. */
export function findKey(directory: Directory, keyHash: string): Prepared<KeyRow> {
  const build = () => selectKeys(directory).where(eq(apiKeys.keyHash, keyHash));
  return preparedQuery(prepareOnce(directory, "key", build, [keyHash]), readKey);
}
