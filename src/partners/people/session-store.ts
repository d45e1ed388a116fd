import { and, asc, eq, getTableColumns, gt, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Directory, Statement } from "../../db/client.ts";
import { employees, invitations, partners, sessions } from "../../db/schema/partners.ts";
import { EARLIER } from "../location-store.ts";

export type SessionRow = typeof sessions.$inferSelect;

/** Query for the session of a cookie's value, with its person, and the partner as a key's row has it: one row or none. */
export function selectSession(directory: Directory, tokenHash: string) {
  const { tokenHash: _hash, challenge: _challenge, browser: _browser, ...shown } = getTableColumns(sessions);
  return directory
    .select({
      ...shown,
      rights: employees.rights,
      cell: partners.cell,
      idCode: partners.idCode,
      cancelPermission: partners.cancelPermission,
      timeZone: partners.timeZone,
      earlier: EARLIER,
      // A batch maps columns by name, so no two may have the same name.
      personName: sql<string>`${employees.name}`.as("person_name"),
      employeeStatus: sql<string>`${employees.status}`.as("employee_status"),
      partnerName: sql<string>`${partners.name}`.as("partner_name"),
      partnerStatus: sql<string>`${partners.status}`.as("partner_status"),
    })
    .from(sessions)
    .innerJoin(employees, eq(employees.id, sessions.employeeId))
    .innerJoin(partners, eq(partners.id, sessions.partnerId))
    .where(eq(sessions.tokenHash, tokenHash));
}

/** Inserts a session if `onlyIf` is true. Another session with the same challenge violates a unique index. */
export function insertSession(directory: Directory, row: SessionRow, onlyIf: SQL): Statement {
  const { tokenHash, id, employeeId, partnerId, challenge, browser, createdAt, lastUsedAt, expiresAt, endedAt, verifiedAt } = row;
  return directory
    .insert(sessions)
    .select(
      sql`SELECT ${tokenHash}, ${id}, ${employeeId}, ${partnerId}, ${challenge}, ${browser}, ${createdAt}, ${lastUsedAt}, ${expiresAt}, ${endedAt}, ${verifiedAt} WHERE ${onlyIf}`,
    )
    .returning({ id: sessions.id });
}

/** Notes the use of a session. */
export async function noteSessionUse(directory: Directory, id: string, now: number): Promise<void> {
  await directory
    .update(sessions)
    .set({ lastUsedAt: now })
    .where(and(eq(sessions.id, id), lt(sessions.lastUsedAt, now)));
}

/** A session for people: without its cookie's digest. */
export type ListedSession = Pick<SessionRow, "id" | "employeeId" | "browser" | "createdAt" | "lastUsedAt" | "expiresAt"> & {
  readonly personName: string;
};

/** The open sessions of a partner's people at a time, in id order, after a given one. `usedSince`: an idle one has ended. */
export async function openSessions(
  directory: Directory,
  { partnerId, now, usedSince }: { readonly partnerId: string; readonly now: number; readonly usedSince: number },
  after: string,
  limit: number,
): Promise<ListedSession[]> {
  const { id, employeeId, browser, createdAt, lastUsedAt, expiresAt, endedAt } = sessions;
  const isOpen = and(isNull(endedAt), gt(expiresAt, now), gt(lastUsedAt, usedSince), eq(employees.status, "active"));
  return directory
    .select({ id, employeeId, browser, createdAt, lastUsedAt, expiresAt, personName: sql<string>`${employees.name}`.as("person_name") })
    .from(sessions)
    .innerJoin(employees, eq(employees.id, employeeId))
    .where(and(eq(sessions.partnerId, partnerId), gt(id, after), isOpen))
    .orderBy(asc(id))
    .limit(limit)
    .all();
}

/** SQL condition: the partner's session with this id has not been ended. */
export function isOpenSession(partnerId: string, id: string) {
  return and(eq(sessions.id, id), eq(sessions.partnerId, partnerId), isNull(sessions.endedAt));
}

/** Ends one session. Its row stays until its time is over, so that its challenge starts no other. */
export function endSession(directory: Directory, partnerId: string, id: string, now: number) {
  return directory.update(sessions).set({ endedAt: now }).where(isOpenSession(partnerId, id));
}

/** Ends all sessions of a person, if `onlyIf` is true at that point of the batch. */
export function endSessionsOfPerson(directory: Directory, employeeId: string, now: number, onlyIf: SQL = sql`TRUE`): Statement {
  return directory
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.employeeId, employeeId), isNull(sessions.endedAt), onlyIf));
}

/** Ends the open invitation of a person, if `onlyIf` is true at that point of the batch. */
export const endInvitationOf = (directory: Directory, employeeId: string, onlyIf: SQL): Statement =>
  directory.delete(invitations).where(and(eq(invitations.employeeId, employeeId), onlyIf));

/** Ends the open invitations that a person made: a thief of a session may have made them, to come back by. */
export const endInvitationsBy = (directory: Directory, employeeId: string, onlyIf: SQL): Statement =>
  directory.delete(invitations).where(and(eq(invitations.madeBy, `person ${employeeId}`), onlyIf));

/** Ends the open sessions of a person that are older than the newest `most`. */
export function endOldestSessions(directory: Directory, employeeId: string, most: number, now: number): Statement {
  const newest = sql`SELECT id FROM sessions WHERE employee_id = ${employeeId} AND ended_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ${most}`;
  return directory
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.employeeId, employeeId), isNull(sessions.endedAt), sql`${sessions.id} NOT IN (${newest})`));
}

/** Ends all sessions of a partner's people. */
export function endSessionsOfPartner(directory: Directory, partnerId: string, now: number): Statement {
  return directory
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.partnerId, partnerId), isNull(sessions.endedAt)));
}

/** Deletes the sessions whose time is over at `now` (Unix milliseconds). */
export async function expirePersonSessions(directory: Directory, now: number) {
  const { meta } = await directory.delete(sessions).where(lte(sessions.expiresAt, now));
  return { changed: meta.changes, isAtEnd: true };
}
