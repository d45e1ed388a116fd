import { and, asc, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { parseJson } from "../../core/json.ts";
import { type Directory, runBatch, type Statement, violatedColumn } from "../../db/client.ts";
import { employees, invitations, passkeys } from "../../db/schema/partners.ts";
import { isRight, type Right, rights } from "../permissions.ts";
import { endSessionsOfPerson } from "./session-store.ts";

interface PeopleDeps {
  readonly directory: Directory;
  readonly clock: Clock;
}

/** The stored rights of a person. */
export const rightsSchema = z.array(z.string());

/** A person of a partner. */
export interface Employee {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly status: "active" | "disabled";
  readonly rights: readonly Right[];
  readonly createdAt: number;
  /** The number of the person's passkeys: without one, they cannot sign in. */
  readonly passkeys: number;
  /** Until when their invitation can be accepted; null without one. */
  readonly invitedUntil: number | null;
}

function selectEmployees(directory: Directory) {
  const { id, partnerId, name, status, rights: held, createdAt } = employees;
  return directory
    .select({
      id,
      partnerId,
      name,
      status,
      rights: held,
      createdAt,
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

/** Adds a person to a partner. Null if the id is taken. The person signs in after accepting an invitation. */
export async function createEmployee(
  { directory, clock }: PeopleDeps,
  wanted: Pick<Employee, "id" | "partnerId" | "name" | "rights">,
  actor: Actor,
): Promise<Employee | null> {
  const now = clock.now();
  const held = stored(wanted.rights);
  const row = { ...wanted, status: "active", rights: held, createdAt: now } as const;
  // The audit log holds no names of people: they would have to be erased there too.
  const entry = { actor, action: "employee.create", target: row.id, partnerId: row.partnerId, after: { permissions: held } };
  try {
    await directory.batch([directory.insert(employees).values({ ...row, rights: JSON.stringify(held) }), auditRow(directory, entry, now)]);
  } catch (thrown) {
    if (violatedColumn(thrown) === "employees.id") return null;
    throw thrown;
  }
  return { ...row, passkeys: 0, invitedUntil: null };
}

/** SQL condition: another active person of the partner is an owner. */
function hasOtherOwner({ id, partnerId }: Pick<Employee, "id" | "partnerId">): SQL {
  return sql`EXISTS (SELECT 1 FROM employees AS other WHERE other.partner_id = ${partnerId} AND other.id <> ${id} AND other.status = 'active' AND other.rights LIKE '%"owner"%')`;
}

/** Whether a change may leave a partner without an owner: an operator may, an owner may not. */
type LastOwner = "may_go" | "stays";

/** SQL condition: the change leaves an owner, or need not. */
function leavesOwner(employee: Employee, lastOwner: LastOwner): SQL {
  return lastOwner === "may_go" || !employee.rights.includes("owner") || employee.status === "disabled"
    ? sql`TRUE`
    : hasOtherOwner(employee);
}

/**
 * Replaces the rights of a person, from the next request on. `last_owner`: the partner would be left without an owner,
 * and nothing was changed.
 */
export async function setRights(
  { directory, clock }: PeopleDeps,
  employee: Employee,
  wanted: readonly Right[],
  actor: Actor,
  lastOwner: LastOwner,
): Promise<Employee | "last_owner"> {
  const held = stored(wanted);
  const text = JSON.stringify(held);
  const isOther = and(
    eq(employees.id, employee.id),
    ne(employees.rights, text),
    held.includes("owner") ? undefined : leavesOwner(employee, lastOwner),
  );
  const entry = {
    actor,
    action: "employee.set_permissions",
    target: employee.id,
    partnerId: employee.partnerId,
    before: sql`(SELECT json_object('permissions', json(rights)) FROM ${employees} WHERE id = ${employee.id})`,
    after: { permissions: held },
  };
  const statements = [
    auditRow(directory, entry, clock.now(), sql`EXISTS (SELECT 1 FROM ${employees} WHERE ${isOther})`),
    directory.update(employees).set({ rights: text }).where(isOther),
  ];
  return change(directory, employee, statements, (after) => JSON.stringify(after?.rights) === text);
}

/**
 * Enables or disables a person, with their keys, from the next request on. Disabling ends their sessions and their
 * invitation. `last_owner`: the partner would be left without an owner, and nothing was changed.
 */
export async function setEmployeeStatus(
  { directory, clock }: PeopleDeps,
  employee: Employee,
  status: Employee["status"],
  actor: Actor,
  lastOwner: LastOwner,
): Promise<Employee | "last_owner"> {
  const { id, partnerId } = employee;
  const isOther = and(
    eq(employees.id, id),
    ne(employees.status, status),
    status === "active" ? undefined : leavesOwner(employee, lastOwner),
  );
  const entry = {
    actor,
    action: `employee.${status === "active" ? "enable" : "disable"}`,
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
    directory.delete(invitations).where(and(eq(invitations.employeeId, id), isDisabled)),
    endSessionsOfPerson(directory, id, now, isDisabled),
  ];
  return change(directory, employee, statements, (after) => after?.status === status);
}

/** Runs a guarded change, and returns the person after it. */
async function change(
  directory: Directory,
  { id }: Employee,
  statements: readonly Statement[],
  isDone: (after: Employee | undefined) => boolean,
): Promise<Employee | "last_owner"> {
  await runBatch(directory, statements);
  const after = await findEmployee(directory, id);
  return after !== undefined && isDone(after) ? after : "last_owner";
}
