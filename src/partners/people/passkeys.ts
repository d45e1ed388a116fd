import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { parseJson } from "../../core/json.ts";
import type { SealKeys } from "../../core/seal.ts";
import { type Directory, violatedColumn } from "../../db/client.ts";
import { employees, partners, passkeys, sessions } from "../../db/schema/partners.ts";
import { admit } from "../change-counts.ts";
import { isOwnChallenge, newChallenge } from "./challenge.ts";
import { endInvitationOf, endInvitationsBy, endSessionsOfPerson } from "./session-store.ts";
import { isUsedChallenge, type StartedSession, startSession } from "./sessions.ts";
import {
  type AuthenticationResponseJSON,
  type NewPasskey,
  type RegistrationResponseJSON,
  readRegistration,
  readSignIn,
  registrationOptions,
  signInOptions,
} from "./web-authn.ts";

/** The most passkeys of one person. */
export const MAX_PASSKEYS = 20;

export interface PasskeyDeps {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly settings: { readonly encryptionKeys: SealKeys };
}

/** A passkey for its person. */
export interface ListedPasskey {
  readonly id: string;
  readonly label: string;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

const transportsSchema = z.array(z.string());

/** A person's passkeys, oldest first. */
export async function listPasskeys(directory: Directory, employeeId: string): Promise<ListedPasskey[]> {
  const { id, label, transports, createdAt, lastUsedAt } = passkeys;
  const rows = await directory
    .select({ id, label, transports, createdAt, lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.employeeId, employeeId))
    .orderBy(asc(createdAt))
    .all();
  return rows.map((row) => ({ ...row, transports: parseJson(transportsSchema, row.transports) }));
}

/** The statement that stores a passkey of a person, if `onlyIf` is true at that point of the batch. */
export function insertPasskey(
  directory: Directory,
  { employeeId, label, now }: { readonly employeeId: string; readonly label: string; readonly now: number },
  { id, publicKey, counter, transports }: NewPasskey,
  onlyIf: SQL = sql`TRUE`,
) {
  const sent = JSON.stringify(transports);
  return directory
    .insert(passkeys)
    .select(sql`SELECT ${id}, ${employeeId}, ${publicKey}, ${counter}, ${sent}, ${label}, ${now}, NULL WHERE ${onlyIf}`);
}

/** The beginning of a passkey's id, for the audit log: its label may name a person. */
export const shortId = (id: string) => id.slice(0, 8);

/** SQL condition: neither the person nor their partner is disabled. */
export const isActivePerson = (employeeId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${employees} AS person JOIN ${partners} AS own ON own.id = person.partner_id WHERE person.id = ${employeeId} AND person.status = 'active' AND own.status = 'active')`;

const addingFor = (employeeId: string) => `passkey ${employeeId}`;

/** A signed-in person. */
interface Person {
  readonly id: string;
  readonly name: string;
  readonly partnerId: string;
  readonly sessionId: string;
}

/** SQL condition: the person's session has not been ended. A passkey that was asked for before it ended is not added after. */
const isSignedIn = ({ sessionId }: Person) => sql`EXISTS (SELECT 1 FROM ${sessions} WHERE id = ${sessionId} AND ended_at IS NULL)`;

/** What a signed-in person's browser needs to make another passkey. */
export async function furtherPasskeyOptions(deps: PasskeyDeps, origin: string, person: Person) {
  const known = await listPasskeys(deps.directory, person.id);
  return registrationOptions(origin, person, known, await newChallenge(deps, addingFor(person.id)));
}

/**
 * Adds a passkey to a signed-in person. Null if the browser's answer is not valid, the passkey is known, or the session
 * has ended in between.
 */
export async function addPasskey(
  deps: PasskeyDeps,
  origin: string,
  person: Person,
  { response, label }: { readonly response: RegistrationResponseJSON; readonly label: string },
  actor: Actor,
): Promise<ListedPasskey | null> {
  const { directory, clock } = deps;
  const made = await readRegistration(origin, response, (challenge) => isOwnChallenge(deps, addingFor(person.id), challenge));
  if (made === null) return null;
  const now = clock.now();
  const entry = {
    actor,
    action: "passkey.add" as const,
    target: person.id,
    partnerId: person.partnerId,
    after: { passkey: shortId(made.id) },
  };
  try {
    const [inserted] = await directory.batch([
      insertPasskey(directory, { employeeId: person.id, label, now }, made, isSignedIn(person)),
      auditRow(directory, entry, now, isSignedIn(person)),
    ]);
    if (inserted.meta.changes === 0) return null;
  } catch (thrown) {
    if (violatedColumn(thrown) === "passkeys.id") return null;
    throw thrown;
  }
  return { id: made.id, label, transports: made.transports, createdAt: now, lastUsedAt: null };
}

/** Removes a passkey of a person, but never the last one, and ends the person's other sessions: the device may be lost. */
export async function removePasskey(
  { directory, clock }: PasskeyDeps,
  person: Person,
  id: string,
  actor: Actor,
): Promise<"removed" | "unknown" | "last"> {
  const isOwn = and(eq(passkeys.id, id), eq(passkeys.employeeId, person.id));
  const hasOther = sql`(SELECT count(*) FROM ${passkeys} WHERE employee_id = ${person.id}) > 1`;
  const entry = {
    actor,
    action: "passkey.remove" as const,
    target: person.id,
    partnerId: person.partnerId,
    after: { passkey: shortId(id) },
  };
  const isRemoved = sql`${hasOther} AND EXISTS (SELECT 1 FROM ${passkeys} WHERE ${isOwn})`;
  const now = clock.now();
  const [known, , , , , { meta }] = await directory.batch([
    directory.select({ id: passkeys.id }).from(passkeys).where(isOwn),
    auditRow(directory, entry, now, isRemoved),
    endSessionsOfPerson(directory, person.id, now, sql`${isRemoved} AND ${sessions.id} <> ${person.sessionId}`),
    endInvitationOf(directory, person.id, isRemoved),
    endInvitationsBy(directory, person.id, isRemoved),
    directory.delete(passkeys).where(and(isOwn, hasOther)),
  ]);
  if (known.length === 0) return "unknown";
  return meta.changes > 0 ? "removed" : "last";
}

const SIGN_IN = "sign in";

/** What a browser needs to sign in. */
export async function beginSignIn(deps: PasskeyDeps, origin: string) {
  return signInOptions(origin, await newChallenge(deps, SIGN_IN));
}

/**
 * Signs a person in with a passkey. Null for an unknown passkey, a signature that is not valid or was used before, and a
 * person or partner that is disabled; the answer does not say which. Three D1 round trips.
 * @throws ServiceFailure `rate_limited` above the sign-ins of a day.
 */
export async function signIn(
  deps: PasskeyDeps,
  origin: string,
  { response, browser, requestId }: { readonly response: AuthenticationResponseJSON; readonly browser: string; readonly requestId: string },
): Promise<StartedSession | null> {
  const { directory, clock } = deps;
  const row = await findPasskey(directory, response.id);
  if (row === undefined || row.employeeStatus !== "active" || row.partnerStatus !== "active") return null;
  const { id, employeeId, partnerId, publicKey, counter } = row;
  let challenge = "";
  const stored = { id, publicKey, counter, transports: [] };
  const verified = await readSignIn(origin, response, stored, async (given) => {
    challenge = given;
    return isOwnChallenge(deps, SIGN_IN, given);
  });
  if (verified === null) return null;
  // A replay starts no session, and uses up none of the day's.
  if (await isUsedChallenge(directory, challenge)) return null;
  await admit(deps, "signIn", employeeId);
  // Nothing of this may have changed since it was read: neither the passkey, nor its person.
  const isAsRead = and(eq(passkeys.id, id), eq(passkeys.counter, counter));
  return startSession(deps, { employeeId, partnerId, challenge, browser }, requestId, {
    onlyIf: sql`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${isAsRead}) AND ${isActivePerson(employeeId)}`,
    after: [directory.update(passkeys).set({ counter: verified.counter, lastUsedAt: clock.now() }).where(isAsRead)],
  });
}

/** A passkey with its person; undefined for an unknown one. */
export async function findPasskey(directory: Directory, id: string) {
  return directory
    .select({
      id: passkeys.id,
      employeeId: passkeys.employeeId,
      publicKey: passkeys.publicKey,
      counter: passkeys.counter,
      partnerId: employees.partnerId,
      employeeStatus: sql<string>`${employees.status}`.as("employee_status"),
      partnerStatus: sql<string>`${partners.status}`.as("partner_status"),
    })
    .from(passkeys)
    .innerJoin(employees, eq(employees.id, passkeys.employeeId))
    .innerJoin(partners, eq(partners.id, employees.partnerId))
    .where(eq(passkeys.id, id))
    .get();
}
