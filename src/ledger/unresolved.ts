import type { SQL } from "drizzle-orm";
import type { AuditAction } from "../audit/actions.ts";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { DIRECTORY } from "../core/cell-code.ts";
import { type AllDatabases, askAllDatabases } from "../db/all-databases.ts";
import type { Directory } from "../db/client.ts";
import type { PageKey } from "../db/page-key.ts";
import { ownerOfSubscription } from "../subscriptions/store.ts";
import { type RefreshedObject, type RetryDeps, refreshObject } from "./admin.ts";
import { dismiss } from "./dismissals.ts";
import type { LedgerDeps } from "./look-up.ts";
import { ownerOfPayment, partnerOfPayment } from "./movements/store.ts";
import { deleteUnattributed, findUnattributed, isUnattributed, unattributedMovements } from "./movements/unattributed.ts";
import { nameOwner } from "./owners.ts";
import { type EndedState, hasEnded, newestEnded } from "./refreshes-store.ts";

/**
 * Movements without a partner that were not dismissed, newest first in each database. One D1 round trip per database.
 */
export async function listUnattributed(deps: AllDatabases, before: PageKey | undefined, limit: number) {
  return (await askAllDatabases(deps, (db) => unattributedMovements(db, before, limit))).flat();
}

/** Subjects that are parked or gone and were not dismissed, newest first in each database. One D1 round trip per database. */
export async function listParked(deps: AllDatabases, state: EndedState, before: PageKey | undefined, limit: number) {
  return (await askAllDatabases(deps, (db) => newestEnded(db, state, before, limit))).flat();
}

/** The reason of a dismissal, in the operator's words. */
interface Dismissed {
  readonly id: string;
  readonly reason: string;
}

/** Dismisses a movement without a partner. It stays in the ledger. False if there is no such movement. */
export async function dismissMovement(deps: RetryDeps, { id, reason }: Dismissed, actor: Actor): Promise<boolean> {
  return dismissWhere(deps, { id, reason }, actor, "movement.dismiss", isUnattributed(id));
}

/**
 * Dismisses a subject that is parked or gone. If the processor reports it again, it is tried again. False if there is none
 * with this id.
 */
export async function dismissParked(deps: RetryDeps, { id, reason }: Dismissed, actor: Actor): Promise<boolean> {
  return dismissWhere(deps, { id, reason }, actor, "parked.dismiss", hasEnded(id));
}

async function dismissWhere(deps: RetryDeps, { id, reason }: Dismissed, actor: Actor, action: AuditAction, waits: SQL): Promise<boolean> {
  const now = deps.clock.now();
  for (const { db } of deps.databaseNames.map((databaseName) => deps.inDatabase(databaseName))) {
    const change = { actor, action, target: id, partnerId: partnerOfPayment(id), after: { reason } };
    const entry = auditRow(db, change, now, waits);
    const [, dismissed] = await db.batch([entry, dismiss(db, id, now, waits)]);
    if (dismissed.length > 0) return true;
  }
  return false;
}

interface AssignDeps extends LedgerDeps, AllDatabases {
  readonly databaseName: typeof DIRECTORY;
  readonly inDatabase: LedgerDeps["inDatabase"];
  readonly db: Directory;
}

/**
 * The result of an assignment. `no_payment`: the movement belongs to no payment and no subscription, so it cannot have
 * an owner. `owned`: another movement of its payment, or its subscription, belongs to another partner.
 */
export type Assigned =
  | { readonly outcome: "unknown" | "no_payment" }
  | { readonly outcome: "owned"; readonly partnerId: string }
  | { readonly outcome: "assigned"; readonly found: readonly RefreshedObject[] };

/**
 * Sets the partner of a movement without one, and of all other movements of its payment and subscription, now and
 * later; then looks up the payment, which is recorded for the partner with its events. Evidence for an owner that does
 * not contradict itself takes precedence. @throws ServiceFailure as the processor does: the partner is set by then, and
 * the call may be repeated.
 */
export async function assignMovement(
  deps: AssignDeps,
  { id, partnerId, reason }: Dismissed & { readonly partnerId: string },
  actor: Actor,
): Promise<Assigned> {
  const [movement] = (await askAllDatabases(deps, (db) => findUnattributed(db, id))).flatMap((row) => row ?? []);
  if (movement === undefined) return { outcome: "unknown" };
  const { environment, paymentIntentId, subscriptionId } = movement;
  const subjects = [paymentIntentId, subscriptionId].flatMap((subject) => subject ?? []);
  const [subject] = subjects;
  if (subject === undefined) return { outcome: "no_payment" };
  const other = (await ownersOf(deps, paymentIntentId, subscriptionId)).find((owner) => owner !== partnerId);
  if (other !== undefined) return { outcome: "owned", partnerId: other };
  const now = deps.clock.now();
  const entry = { actor, action: "movement.assign" as const, target: id, partnerId, after: { partnerId, subjects, reason } };
  await deps.db.batch([auditRow(deps.db, entry, now), nameOwner(deps.db, subjects, partnerId, now)]);
  const found = (await refreshObject(deps, environment, subject, actor)) ?? [];
  // A subject that waited without an owner is done, because its owner's data is in another database.
  const ids = found.filter((one) => one.partnerId === partnerId).map((one) => one.id);
  await askAllDatabases(deps, (db) => deleteUnattributed(db, ids));
  return { outcome: "assigned", found };
}

/** The partners that already own a part of a payment or its subscription. One D1 round trip per database. */
async function ownersOf(deps: AllDatabases, paymentIntentId: string | null, subscriptionId: string | null): Promise<string[]> {
  const found = await askAllDatabases(deps, (db) =>
    db.batch([ownerOfPayment(db, paymentIntentId ?? ""), ownerOfSubscription(db, subscriptionId ?? "")]),
  );
  return found.flatMap(([payments, subscriptions]) => [...payments, ...subscriptions].flatMap(({ partnerId }) => partnerId ?? []));
}
