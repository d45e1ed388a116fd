import { and, asc, eq, gt, sql } from "drizzle-orm";
import * as z from "zod";
import { type CellCode, cellCodeSchema, firstCellOf, type IdCode, idCodeSchema } from "../core/cell-code.ts";
import { parseJson } from "../core/json.ts";
import type { Directory, Query } from "../db/client.ts";
import type { EarlierCell, PartnerCells } from "../db/partner-data.ts";
import { type Prepared, preparedQuery, prepareOnce, type StoredRow } from "../db/prepared.ts";
import { apiKeyPermissions, apiKeys, earlierCells, employees, partners } from "../db/schema/partners.ts";

/** A key with its permissions as a JSON array, the cell and the id code of its partner, and the status of partner and employee. */
export interface KeyRow {
  readonly partnerId: string;
  readonly keyHash: string;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly partnerStatus: string;
  readonly cell: string;
  readonly idCode: string;
  /** JSON: `EARLIER`. */
  readonly earlier: string;
  readonly employeeStatus: string | null;
  readonly permissions: string;
  readonly cancelPermission: string | null;
}

/** Query for the key with this id: one row or none. */
export function selectKeyById(directory: Directory, id: string): Query<KeyRow> {
  return selectKeys(directory).where(eq(apiKeys.id, id));
}

/**
 * The earlier cells of a partner as JSON, newest first. Raw SQL, because the query builder leaves out the table name in
 * a query of one table.
 */
const EARLIER = sql<string>`(SELECT json_group_array(json_object('cell', cell, 'until', until)) FROM
  (SELECT earlier.cell AS cell, earlier.until AS until FROM earlier_cells AS earlier WHERE earlier.partner_id = partners.id ORDER BY until DESC))`.as(
  "earlier",
);

function selectKeys(directory: Directory) {
  return directory
    .select({
      partnerId: apiKeys.partnerId,
      keyHash: apiKeys.keyHash,
      revokedAt: apiKeys.revokedAt,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      // A batch maps columns by name, so no two may have the same name.
      partnerStatus: sql<string>`${partners.status}`.as("partner_status"),
      cell: partners.cell,
      idCode: partners.idCode,
      cancelPermission: partners.cancelPermission,
      earlier: EARLIER,
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
  revoked_at: z.number().nullable(),
  expires_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
  partner_status: z.string(),
  cell: z.string(),
  id_code: z.string(),
  earlier: z.string(),
  employee_status: z.string().nullable(),
  permissions: z.string(),
  cancel_permission: z.string().nullable(),
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
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    partnerStatus: row.partner_status,
    cell: row.cell,
    idCode: row.id_code,
    earlier: row.earlier,
    employeeStatus: row.employee_status,
    permissions: row.permissions,
    cancelPermission: row.cancel_permission,
  };
}

/** The ids of all partners. */
export async function allPartnerIds(directory: Directory): Promise<string[]> {
  return (await directory.select({ id: partners.id }).from(partners).all()).map(({ id }) => id);
}

/** The locations of all partners, by id. A partner with a damaged code is left out. */
export async function allLocations(directory: Directory): Promise<ReadonlyMap<string, PartnerLocation>> {
  const { id, cell, idCode } = partners;
  const rows = await directory.select({ id, cell, idCode, earlier: EARLIER }).from(partners).all();
  return new Map(
    rows.flatMap((row) => {
      const location = locationSchema.safeParse(row).data;
      return location === undefined ? [] : [[row.id, location] as const];
    }),
  );
}

/** Some partners with data in a cell, or an earlier part of it, in id order, after a given one. */
export async function partnersOfCell(directory: Directory, cell: CellCode, after: string, limit: number): Promise<string[]> {
  const { partnerId } = earlierCells;
  const [own, split] = await directory.batch([
    directory
      .select({ id: partners.id })
      .from(partners)
      .where(and(eq(partners.cell, cell), gt(partners.id, after)))
      .orderBy(asc(partners.id))
      .limit(limit),
    directory
      .select({ id: partnerId })
      .from(earlierCells)
      .where(and(eq(earlierCells.cell, cell), gt(partnerId, after)))
      .orderBy(asc(partnerId))
      .limit(limit),
  ]);
  const ids = [...own, ...split].map(({ id }) => id);
  return ids.toSorted().slice(0, limit);
}

/** The number of partners of each cell; no entry for a cell without partners. */
export async function countPartnersByCell(directory: Directory): Promise<ReadonlyMap<string, number>> {
  const counts = await directory.select({ cell: partners.cell, count: sql<number>`count(*)` }).from(partners).groupBy(partners.cell).all();
  return new Map(counts.map(({ cell, count }) => [cell, count]));
}

/** The disabled partners, each with its cell. By index. */
export async function disabledPartners(directory: Directory) {
  // The text must match the condition of the partial index.
  const isDisabled = and(sql`status = 'disabled'`, gt(partners.id, ""));
  return directory.select({ id: partners.id, cell: partners.cell }).from(partners).where(isDisabled).all();
}

/** The location of a partner's data, and its id code. */
export interface PartnerLocation extends PartnerCells {
  readonly idCode: IdCode;
}

const earlierSchema = z.array(z.object({ cell: cellCodeSchema, until: z.int() }));

/** Parses the earlier cells of a partner from a query. */
export const readEarlier = (text: string): readonly EarlierCell[] => parseJson(earlierSchema, text);

const placedSchema = z.object({ cell: cellCodeSchema, idCode: idCodeSchema });

/** The stored form of a location. */
const locationSchema = placedSchema.extend({
  earlier: z.string().transform(readEarlier),
});

/** The location of a partner; null for an unknown partner. One round trip. */
export async function findLocation(directory: Directory, partnerId: string): Promise<PartnerLocation | null> {
  const { cell, idCode, id } = partners;
  const row = await directory.select({ cell, idCode, earlier: EARLIER }).from(partners).where(eq(id, partnerId)).get();
  // A damaged code counts as no cell: it must not stop the work for other partners.
  return locationSchema.safeParse(row).data ?? null;
}

/**
 * Sets the current cell of a partner, unless it is set already. `splitAt`: rows until then stay in the old cell; null
 * if all moved.
 */
export async function setCell(
  directory: Directory,
  partnerId: string,
  { from, to, splitAt }: { readonly from: string; readonly to: CellCode; readonly splitAt: number | null },
): Promise<void> {
  const isThere = and(eq(partners.id, partnerId), eq(partners.cell, from));
  const earlier = sql`SELECT ${partnerId}, ${from}, ${splitAt} WHERE ${splitAt} IS NOT NULL AND EXISTS (SELECT 1 FROM ${partners} WHERE ${isThere})`;
  await directory.batch([
    directory.insert(earlierCells).select(earlier).onConflictDoNothing(),
    directory.update(partners).set({ cell: to }).where(isThere),
  ]);
}

/** The further cells of the partners with each id code, besides its original cell. By index. */
export async function readMovedCells(directory: Directory): Promise<ReadonlyMap<IdCode, readonly CellCode[]>> {
  const { id, cell, idCode } = partners;
  const [moved, split] = await directory.batch([
    // The text must match the condition of the partial index.
    directory.selectDistinct({ idCode, cell }).from(partners).where(sql`cell <> id_code`),
    directory
      .selectDistinct({ idCode, cell: earlierCells.cell })
      .from(earlierCells)
      .innerJoin(partners, eq(id, earlierCells.partnerId))
      .where(gt(earlierCells.cell, "")),
  ]);
  const found = [...moved, ...split].flatMap((row) => placedSchema.safeParse(row).data ?? []);
  const beside = found.filter((one) => one.cell !== firstCellOf(one.idCode));
  return new Map([...Map.groupBy(beside, (one) => one.idCode)].map(([code, ones]) => [code, [...new Set(ones.map((one) => one.cell))]]));
}
