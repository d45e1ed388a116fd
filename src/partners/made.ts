import { and, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { Actor } from "../core/actor.ts";
import { type InDirectory, inList } from "../db/client.ts";
import { apiKeys, employees } from "../db/schema/partners.ts";
import { findListedKey, revokeKey, setPermissions } from "./admin/keys.ts";
import { findEmployee, setEmployeeStatus, setRights } from "./people/employees.ts";
import { type Right, rightsBeyond } from "./permissions.ts";

/** The ids of keys and people. */
export interface Made {
  readonly keys: readonly string[];
  readonly people: readonly string[];
}

/**
 * What a person or a key has made that still works, and what that has made in turn: valid keys, and people who are not disabled. A
 * stolen key or session may have made them, and they outlive it. `asker`, and what the asker made, is left out: otherwise an owner who
 * ends what a thief made would end themselves, and the thief's owner would stay. One D1 round trip for each generation.
 */
export async function madeBy({ directory, clock }: InDirectory, maker: string, asker: string | null): Promise<Made> {
  const now = clock.now();
  const seen = new Set([maker, ...(asker === null ? [] : [asker])]);
  const [keys, people]: [string[], string[]] = [[], []];
  for (let makers = [maker]; makers.length > 0; ) {
    const of = inList(makers);
    const { id, revokedAt, expiresAt } = apiKeys;
    // By the index of makers. A maker and what it makes are of one partner.
    const [madeKeys, madePeople] = await directory.batch([
      directory.select({ id, revokedAt, expiresAt }).from(apiKeys).where(inArray(apiKeys.madeBy, of)),
      directory.select({ id: employees.id, status: employees.status }).from(employees).where(inArray(employees.madeBy, of)),
    ]);
    const isValid = (key: (typeof madeKeys)[number]) => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
    keys.push(...madeKeys.filter((key) => key.id !== asker && isValid(key)).map((key) => key.id));
    people.push(...madePeople.filter((person) => person.id !== asker && person.status === "active").map((person) => person.id));
    makers = [...madeKeys, ...madePeople].map((one) => one.id).filter((one) => !seen.has(one));
    for (const one of makers) seen.add(one);
  }
  return { keys: keys.toSorted(), people: people.toSorted() };
}

/** The valid keys that belong to a person, also those that others made. One D1 round trip. */
export async function keysOfPerson({ directory, clock }: InDirectory, personId: string): Promise<string[]> {
  const { id, employeeId, revokedAt, expiresAt } = apiKeys;
  const isValid = and(isNull(revokedAt), or(isNull(expiresAt), gt(expiresAt, clock.now())));
  const rows = await directory
    .select({ id })
    .from(apiKeys)
    .where(and(eq(employeeId, personId), isValid))
    .all();
  return rows.map((row) => row.id);
}

/** Revokes the keys and disables the people. Each is a change of its own in the audit log. The last owner of a partner stays. */
export async function endMade(deps: InDirectory, { keys, people }: Made, actor: Actor): Promise<void> {
  for (const id of keys) await revokeKey(deps, id, actor);
  for (const id of people) {
    const person = await findEmployee(deps.directory, id);
    if (person !== undefined) await setEmployeeStatus(deps, person, "disabled", actor, "stays");
  }
}

/** Those of the keys and people that have a right which their maker no longer has. */
export async function madeBeyond({ directory }: InDirectory, { keys, people }: Made, left: readonly Right[]): Promise<Made> {
  const own = new Set(left);
  const isBeyond = (held: readonly Right[] | undefined) => held !== undefined && rightsBeyond(own, held).length > 0;
  const [beyondKeys, beyondPeople]: [string[], string[]] = [[], []];
  for (const id of keys) if (isBeyond((await findListedKey(directory, id))?.permissions)) beyondKeys.push(id);
  for (const id of people) if (isBeyond((await findEmployee(directory, id))?.rights)) beyondPeople.push(id);
  return { keys: beyondKeys, people: beyondPeople };
}

/** Takes from the keys and people the rights that their maker no longer has. */
export async function narrowMade(deps: InDirectory, { keys, people }: Made, left: readonly Right[], actor: Actor): Promise<void> {
  const { directory } = deps;
  const kept = (held: readonly Right[]) => held.filter((right) => left.includes(right));
  for (const id of keys) {
    const key = await findListedKey(directory, id);
    // A key that was changed in the meantime keeps that change, and is named as left.
    if (key !== undefined) await setPermissions(deps, id, kept(key.permissions), actor, key.permissions);
  }
  for (const id of people) {
    const person = await findEmployee(directory, id);
    if (person !== undefined) await setRights(deps, person, kept(person.rights), actor, "stays");
  }
}
