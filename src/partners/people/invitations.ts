import { and, eq, gt, lte, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { HOUR, isoTime } from "../../core/clock.ts";
import { sha256Hex, toHex } from "../../core/digest.ts";
import { type Directory, type InDirectory, violatedColumn } from "../../db/client.ts";
import { employees, invitations, partners, passkeys } from "../../db/schema/partners.ts";
import { isOwnChallenge, newChallenge } from "./challenge.ts";
import type { Employee } from "./employees.ts";
import { insertPasskey, isActivePerson, type PasskeyDeps, shortId } from "./passkeys.ts";
import { endInvitationsBy, endSessionsOfPerson } from "./session-store.ts";
import { SESSION_LASTS, type StartedSession, startSession } from "./sessions.ts";
import { type RegistrationResponseJSON, readRegistration, registrationOptions } from "./web-authn.ts";

/** How long an invitation can be accepted. */
export const INVITATION_LASTS = 72 * HOUR;
const TOKEN_BYTES = 32;

/** A new invitation. The token is only in this answer: its digest is stored. */
export interface Invitation {
  readonly token: string;
  readonly expiresAt: number;
}

/**
 * Invites a person, who then makes a passkey. An earlier invitation ends. Null for a disabled person, or one whose rights
 * are no longer those that the caller has seen: the holder of the link has the person's rights.
 */
export async function invite(
  { directory, clock }: InDirectory,
  { id, partnerId, rights }: Pick<Employee, "id" | "partnerId" | "rights">,
  actor: Actor,
): Promise<Invitation | null> {
  const token = toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const tokenHash = await sha256Hex(token);
  const now = clock.now();
  const expiresAt = now + INVITATION_LASTS;
  const seen = JSON.stringify(rights);
  const isActive = sql`EXISTS (SELECT 1 FROM ${employees} WHERE id = ${id} AND status = 'active' AND rights = ${seen})`;
  const entry = { actor, action: "employee.invite" as const, target: id, partnerId, after: { expires_at: isoTime(expiresAt) } };
  const [, , { meta }] = await directory.batch([
    auditRow(directory, entry, now, isActive),
    directory.delete(invitations).where(and(eq(invitations.employeeId, id), isActive)),
    directory.insert(invitations).select(sql`SELECT ${id}, ${tokenHash}, ${actor.name}, ${now}, ${expiresAt} WHERE ${isActive}`),
  ]);
  return meta.changes > 0 ? { token, expiresAt } : null;
}

/** The invitation of a token; undefined if it was accepted, replaced or is over, or if person or partner is disabled. */
async function findInvitation({ directory, clock }: InDirectory, token: string) {
  return directory
    .select({
      employeeId: invitations.employeeId,
      partnerId: employees.partnerId,
      expiresAt: invitations.expiresAt,
      personName: sql<string>`${employees.name}`.as("person_name"),
      partnerName: sql<string>`${partners.name}`.as("partner_name"),
    })
    .from(invitations)
    .innerJoin(employees, eq(employees.id, invitations.employeeId))
    .innerJoin(partners, eq(partners.id, employees.partnerId))
    .where(
      and(
        eq(invitations.tokenHash, await sha256Hex(token)),
        gt(invitations.expiresAt, clock.now()),
        eq(employees.status, "active"),
        eq(partners.status, "active"),
      ),
    )
    .get();
}

const acceptingOf = (tokenHash: string) => `invitation ${tokenHash}`;

/** The invitation, and what the invited browser needs to make a passkey. Undefined if the invitation is not open. */
export async function openInvitation(deps: PasskeyDeps, origin: string, token: string) {
  const found = await findInvitation(deps, token);
  if (found === undefined) return undefined;
  const challenge = await newChallenge(deps, acceptingOf(await sha256Hex(token)));
  return { found, options: await registrationOptions(origin, { id: found.employeeId, name: found.personName }, [], challenge) };
}

/**
 * Accepts an invitation: stores the person's passkey, and starts a session. Passkeys and sessions from before end,
 * because a person who lost a device is invited again. Null if the invitation is not open, or the browser's answer is not
 * valid. The invitation is used up in the same batch, so it makes one passkey.
 */
export async function acceptInvitation(
  deps: PasskeyDeps,
  origin: string,
  token: string,
  given: {
    readonly response: RegistrationResponseJSON;
    readonly label: string;
    readonly browser: string;
    readonly requestId: string;
  },
): Promise<StartedSession | null> {
  const { directory, clock } = deps;
  const found = await findInvitation(deps, token);
  if (found === undefined) return null;
  const tokenHash = await sha256Hex(token);
  let challenge = "";
  const made = await readRegistration(origin, given.response, async (signed) => {
    challenge = signed;
    return isOwnChallenge(deps, acceptingOf(tokenHash), signed);
  });
  if (made === null) return null;
  const { employeeId, partnerId } = found;
  const now = clock.now();
  const actor = { name: `person ${employeeId}`, requestId: given.requestId };
  const entry = {
    actor,
    action: "employee.accept_invitation" as const,
    target: employeeId,
    partnerId,
    after: { passkey: shortId(made.id) },
  };
  const isOpen = sql`EXISTS (SELECT 1 FROM ${invitations} WHERE token_hash = ${tokenHash}) AND ${isActivePerson(employeeId)}`;
  try {
    return await startSession(deps, { employeeId, partnerId, challenge, browser: given.browser }, given.requestId, {
      onlyIf: isOpen,
      before: [
        endSessionsOfPerson(directory, employeeId, now, isOpen),
        // Of a lost device, too.
        endInvitationsBy(directory, employeeId, sql`${isOpen} AND ${invitations.employeeId} <> ${employeeId}`),
        directory.delete(passkeys).where(and(eq(passkeys.employeeId, employeeId), isOpen)),
        insertPasskey(directory, { employeeId, label: given.label, now }, made, isOpen),
        auditRow(directory, entry, now, isOpen),
      ],
      after: [directory.delete(invitations).where(eq(invitations.tokenHash, tokenHash))],
    });
  } catch (thrown) {
    if (violatedColumn(thrown) === "passkeys.id") return null;
    throw thrown;
  }
}

/**
 * Uses an invitation up to sign in without a passkey. For local development alone: no route of a deployed service calls
 * it. Null if the invitation is not open.
 */
export async function signInByInvitation(
  deps: PasskeyDeps,
  token: string,
  { browser, requestId }: { readonly browser: string; readonly requestId: string },
): Promise<StartedSession | null> {
  const found = await findInvitation(deps, token);
  if (found === undefined) return null;
  const { directory } = deps;
  const { employeeId, partnerId } = found;
  const isThis = eq(invitations.tokenHash, await sha256Hex(token));
  return startSession(deps, { employeeId, partnerId, challenge: token, browser }, requestId, {
    // This person has no passkey to use again.
    verifiedAt: deps.clock.now() + SESSION_LASTS,
    onlyIf: sql`EXISTS (SELECT 1 FROM ${invitations} WHERE ${isThis})`,
    after: [directory.delete(invitations).where(isThis)],
  });
}

/** Deletes the invitations that are over at `now` (Unix milliseconds). */
export async function expireInvitations(directory: Directory, now: number) {
  const { meta } = await directory.delete(invitations).where(lte(invitations.expiresAt, now));
  return { changed: meta.changes, isAtEnd: true };
}
