import { and, asc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { type CellCode, newIdCode } from "../../core/cell-code.ts";
import type { Clock } from "../../core/clock.ts";
import { type Directory, inList, violatedColumn } from "../../db/client.ts";
import { employees, partners } from "../../db/schema/partners.ts";
import type { Permission } from "../permissions.ts";

export type PartnerRow = typeof partners.$inferSelect;
export type EmployeeRow = typeof employees.$inferSelect;
export type Status = PartnerRow["status"];

export interface PartnerAdminDeps {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly cells: readonly CellCode[];
}

/** Partners in id order, after a given one. */
export async function listPartners(directory: Directory, after: string, limit: number): Promise<PartnerRow[]> {
  return directory.select().from(partners).where(gt(partners.id, after)).orderBy(asc(partners.id)).limit(limit).all();
}

/** Undefined for an unknown partner. */
export async function findPartner(directory: Directory, id: string): Promise<PartnerRow | undefined> {
  return directory.select().from(partners).where(eq(partners.id, id)).get();
}

/** The contacts of these partners; no entry for a partner without one. */
export async function contactsOf(directory: Directory, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { id, contact } = partners;
  const rows = await directory
    .select({ id, contact })
    .from(partners)
    .where(inArray(id, inList([...new Set(ids)])))
    .all();
  return new Map(rows.flatMap((row) => (row.contact === null ? [] : [[row.id, row.contact]])));
}

/** Maximum number of partners that a search by name returns. */
const MAX_NAMED = 10;

/** The ids of partners whose name contains this text, ignoring case. Reads the names of all partners. */
export async function findPartnersNamed(directory: Directory, text: string): Promise<string[]> {
  if (text.length < 3) return [];
  const all = await directory.select({ id: partners.id, name: partners.name }).from(partners).orderBy(asc(partners.id)).all();
  // SQLite only lowercases ASCII letters.
  const named = all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return named.slice(0, MAX_NAMED).map(({ id }) => id);
}

/** Creates a partner in a cell. Null if the id is taken. The partner can do nothing until it has a key. */
export async function createPartner(
  { directory, clock }: PartnerAdminDeps,
  { id, name, cell }: { readonly id: string; readonly name: string; readonly cell: CellCode },
  actor: Actor,
): Promise<PartnerRow | null> {
  const now = clock.now();
  const row: PartnerRow = {
    id,
    name,
    status: "active",
    cell,
    idCode: newIdCode(cell),
    cancelPermission: null,
    contact: null,
    createdAt: now,
  };
  const entry = { actor, action: "partner.create", target: id, partnerId: id, after: { name, cell } };
  try {
    await directory.batch([directory.insert(partners).values(row), auditRow(directory, entry, now)]);
  } catch (thrown) {
    if (violatedColumn(thrown) === "partners.id") return null;
    throw thrown;
  }
  return row;
}

/** Enables or disables a partner, with all its keys, from the next request on. Undefined for an unknown partner. */
export async function setPartnerStatus(deps: PartnerAdminDeps, id: string, status: Status, actor: Actor): Promise<PartnerRow | undefined> {
  await setStatus(deps, partners, { kind: "partner", id, partnerId: id }, status, actor);
  return findPartner(deps.directory, id);
}

/**
 * The fields of a partner that can be changed at any time. `cancelPermission` is the permission that its keys need to
 * cancel a subscription; null: none.
 */
export type PartnerChange =
  | { readonly name: string }
  | { readonly cancelPermission: Permission | null }
  | { readonly contact: string | null };

/** Changes a partner, with its audit row; does nothing if nothing differs. Undefined for an unknown partner. */
export async function changePartner(
  { directory, clock }: PartnerAdminDeps,
  id: string,
  change: PartnerChange,
  actor: Actor,
): Promise<PartnerRow | undefined> {
  const { column, value, action } = changedColumn(change);
  const entry = {
    actor,
    action,
    target: id,
    partnerId: id,
    // The audit log holds no addresses: they would have to be erased there too.
    ...("contact" in change
      ? {}
      : {
          before: sql`(SELECT json_object(${column.name}, ${column}) FROM ${partners} WHERE ${eq(partners.id, id)})`,
          after: { [column.name]: value },
        }),
  };
  const isOther = and(eq(partners.id, id), sql`${column} IS NOT ${value}`);
  await directory.batch([
    auditRow(directory, entry, clock.now(), sql`EXISTS (SELECT 1 FROM ${partners} WHERE ${isOther})`),
    directory.update(partners).set(change).where(isOther),
  ]);
  return findPartner(directory, id);
}

function changedColumn(change: PartnerChange) {
  if ("name" in change) return { column: partners.name, value: change.name, action: "partner.rename" };
  if ("contact" in change) return { column: partners.contact, value: change.contact, action: "partner.set_contact" };
  return { column: partners.cancelPermission, value: change.cancelPermission, action: "partner.set_cancel_permission" };
}

/** Changes the status with its audit row, unless it is the current one. */
async function setStatus(
  { directory, clock }: PartnerAdminDeps,
  table: typeof partners | typeof employees,
  { kind, id, partnerId }: { readonly kind: "partner" | "employee"; readonly id: string; readonly partnerId: string },
  status: Status,
  actor: Actor,
): Promise<void> {
  const isOther = and(eq(table.id, id), ne(table.status, status));
  const entry = {
    actor,
    action: `${kind}.${status === "active" ? "enable" : "disable"}`,
    target: id,
    partnerId,
    before: sql`(SELECT json_object('status', status) FROM ${table} WHERE id = ${id})`,
    after: { status },
  };
  const isChanged = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isOther})`;
  await directory.batch([auditRow(directory, entry, clock.now(), isChanged), directory.update(table).set({ status }).where(isOther)]);
}

/** The people of a partner, in id order, after a given one. */
export async function listEmployees(directory: Directory, partnerId: string, after: string, limit: number): Promise<EmployeeRow[]> {
  return directory
    .select()
    .from(employees)
    .where(and(eq(employees.partnerId, partnerId), gt(employees.id, after)))
    .orderBy(asc(employees.id))
    .limit(limit)
    .all();
}

/** Undefined for an unknown person. */
export async function findEmployee(directory: Directory, id: string): Promise<EmployeeRow | undefined> {
  return directory.select().from(employees).where(eq(employees.id, id)).get();
}

/** Adds a person to a partner. Null if the id is taken. */
export async function createEmployee(
  { directory, clock }: PartnerAdminDeps,
  { id, partnerId, name }: { readonly id: string; readonly partnerId: string; readonly name: string },
  actor: Actor,
): Promise<EmployeeRow | null> {
  const now = clock.now();
  const row: EmployeeRow = { id, partnerId, name, status: "active", createdAt: now };
  // The audit log holds no names of people: they would have to be erased there too.
  const entry = { actor, action: "employee.create", target: id, partnerId };
  try {
    await directory.batch([directory.insert(employees).values(row), auditRow(directory, entry, now)]);
  } catch (thrown) {
    if (violatedColumn(thrown) === "employees.id") return null;
    throw thrown;
  }
  return row;
}

/** Enables or disables a person, with their keys, from the next request on. Undefined for an unknown person. */
export async function setEmployeeStatus(
  deps: PartnerAdminDeps,
  id: string,
  status: Status,
  actor: Actor,
): Promise<EmployeeRow | undefined> {
  const found = await findEmployee(deps.directory, id);
  if (found === undefined) return undefined;
  await setStatus(deps, employees, { kind: "employee", id, partnerId: found.partnerId }, status, actor);
  return findEmployee(deps.directory, id);
}
