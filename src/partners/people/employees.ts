import { and, asc, eq, getTableColumns, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { parseJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { type Directory, type InDirectory, runBatch, type Statement, violatedColumn } from "../../db/client.ts";
import { apiKeyPermissions, apiKeys, employees, invitations, passkeys } from "../../db/schema/partners.ts";
import { isRight, type Right, rights } from "../permissions.ts";
import { endInvitationOf, endInvitationsBy, endSessionsOfPerson } from "./session-store.ts";

/** The stored rights of a person. */
export const rightsSchema = z.array(z.string());

/** A person of a partner. */
export interface Employee extends Omit<typeof employees.$inferSelect, "rights"> {
  readonly rights: readonly Right[];
  /** The number of the person's passkeys: without one, they cannot sign in. */
  readonly passkeys: number;
  /** Until when their invitation can be accepted; null without one. */
  readonly invitedUntil: number | null;
}

function selectEmployees(directory: Directory) {
  return directory
    .select({
      ...getTableColumns(employees),
      passkeys: sql<number>`(SELECT count(*) FROM ${passkeys} WHERE ${passkeys}.employee_id = ${employees}.id)`.as("passkeys"),
      invitedUntil: sql<number | null>`(SELECT expires_at FROM ${invitations} WHERE ${invitations}.employee_id = ${employees}.id)`.as(
        "invited_until",
      ),
    })
    .from(employees);
}

function employeeOf(row: Omit<Employee, "rights"> & { readonly rights: string }): Employee {
  return { ...row, rights: parseJson(rightsSchema, row.rights).filter(isRight) };
}

/** The people of a partner, in id order, after a given one. */
export async function listEmployees(directory: Directory, partnerId: string, after: string, limit: number): Promise<Employee[]> {
  const rows = await selectEmployees(directory)
    .where(and(eq(employees.partnerId, partnerId), gt(employees.id, after)))
    .orderBy(asc(employees.id))
    .limit(limit)
    .all();
  return rows.map(employeeOf);
}

/** Undefined for an unknown person. */
export async function findEmployee(directory: Directory, id: string): Promise<Employee | undefined> {
  const row = await selectEmployees(directory).where(eq(employees.id, id)).get();
  return row && employeeOf(row);
}

/** Rights in their order, each once, as they are stored. */
const stored = (wanted: readonly Right[]) => rights.filter((right) => wanted.includes(right));

/**
 * Adds a person to a partner, unless the id is taken, or the partner has as many active people as it may have. The person signs in after accepting an invitation.
 */
export async function createEmployee(
  { directory, clock }: InDirectory,
  wanted: Pick<Employee, "id" | "partnerId" | "name" | "rights" | "madeBy">,
  actor: Actor,
): Promise<Employee | "id_taken" | "no_room"> {
  const now = clock.now();
  const held = stored(wanted.rights);
  const row = { ...wanted, status: "active", rights: held, createdAt: now } as const;
  // The audit log holds no names of people: they would have to be erased there too.
  const entry = { actor, action: "employee.create" as const, target: row.id, partnerId: row.partnerId, after: { permissions: held } };
  try {
    const hasRoom = roomFor(row.partnerId);
    // Without room, the name is NULL, and the batch is rolled back.
    const name = sql`CASE WHEN ${hasRoom} THEN ${row.name} END`;
    const insert = directory.insert(employees).values({ ...row, name, rights: JSON.stringify(held) });
    await directory.batch([insert, auditRow(directory, entry, now)]);
  } catch (thrown) {
    if (violatedColumn(thrown) === "employees.id") return "id_taken";
    if (violatedColumn(thrown) === "employees.name") return "no_room";
    throw thrown;
  }
  return { ...row, passkeys: 0, invitedUntil: null };
}

/** SQL condition: the partner has fewer active people than it may have. */
function roomFor(partnerId: string): SQL {
  return sql`(SELECT count(*) FROM employees AS others WHERE others.partner_id = ${partnerId} AND others.status = 'active') < ${limits.live.people}`;
}

/** Whether a change may leave a partner without an owner: an operator may, an owner may not. */
type LastOwner = "may_go" | "stays";

/** Why a change was not made: the partner would have no owner who can sign in, or too many active people; or the person was just changed. */
export type NotChanged = "last_owner" | "changed_since" | "no_room";

/** SQL condition: the person in a table of this name is an active owner. */
const isOwner = (table: SQL) => sql`${table}.status = 'active' AND ${table}.rights LIKE '%"owner"%'`;

/**
 * SQL condition: the person is no active owner, or another one is who can sign in. It is asked in the batch of the change,
 * so of two owners who take each other's right at one moment, one stays.
 */
function leavesOwner({ id, partnerId }: Employee): SQL {
  const other = sql`EXISTS (SELECT 1 FROM employees AS other WHERE other.partner_id = ${partnerId} AND other.id <> ${id} AND ${isOwner(sql`other`)}
    AND EXISTS (SELECT 1 FROM passkeys WHERE passkeys.employee_id = other.id))`;
  return sql`(NOT EXISTS (SELECT 1 FROM employees AS self WHERE self.id = ${id} AND ${isOwner(sql`self`)}) OR ${other})`;
}

/** SQL condition: the person has the rights and the status that the caller has seen, and judged. */
const isAsSeen = ({ id, rights: seen, status }: Employee) =>
  and(eq(employees.id, id), eq(employees.rights, JSON.stringify(seen)), eq(employees.status, status));

/**
 * Replaces the rights of a person, from the next request on. An open invitation of the person ends: it was made for what the
 * person had then. Where a right is taken, those end that the person made.
 */
export async function setRights(
  { directory, clock }: InDirectory,
  employee: Employee,
  wanted: readonly Right[],
  actor: Actor,
  lastOwner: LastOwner,
): Promise<Employee | NotChanged> {
  const { id, partnerId } = employee;
  const held = stored(wanted);
  const text = JSON.stringify(held);
  const mayGo = held.includes("owner") || lastOwner === "may_go" ? undefined : leavesOwner(employee);
  const isOther = and(isAsSeen(employee), ne(employees.rights, text), mayGo);
  const entry = {
    actor,
    action: "employee.set_permissions" as const,
    target: id,
    partnerId,
    before: sql`(SELECT json_object('permissions', json(rights)) FROM ${employees} WHERE id = ${id})`,
    after: { permissions: held },
  };
  const isChanged = sql`EXISTS (SELECT 1 FROM ${employees} WHERE ${isOther})`;
  const statements = [
    auditRow(directory, entry, clock.now(), isChanged),
    endInvitationOf(directory, id, isChanged),
    ...(employee.rights.every((right) => held.includes(right)) ? [] : [endInvitationsBy(directory, id, isChanged)]),
    directory.update(employees).set({ rights: text }).where(isOther),
  ];
  return change(directory, employee, statements, (after) => JSON.stringify(after.rights) === text);
}

/**
 * Enables or disables a person, with their keys, from the next request on. Disabling ends their sessions, their
 * invitation, and those that they made.
 */
export async function setEmployeeStatus(
  { directory, clock }: InDirectory,
  employee: Employee,
  status: Employee["status"],
  actor: Actor,
  lastOwner: LastOwner,
): Promise<Employee | NotChanged> {
  const { id, partnerId } = employee;
  const may = lastOwner === "may_go" ? undefined : leavesOwner(employee);
  const mayGo = status === "active" ? roomFor(partnerId) : may;
  const isOther = and(isAsSeen(employee), ne(employees.status, status), mayGo);
  const entry = {
    actor,
    action: `employee.${status === "active" ? "enable" : "disable"}` as const,
    target: id,
    partnerId,
    before: sql`(SELECT json_object('status', status) FROM ${employees} WHERE id = ${id})`,
    after: { status },
  };
  const now = clock.now();
  const isDisabled = sql`(SELECT status FROM ${employees} WHERE id = ${id}) = 'disabled'`;
  const statements = [
    auditRow(directory, entry, now, sql`EXISTS (SELECT 1 FROM ${employees} WHERE ${isOther})`),
    directory.update(employees).set({ status }).where(isOther),
    endInvitationOf(directory, id, isDisabled),
    endInvitationsBy(directory, id, isDisabled),
    endSessionsOfPerson(directory, id, now, isDisabled),
  ];
  const outcome = await change(directory, employee, statements, (after) => after.status === status);
  return status === "active" && outcome === "last_owner" ? "no_room" : outcome;
}

/** Runs a guarded change, and returns the person after it. */
async function change(
  directory: Directory,
  before: Employee,
  statements: readonly Statement[],
  isDone: (after: Employee) => boolean,
): Promise<Employee | NotChanged> {
  await runBatch(directory, statements);
  const after = await findEmployee(directory, before.id);
  if (after !== undefined && isDone(after)) return after;
  const isSame = after?.status === before.status && JSON.stringify(after.rights) === JSON.stringify(before.rights);
  return isSame ? "last_owner" : "changed_since";
}

/** The rights that the working keys of a person have. */
export async function rightsOfKeys(directory: Directory, { id, partnerId }: Pick<Employee, "id" | "partnerId">): Promise<Right[]> {
  const rows = await directory
    .selectDistinct({ permission: apiKeyPermissions.permission })
    .from(apiKeys)
    .innerJoin(apiKeyPermissions, eq(apiKeyPermissions.keyHash, apiKeys.keyHash))
    .where(and(eq(apiKeys.partnerId, partnerId), eq(apiKeys.employeeId, id), isNull(apiKeys.revokedAt)))
    .all();
  return rows.map(({ permission }) => permission).filter(isRight);
}
