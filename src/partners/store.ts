import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { parseJson } from "../core/json.ts";
import type { Database } from "../db/client.ts";
import { apiKeyPermissions, apiKeys, employees, partners } from "../db/schema/partners.ts";

const permissionList = z.array(z.string());

/** Loads a key with its permissions and the status of its partner and employee, in one round trip. */
export async function findKey(db: Database, keyHash: string) {
  const row = await db
    .select({
      partnerId: apiKeys.partnerId,
      revokedAt: apiKeys.revokedAt,
      partnerStatus: partners.status,
      employeeStatus: employees.status,
      permissions: sql<string>`(SELECT json_group_array(${apiKeyPermissions.permission}) FROM ${apiKeyPermissions} WHERE ${apiKeyPermissions.keyHash} = ${apiKeys.keyHash})`,
    })
    .from(apiKeys)
    .innerJoin(partners, eq(partners.id, apiKeys.partnerId))
    .leftJoin(employees, eq(employees.id, apiKeys.employeeId))
    .where(eq(apiKeys.keyHash, keyHash))
    .get();
  return row && { ...row, permissions: parseJson(permissionList, row.permissions) };
}

/** The ids of all partners. */
export async function allPartnerIds(db: Database): Promise<string[]> {
  return (await db.select({ id: partners.id }).from(partners).all()).map(({ id }) => id);
}

/** Query that checks whether a partner exists; an external id may be unknown. Send it in a batch with others. */
export function selectPartner(db: Database, partnerId: string) {
  return db.select({ partnerId: partners.id }).from(partners).where(eq(partners.id, partnerId));
}
