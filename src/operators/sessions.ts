import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { auditRow, auditRowOfRows } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { HOUR, MINUTE } from "../core/clock.ts";
import { sha256Hex, toHex } from "../core/digest.ts";
import { limits } from "../core/limits.ts";
import { type Directory, type InDirectory, runBatch } from "../db/client.ts";
import { operatorSessions } from "../db/schema/operators.ts";

/** How long a session of an operator's browser lasts. */
export const OPERATOR_SESSION_LASTS = 8 * HOUR;

/** How often the use of a session is written. */
const USE_WRITTEN = MINUTE;
const TOKEN_BYTES = 32;
/** Hexadecimal digits of the shared token's digest. */
const DIGEST_LENGTH = 16;
/** Characters of a browser's own description that are kept. */
const BROWSER_LENGTH = 200;

const { id, name, tokenDigest, browser, createdAt, lastUsedAt, expiresAt } = operatorSessions;

/** The digits of a row's id that name its session. The id itself is a digest of 256 random bits. */
const NAME_LENGTH = 16;
const NAME = sql<string>`'opses_' || substr(${id}, 1, ${sql.raw(String(NAME_LENGTH))})`;
const nameOf = (rowId: string): string => `opses_${rowId.slice(0, NAME_LENGTH)}`;

const digestOf = async (opsToken: string) => (await sha256Hex(`session ${opsToken}`)).slice(0, DIGEST_LENGTH);

/**
 * Starts a session for a holder of the shared token, with its audit row. Of more than `limits.live.operatorSessions` the oldest
 * end. Returns the cookie value; only its digest is stored.
 */
export async function startSession({ directory, clock }: InDirectory, opsToken: string, holder: Actor, agent: string): Promise<string> {
  const token = toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const [rowId, now] = [await sha256Hex(token), clock.now()];
  const row = {
    id: rowId,
    name: holder.name,
    tokenDigest: await digestOf(opsToken),
    browser: agent.slice(0, BROWSER_LENGTH),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + OPERATOR_SESSION_LASTS,
  };
  const tooMany = sql`${id} IN (SELECT id FROM ${operatorSessions} ORDER BY expires_at DESC, id DESC LIMIT -1 OFFSET ${limits.live.operatorSessions})`;
  const ended = { target: NAME, from: sql`${operatorSessions} WHERE ${tooMany}` };
  await runBatch(directory, [
    directory.insert(operatorSessions).values(row),
    auditRowOfRows(directory, { actor: holder, action: "operator_session.end" }, ended, now),
    directory.delete(operatorSessions).where(tooMany),
    auditRow(directory, { actor: holder, action: "operator_session.start", target: nameOf(rowId) }, now),
  ]);
  return token;
}

/** The session of a cookie's value; null if it has ended, or if the shared token has changed since. One D1 round trip, and one more a minute. */
export async function findSession({ directory, clock }: InDirectory, opsToken: string, token: string) {
  const now = clock.now();
  const isOpen = and(eq(id, await sha256Hex(token)), eq(tokenDigest, await digestOf(opsToken)), gt(expiresAt, now));
  const row = await directory.select({ id, name, lastUsedAt }).from(operatorSessions).where(isOpen).get();
  if (row === undefined) return null;
  if (row.lastUsedAt <= now - USE_WRITTEN) await directory.update(operatorSessions).set({ lastUsedAt: now }).where(eq(id, row.id));
  return { name: row.name, session: nameOf(row.id) };
}

/** The open sessions that the present token began, the last begun first. `session` is the name of one: it opens nothing. */
export async function openOperatorSessions({ directory, clock }: InDirectory, opsToken: string) {
  return directory
    .select({ session: NAME.as("session"), name, browser, createdAt, lastUsedAt, expiresAt })
    .from(operatorSessions)
    .where(and(eq(tokenDigest, await digestOf(opsToken)), gt(expiresAt, clock.now())))
    .orderBy(desc(expiresAt), desc(id))
    .limit(limits.live.operatorSessions)
    .all();
}

/** Ends a session by its name, with its audit row. False if none is open under it. */
export async function endSessionNamed({ directory, clock }: InDirectory, session: string, actor: Actor): Promise<boolean> {
  const [, digits = ""] = /^opses_([0-9a-f]{16})$/.exec(session) ?? [];
  if (digits === "") return false;
  // The names of one length are a range of ids.
  const isIt = sql`${id} >= ${digits} AND ${id} < ${`${digits}g`} AND ${expiresAt} > ${clock.now()}`;
  const entry = { actor, action: "operator_session.end" as const, target: session };
  const [, ended] = await directory.batch([
    auditRow(directory, entry, clock.now(), sql`EXISTS (SELECT 1 FROM ${operatorSessions} WHERE ${isIt})`),
    directory.delete(operatorSessions).where(isIt).returning({ id }),
  ]);
  return ended.length > 0;
}

/** Ends the session of a cookie's value, with its audit row: the cookie is no longer accepted. `requestId`: of the request that ends it. */
export async function endOwnSession({ directory, clock }: InDirectory, token: string, requestId: string): Promise<void> {
  const row = await directory
    .select({ id, name })
    .from(operatorSessions)
    .where(eq(id, await sha256Hex(token)))
    .get();
  if (row !== undefined) await endSessionNamed({ directory, clock }, nameOf(row.id), { name: row.name, requestId });
}

/** Deletes the sessions that have expired by `now` (Unix milliseconds). */
export async function expireSessions(directory: Directory, now: number) {
  const { meta } = await directory.delete(operatorSessions).where(lt(expiresAt, now));
  return { changed: meta.changes, isAtEnd: true };
}
