import { and, asc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { type CellCode, newIdCode } from "../../core/cell-code.ts";
import type { Clock } from "../../core/clock.ts";
import { UTC } from "../../core/time-zone.ts";
import { type Directory, inList, violatedColumn } from "../../db/client.ts";
import { partners } from "../../db/schema/partners.ts";
import { endSessionsOfPartner } from "../people/session-store.ts";
import type { Permission } from "../permissions.ts";

export type PartnerRow = typeof partners.$inferSelect;
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
    timeZone: UTC,
    expiredCheckouts: false,
    createdAt: now,
  };
  const entry = { actor, action: "partner.create" as const, target: id, partnerId: id, after: { name, cell } };
  try {
    await directory.batch([directory.insert(partners).values(row), auditRow(directory, entry, now)]);
  } catch (thrown) {
    if (violatedColumn(thrown) === "partners.id") return null;
    throw thrown;
  }
  return row;
}

/**
 * Enables or disables a partner, with all its keys, from the next request on. Disabling ends the sessions of its people.
 * Undefined for an unknown partner.
 */
export async function setPartnerStatus(
  { directory, clock }: PartnerAdminDeps,
  id: string,
  status: Status,
  actor: Actor,
): Promise<PartnerRow | undefined> {
  const isOther = and(eq(partners.id, id), ne(partners.status, status));
  const entry = {
    actor,
    action: `partner.${status === "active" ? "enable" : "disable"}` as const,
    target: id,
    partnerId: id,
    before: sql`(SELECT json_object('status', status) FROM ${partners} WHERE id = ${id})`,
    after: { status },
  };
  const now = clock.now();
  await directory.batch([
    auditRow(directory, entry, now, sql`EXISTS (SELECT 1 FROM ${partners} WHERE ${isOther})`),
    directory.update(partners).set({ status }).where(isOther),
    ...(status === "disabled" ? [endSessionsOfPartner(directory, id, now)] : []),
  ]);
  return findPartner(directory, id);
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
  if ("name" in change) return { column: partners.name, value: change.name, action: "partner.rename" } as const;
  if ("contact" in change) return { column: partners.contact, value: change.contact, action: "partner.set_contact" } as const;
  return { column: partners.cancelPermission, value: change.cancelPermission, action: "partner.set_cancel_permission" } as const;
}
