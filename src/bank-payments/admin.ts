import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { type CellCode, DIRECTORY } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import { earliestOf } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { type AllDatabases, askAllDatabases, askDatabase } from "../db/all-databases.ts";
import { type Cell, type Directory, type NamedCell, runBatch } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import type { PageKey } from "../db/page-key.ts";
import type { PullToCurrentCell } from "../db/pull-rows.ts";
import { isRefund, movementsOfOrder } from "./money.ts";
import { pullBankPayment } from "./pull.ts";
import { type RefreshDeps, type RefreshResult, refreshFromOrder } from "./refresh.ts";
import {
  clearProblem,
  countProblems,
  findByOrder,
  hasProblem,
  newestProblems,
  notificationsOfOrder,
  ordersNamed,
  partnerOfNotification,
} from "./store.ts";

/** Maximum number of rows shown. The count includes all rows. */
const PAGE_LIMIT = 50;

/**
 * Bank notifications that were not applied and wait for an operator. Any database may hold some: the order id of a
 * notification may name any cell, or no cell at all. One D1 round trip per database.
 */
export async function listBankProblems(deps: AllDatabases) {
  const found = await askAllDatabases(deps, (db) => db.batch([countProblems(db), newestProblems(db, undefined, PAGE_LIMIT)]));
  const count = found.reduce((sum, [[problems]]) => sum + (problems?.count ?? 0), 0);
  const oldest = earliestOf(found.map(([[problems]]) => problems?.oldest));
  const newest = found.flatMap(([, problems]) => problems).toSorted((left, right) => right.receivedAt - left.receivedAt);
  return { count, oldest, newest: newest.slice(0, PAGE_LIMIT) };
}

/**
 * One page of these notifications from each database, newest first within a database. The caller merges them. One D1
 * round trip per database.
 */
export async function pageOfBankProblems(deps: AllDatabases, before: PageKey | undefined, limit: number) {
  return (await askAllDatabases(deps, (db) => newestProblems(db, before, limit))).flat();
}

/** The dependencies of one cell. */
export type OrderCell = RefreshDeps & { readonly databaseName: CellCode };

/** How to find the data of an order id. */
export interface OrderDeps {
  /** Finds the cell that has the payment. */
  readonly findById: FindById<OrderCell>;
  /** The cell whose code stands in the order id. A move may have taken the payment elsewhere. */
  readonly inOriginalCellOf: (orderId: string) => { readonly db: Cell } | null;
}

/**
 * A payment, its bank notifications (oldest first) and the names of its booked refunds, by order id; null for an unknown order. At least two D1 round
 * trips.
 */
export async function getBankPayment(deps: OrderDeps & { readonly directory: Directory }, orderId: string) {
  const known = await deps.findById(orderId, ({ db }) => findByOrder(db, orderId));
  // A notification that arrived before its payment was stored is in the cell whose code stands in the
  // order id, or in the directory.
  const databases = new Set([known?.cell.db, deps.inOriginalCellOf(orderId)?.db, deps.directory].filter((db) => db !== undefined));
  const [booked, ...found] = await Promise.all([
    known === null ? [] : movementsOfOrder(known.cell.db, orderId),
    ...[...databases].map((db) => notificationsOfOrder(db, orderId, PAGE_LIMIT)),
  ]);
  const refunds = booked.filter(isRefund).map(({ name }) => name);
  const notifications = found.flat().toSorted((left, right) => left.receivedAt - right.receivedAt);
  return known === null && notifications.length === 0 ? null : { payment: known?.found ?? null, notifications, refunds };
}

/**
 * Manually refreshes an order from the bank. The audit entry records the attempt; {@link refreshFromOrder} stores the
 * result. Null for an unknown order.
 * @throws ServiceFailure from the bank.
 */
export async function refreshOrderManually(
  deps: OrderDeps & { readonly pullToCurrentCell: PullToCurrentCell<OrderCell> },
  orderId: string,
  actor: Actor,
): Promise<RefreshResult | null> {
  const known = await deps.findById(orderId, ({ db }) => findByOrder(db, orderId));
  if (known === null) return null;
  const { cell, found: payment } = await pullBankPayment(deps.pullToCurrentCell, known);
  const entry = { actor, action: "bank.refresh" as const, target: orderId };
  await runBatch(cell.db, [auditRow(cell.db, { ...entry, partnerId: payment.partnerId }, cell.clock.now())]);
  return refreshFromOrder(cell, payment);
}

/** Closes a notification that needs no more review. False if no open notification has this id. */
export async function dismissNotification(
  deps: AllDatabases & { readonly clock: Clock },
  { id, reason }: { readonly id: string; readonly reason: string },
  actor: Actor,
): Promise<boolean> {
  for (const databaseName of deps.databaseNames) {
    const { db } = deps.inDatabase(databaseName);
    // Only cells have payments. A notification in the directory belongs to no payment, so its partner is unknown.
    const partnerId = databaseName === DIRECTORY ? null : partnerOfNotification(id);
    const entry = { actor, action: "bank.dismiss" as const, target: id, partnerId, after: { reason } };
    const entryRow = auditRow(db, entry, deps.clock.now(), hasProblem(id));
    const [, closed] = await db.batch([entryRow, clearProblem(db, id)]);
    if (closed.length > 0) return true;
  }
  return false;
}

/** An order at the bank that a search text matches. */
interface NamedOrder {
  readonly id: string;
  /** Null if only a notification mentions the order. */
  readonly partnerId: string | null;
  readonly environment: Environment;
  readonly databaseName: CellCode | null;
}

/**
 * The orders that a search text matches: by our order id, the bank's payment id, the partner's order number or the
 * public id. If there is none, the order that only a
 * notification mentions. Skips a database that does not answer, and reports it.
 */
export async function findOrdersNamed(
  deps: AllDatabases & { readonly everyCell: () => readonly NamedCell[] },
  text: string,
): Promise<NamedOrder[]> {
  const found: NamedOrder[] = [];
  for (const { databaseName, db } of deps.everyCell()) {
    const orders = await askDatabase(deps, databaseName, () => ordersNamed(db, text));
    found.push(...(orders ?? []).map((order) => ({ ...order, databaseName })));
  }
  if (found.length > 0) return found;
  const [notification] = (await askAllDatabases(deps, (db) => notificationsOfOrder(db, text, 1))).flat();
  return notification === undefined ? [] : [{ id: text, partnerId: null, environment: notification.environment, databaseName: null }];
}
