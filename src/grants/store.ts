import { and, asc, count, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { MINUTE } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import { parseJson } from "../core/json.ts";
import type { Directory, Query } from "../db/client.ts";
import { grants, oauthEntries } from "../db/schema/grants.ts";
import { isPermission, type Permission } from "../partners/permissions.ts";
import { type ConfirmationRules, confirmationRulesSchema } from "./confirmation-rules.ts";

type GrantRow = typeof grants.$inferSelect;

/** The rights that a partner gave to a signed-in agent. Times are Unix milliseconds. */
export type Grant = Readonly<Omit<GrantRow, "permissions" | "environments" | "confirmations">> & {
  readonly permissions: readonly Permission[];
  readonly environments: readonly Environment[];
  /** Which of its creations wait for a person. */
  readonly confirmations: ConfirmationRules;
};

const permissionList = z.array(z.string());
const environmentList = z.array(z.enum(environments));

/** Parses a stored grant. */
export function grantOf(row: GrantRow): Grant {
  return {
    ...row,
    permissions: parseJson(permissionList, row.permissions).filter(isPermission),
    environments: parseJson(environmentList, row.environments),
    confirmations: parseJson(confirmationRulesSchema, row.confirmations),
  };
}

/** Query for one grant: one row or none. */
export function selectGrant(directory: Directory, id: string): Query<GrantRow> {
  return directory.select().from(grants).where(eq(grants.id, id));
}

/** The number of valid grants of a key at a time (Unix milliseconds). One D1 round trip. */
export async function countOpenGrants(directory: Directory, { partnerId, keyId }: Pick<Grant, "partnerId" | "keyId">, now: number) {
  const [row] = await directory.select({ count: count() }).from(grants).where(isOpenGrantOf({ partnerId, keyId }, now));
  return row?.count ?? 0;
}

/** Whether a valid grant of a key has what it makes live wait for a person: then a new one is offered the same. One D1 round trip. */
export async function hasLiveRule(directory: Directory, key: Pick<Grant, "partnerId" | "keyId">, now: number): Promise<boolean> {
  const hasRule = sql`json_extract(${grants.confirmations}, '$.live') IS NOT NULL`;
  const [row] = await directory
    .select({ count: count() })
    .from(grants)
    .where(and(isOpenGrantOf(key, now), hasRule));
  return (row?.count ?? 0) > 0;
}

const isOpenGrantOf = ({ partnerId, keyId }: Pick<Grant, "partnerId" | "keyId">, now: number) =>
  and(eq(grants.partnerId, partnerId), eq(grants.keyId, keyId), isNull(grants.endedAt), gt(grants.expiresAt, now));

/** Stores a new grant with its audit entry, and keeps the registration of its host. One D1 round trip. */
export async function insertGrant(directory: Directory, grant: Grant, actor: Actor): Promise<void> {
  const { id, partnerId, keyId, clientName, permissions, environments: chosen, confirmations } = grant;
  const rules = Object.keys(confirmations).length === 0 ? {} : { confirmations };
  const after = { key_id: keyId, client_name: clientName, permissions, environments: chosen, ...rules };
  await directory.batch([
    directory.insert(grants).values({
      ...grant,
      permissions: JSON.stringify(permissions),
      environments: JSON.stringify(chosen),
      confirmations: JSON.stringify(grant.confirmations),
    }),
    auditRow(directory, { actor, action: "grant.give", target: id, partnerId, after }, grant.createdAt),
    provenClient(directory, grant.clientId, grant.expiresAt),
  ]);
}

/** Extends a registration to the lifetime of grants, because a person has signed in with it. */
function provenClient(directory: Directory, clientId: string, until: number) {
  return directory
    .update(oauthEntries)
    .set({ unprovenSince: null, expiresAt: until })
    .where(eq(oauthEntries.key, `client:${clientId}`));
}

/** Stores that a grant was used, at most once a minute. */
export async function noteUse(directory: Directory, id: string, now: number): Promise<void> {
  const isOlder = or(isNull(grants.lastUsedAt), lt(grants.lastUsedAt, now - MINUTE));
  await directory
    .update(grants)
    .set({ lastUsedAt: now })
    .where(and(eq(grants.id, id), isOlder));
}

/** The grants of a partner, including ended ones, in id order, after a given one. */
export async function listGrants(directory: Directory, partnerId: string, after: string, limit: number): Promise<Grant[]> {
  const isNext = and(eq(grants.partnerId, partnerId), gt(grants.id, after));
  const rows = await directory.select().from(grants).where(isNext).orderBy(asc(grants.id)).limit(limit).all();
  return rows.map(grantOf);
}
