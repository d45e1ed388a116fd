import { and, asc, eq, gt, sql } from "drizzle-orm";
import * as z from "zod";
import { type CellCode, cellCodeSchema } from "../core/cell-code.ts";
import type { Directory, Query } from "../db/client.ts";
import { type Prepared, prepareOnce, reading, type StoredRow } from "../db/prepared.ts";
import { apiKeyPermissions, apiKeys, employees, partners } from "../db/schema/partners.ts";

/** A key with its permissions as a JSON array, the cell of its partner, and the status of partner and employee. */
export interface KeyRow {
  readonly partnerId: string;
  readonly revokedAt: number | null;
  readonly partnerStatus: string;
  readonly cell: string;
  readonly employeeStatus: string | null;
  readonly permissions: string;
}

/** Query for the key with this id: one row or none. */
export function selectKeyById(directory: Directory, id: string): Query<KeyRow> {
  return selectKeys(directory).where(eq(apiKeys.id, id));
}

function selectKeys(directory: Directory) {
  return directory
    .select({
      partnerId: apiKeys.partnerId,
      revokedAt: apiKeys.revokedAt,
      // In a batch, columns are found by their names, so no two may have the same.
      partnerStatus: sql<string>`${partners.status}`.as("partner_status"),
      cell: partners.cell,
      employeeStatus: sql<string | null>`${employees.status}`.as("employee_status"),
      permissions:
        sql<string>`(SELECT json_group_array(${apiKeyPermissions.permission}) FROM ${apiKeyPermissions} WHERE ${apiKeyPermissions.keyHash} = ${apiKeys.keyHash})`.as(
          "permissions",
        ),
    })
    .from(apiKeys)
    .innerJoin(partners, eq(partners.id, apiKeys.partnerId))
    .leftJoin(employees, eq(employees.id, apiKeys.employeeId));
}

/** What people call a key, and its partner. */
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
  revoked_at: z.number().nullable(),
  partner_status: z.string(),
  cell: z.string(),
  employee_status: z.string().nullable(),
  permissions: z.string(),
});

/** The statement for the key with this hash: one row or none. Each request begins with it. */
export function findKey(directory: Directory, keyHash: string): Prepared<KeyRow> {
  const build = () => selectKeys(directory).where(eq(apiKeys.keyHash, keyHash));
  return reading(prepareOnce(directory, "key", build, [keyHash]), readKey);
}

function readKey(stored: StoredRow): KeyRow {
  const row = storedKeySchema.parse(stored);
  return {
    partnerId: row.partner_id,
    revokedAt: row.revoked_at,
    partnerStatus: row.partner_status,
    cell: row.cell,
    employeeStatus: row.employee_status,
    permissions: row.permissions,
  };
}

/** The ids of all partners, each with the code of its cell. */
export async function allPartners(directory: Directory) {
  return directory.select({ id: partners.id, cell: partners.cell }).from(partners).all();
}

/** Some partners of a cell, in the order of their ids, after a given one. */
export async function partnersOfCell(directory: Directory, cell: CellCode, after: string, limit: number): Promise<string[]> {
  const isNext = and(eq(partners.cell, cell), gt(partners.id, after));
  const rows = await directory.select({ id: partners.id }).from(partners).where(isNext).orderBy(asc(partners.id)).limit(limit).all();
  return rows.map(({ id }) => id);
}

/** How many partners each cell has; none for a cell without. */
export async function countPartnersByCell(directory: Directory): Promise<ReadonlyMap<string, number>> {
  const counts = await directory.select({ cell: partners.cell, count: sql<number>`count(*)` }).from(partners).groupBy(partners.cell).all();
  return new Map(counts.map(({ cell, count }) => [cell, count]));
}

/** The disabled partners, each with the code of its cell. By index. */
export async function disabledPartners(directory: Directory) {
  // The text must match the condition of the partial index.
  const isDisabled = and(sql`status = 'disabled'`, gt(partners.id, ""));
  return directory.select({ id: partners.id, cell: partners.cell }).from(partners).where(isDisabled).all();
}

/** The ids of all partners. */
export async function allPartnerIds(directory: Directory): Promise<string[]> {
  return (await allPartners(directory)).map(({ id }) => id);
}

/** The cell that has a partner's data; null for an unknown partner. One round trip. */
export async function findCell(directory: Directory, partnerId: string): Promise<CellCode | null> {
  const row = await directory.select({ cell: partners.cell }).from(partners).where(eq(partners.id, partnerId)).get();
  // A damaged code is like no cell: it must not stop what is done for the other partners.
  return cellCodeSchema.safeParse(row?.cell).data ?? null;
}
