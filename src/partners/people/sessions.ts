import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { DAY, HOUR, MINUTE } from "../../core/clock.ts";
import { sha256Hex, toHex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import { parseJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { type Directory, type InDirectory, runBatch, type Statement, violatedColumn } from "../../db/client.ts";
import { sessions } from "../../db/schema/partners.ts";
import { type Caller, callerWith } from "../authenticate.ts";
import { rightsSchema } from "./employees.ts";
import {
  endOldestSessions,
  endSession,
  insertSession,
  isOpenSession,
  type ListedSession,
  noteSessionUse,
  openSessions,
  selectSession,
} from "./session-store.ts";

/** How long a session lasts: in all, and without use. */
export const SESSION_LASTS = 7 * DAY;
const SESSION_IDLE = 8 * HOUR;

/** How often the use of a session is written. */
const USE_WRITTEN = MINUTE;
const TOKEN_BYTES = 32;
/** Characters of a browser's own description that are kept. */
const BROWSER_LENGTH = 200;

/** The id of the inserted session; none if it was not inserted. */
const insertedSchema = z.array(z.object({ id: z.string() }));

/** A session that has just started. `token` is the cookie's value: only its digest is stored. */
export interface StartedSession {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: number;
}

/** The person that signs in. */
interface Starting {
  readonly employeeId: string;
  readonly partnerId: string;
  /** The signed challenge. */
  readonly challenge: string;
  readonly browser: string;
}

/** The changes that go with the start of a session, in one batch. */
interface AlongWith {
  /** When a passkey counts as used in the session, if that is not its start. In Unix milliseconds. */
  readonly verifiedAt?: number | null;
  /** The session starts only if this is true after the statements of `before`. */
  readonly onlyIf?: SQL;
  readonly before?: readonly Statement[];
  readonly after?: readonly Statement[];
}

/**
 * Starts a session, in one batch with the changes that go with it. Null if the challenge has started one before: the
 * signature is a replay, and nothing was changed. Null also if `onlyIf` is false.
 */
export async function startSession(
  { directory, clock }: InDirectory,
  { employeeId, partnerId, challenge, browser }: Starting,
  requestId: string,
  { verifiedAt = null, onlyIf = sql`TRUE`, before = [], after = [] }: AlongWith = {},
): Promise<StartedSession | null> {
  const token = toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const now = clock.now();
  const [id, expiresAt] = [newId("ses"), now + SESSION_LASTS];
  const row = {
    tokenHash: await sha256Hex(token),
    id,
    employeeId,
    partnerId,
    challenge: await sha256Hex(challenge),
    browser: browser.slice(0, BROWSER_LENGTH),
    createdAt: now,
    lastUsedAt: now,
    expiresAt,
    endedAt: null,
    verifiedAt,
  };
  const entry = { actor: { name: `person ${employeeId}`, requestId }, action: "session.start" as const, target: id, partnerId };
  try {
    const results = await runBatch(directory, [
      ...before,
      insertSession(directory, row, onlyIf),
      endOldestSessions(directory, employeeId, limits.live.sessions, now),
      auditRow(directory, entry, now, onlyIf),
      ...after,
    ]);
    if (insertedSchema.parse(results[before.length]).length === 0) return null;
  } catch (thrown) {
    if (violatedColumn(thrown) === "sessions.challenge") return null;
    throw thrown;
  }
  return { token, id, expiresAt };
}

/** Whether a challenge has started a session. One D1 round trip, by a unique index. */
export async function isUsedChallenge(directory: Directory, challenge: string): Promise<boolean> {
  const known = await directory
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.challenge, await sha256Hex(challenge)))
    .get();
  return known !== undefined;
}

/** A signed-in person. */
export interface SignedIn {
  readonly caller: Caller;
  readonly person: { readonly id: string; readonly name: string };
  readonly partnerName: string;
  /** `verifiedAt`: when the person last used a passkey in it. */
  readonly session: { readonly id: string; readonly verifiedAt: number; readonly expiresAt: number };
}

/**
 * The person of a cookie's value. `ended`: the session was ended, it is over or idle for too long, or its person or partner
 * is disabled. `unknown`: there is no such session. One D1 round trip, and once a minute a second one that stores the use.
 */
export async function findSignedIn({ directory, clock }: InDirectory, token: string): Promise<SignedIn | "ended" | "unknown"> {
  const now = clock.now();
  const [row] = await selectSession(directory, await sha256Hex(token));
  if (row === undefined) return "unknown";
  if (row.endedAt !== null || row.expiresAt <= now || row.lastUsedAt <= now - SESSION_IDLE) return "ended";
  if (row.employeeStatus !== "active" || row.partnerStatus !== "active") return "ended";
  if (row.lastUsedAt <= now - USE_WRITTEN) await noteSessionUse(directory, row.id, now);
  const { employeeId, personName, partnerName, id, createdAt, verifiedAt, expiresAt } = row;
  const caller = callerWith(row, { kind: "person", employeeId }, parseJson(rightsSchema, row.rights));
  return {
    caller,
    person: { id: employeeId, name: personName },
    partnerName,
    session: { id, verifiedAt: verifiedAt ?? createdAt, expiresAt },
  };
}

/** The open sessions of a partner's people, in id order, after a given one. */
export function listSessions({ directory, clock }: InDirectory, partnerId: string, after: string, limit: number): Promise<ListedSession[]> {
  const now = clock.now();
  return openSessions(directory, { partnerId, now, usedSince: now - SESSION_IDLE }, after, limit);
}

/** Ends a session of a partner's person, from the next request on. False if there is no such open session. */
export async function endSessionOf({ directory, clock }: InDirectory, partnerId: string, id: string, actor: Actor): Promise<boolean> {
  const now = clock.now();
  const isOpen = sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${isOpenSession(partnerId, id)})`;
  const [, { meta }] = await directory.batch([
    auditRow(directory, { actor, action: "session.end", target: id, partnerId }, now, isOpen),
    endSession(directory, partnerId, id, now),
  ]);
  return meta.changes > 0;
}
