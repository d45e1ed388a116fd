import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { type CellCode, cellCodeSchema } from "../core/cell-code.ts";
import { parseJson } from "../core/json.ts";
import type { Directory } from "../db/client.ts";
import { apiKeyPermissions, apiKeys, employees, partners } from "../db/schema/partners.ts";

const permissionList = z.array(z.string());

/** Loads a key with its permissions, the cell of its partner, and the status of partner and employee, in one round trip. */
export async function findKey(directory: Directory, keyHash: string) {
  const row = await directory
    .select({
      partnerId: apiKeys.partnerId,
      revokedAt: apiKeys.revokedAt,
      partnerStatus: partners.status,
      cell: partners.cell,
      employeeStatus: employees.status,
      permissions: sql<string>`(SELECT json_group_array(${apiKeyPermissions.permission}) FROM ${apiKeyPermissions} WHERE ${apiKeyPermissions.keyHash} = ${apiKeys.keyHash})`,
    })
    .from(apiKeys)
    .innerJoin(partners, eq(partners.id, apiKeys.partnerId))
    .leftJoin(employees, eq(employees.id, apiKeys.employeeId))
    .where(eq(apiKeys.keyHash, keyHash))
    .get();
  return row && { ...row, cell: cellCodeSchema.parse(row.cell), permissions: parseJson(permissionList, row.permissions) };
}

/** The ids of all partners. */
export async function allPartnerIds(directory: Directory): Promise<string[]> {
  return (await directory.select({ id: partners.id }).from(partners).all()).map(({ id }) => id);
}

/** The cell that has a partner's data; null for an unknown partner. One round trip. */
export async function findCell(directory: Directory, partnerId: string): Promise<CellCode | null> {
  const row = await directory.select({ cell: partners.cell }).from(partners).where(eq(partners.id, partnerId)).get();
  return row === undefined ? null : cellCodeSchema.parse(row.cell);
}
