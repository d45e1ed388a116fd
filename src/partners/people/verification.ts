import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import { type Clock, MINUTE } from "../../core/clock.ts";
import { passkeys, sessions } from "../../db/schema/partners.ts";
import { admit } from "../change-counts.ts";
import { isOwnChallenge, issuedAt, newChallenge } from "./challenge.ts";
import { findPasskey, type PasskeyDeps } from "./passkeys.ts";
import type { SignedIn } from "./sessions.ts";
import { type AuthenticationResponseJSON, readSignIn, signInOptions } from "./web-authn.ts";

/**
 * How long after a passkey was used a session may make a lasting way in, or move events: a cookie that was stolen must not. In
 * milliseconds.
 */
const FRESH = 15 * MINUTE;

/** Whether the person has used a passkey in the session within {@link FRESH}. */
export function isFresh({ session }: Pick<SignedIn, "session">, clock: Clock): boolean {
  return clock.now() < session.verifiedAt + FRESH;
}

const purposeOf = (sessionId: string) => `verify ${sessionId}`;

/** What a signed-in person's browser needs to use a passkey again. */
export async function beginVerification(deps: PasskeyDeps, origin: string, { session }: SignedIn) {
  return signInOptions(origin, await newChallenge(deps, purposeOf(session.id)));
}

/**
 * Notes that the signed-in person has just used a passkey of their own. False if the answer is not valid, the passkey is another
 * person's, or the session has ended. Each answer counts once: its challenge must be newer than the last use.
 */
export async function verifyPerson(
  deps: PasskeyDeps,
  origin: string,
  { person, session, caller }: SignedIn,
  response: AuthenticationResponseJSON,
  requestId: string,
): Promise<boolean> {
  const { directory, clock } = deps;
  const row = await findPasskey(directory, response.id);
  if (row === undefined || row.employeeId !== person.id) return false;
  const { id, publicKey, counter } = row;
  let challenge = "";
  const verified = await readSignIn(origin, response, { id, publicKey, counter, transports: [] }, async (given) => {
    challenge = given;
    return isOwnChallenge(deps, purposeOf(session.id), given);
  });
  if (verified === null) return false;
  await admit(deps, "verification", person.id);
  const [now, issued] = [clock.now(), issuedAt(challenge)];
  const isAsRead = and(eq(passkeys.id, id), eq(passkeys.counter, counter));
  const isOpen = and(
    eq(sessions.id, session.id),
    isNull(sessions.endedAt),
    lte(sql`COALESCE(${sessions.verifiedAt}, ${sessions.createdAt})`, issued),
    sql`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${isAsRead})`,
  );
  const entry = {
    actor: { name: `person ${person.id}`, requestId },
    action: "session.verify" as const,
    target: session.id,
    partnerId: caller.partnerId,
  };
  const [, { meta }] = await directory.batch([
    auditRow(directory, entry, now, sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${isOpen})`),
    directory
      .update(sessions)
      .set({ verifiedAt: Math.max(now, issued + 1) })
      .where(isOpen),
    directory.update(passkeys).set({ counter: verified.counter, lastUsedAt: now }).where(isAsRead),
  ]);
  return meta.changes > 0;
}
