import { auditRow } from "../audit/audit-log.ts";
import type { Place } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import { type Database, type Directory, runBatch } from "../db/client.ts";
import { type RefreshDeps, type RefreshResult, refreshFromOrder } from "./refresh.ts";
import { clearProblem, countProblems, findByOrder, hasProblem, newestProblems, notificationsOfOrder, paymentsOfOrder } from "./store.ts";

/** Maximum number of rows shown. The count includes all rows. */
const PAGE_LIMIT = 50;

/** A notification may be in any place: its order id may name a cell, or not even be ours. */
interface EverywhereDeps {
  readonly places: readonly Place[];
  readonly inPlace: (place: Place) => { readonly db: Database };
}

/** Bank notifications that were not applied and wait for an operator. One D1 round trip for each place. */
export async function listBankProblems({ places, inPlace }: EverywhereDeps) {
  const found = await Promise.all(
    places.map((place) => {
      const { db } = inPlace(place);
      return db.batch([countProblems(db), newestProblems(db, PAGE_LIMIT)]);
    }),
  );
  const count = found.reduce((sum, [[problems]]) => sum + (problems?.count ?? 0), 0);
  const newest = found.flatMap(([, problems]) => problems).toSorted((left, right) => right.receivedAt - left.receivedAt);
  return { count, newest: newest.slice(0, PAGE_LIMIT) };
}

/** A payment and its bank notifications (oldest first) by order id; null for an unknown order. One D1 round trip. */
export async function getBankPayment(deps: OrderDeps & { readonly directory: Directory }, orderId: string) {
  const cell = deps.inCellOf(orderId);
  const db = cell?.db ?? deps.directory;
  const notifications = notificationsOfOrder(db, orderId, PAGE_LIMIT);
  const [[payment], found] =
    cell === null ? [[], await notifications] : await cell.db.batch([paymentsOfOrder(cell.db, orderId), notifications]);
  return payment === undefined && found.length === 0 ? null : { payment: payment ?? null, notifications: found };
}

/** The order id says which cell has the payment. */
interface OrderDeps {
  readonly inCellOf: (orderId: string) => RefreshDeps | null;
}

/**
 * Manually refreshes an order from the bank and records the result, with an audit log entry. Null for an unknown order.
 * @throws ServiceFailure from the bank.
 */
export async function refreshOrderManually(deps: OrderDeps, orderId: string, actor: string): Promise<RefreshResult | null> {
  const cell = deps.inCellOf(orderId);
  const payment = cell === null ? undefined : await findByOrder(cell.db, orderId);
  if (cell === null || payment === undefined) return null;
  await runBatch(cell.db, [auditRow(cell.db, { actor, action: "bank.refresh", target: orderId }, cell.clock.now())]);
  return refreshFromOrder(cell, payment);
}

/** Closes a notification that needs no more review. False if no open notification has this id. */
export async function dismissNotification(deps: EverywhereDeps & { readonly clock: Clock }, id: string, actor: string): Promise<boolean> {
  for (const place of deps.places) {
    const { db } = deps.inPlace(place);
    const change = auditRow(db, { actor, action: "bank.dismiss", target: id }, deps.clock.now(), hasProblem(id));
    const [, closed] = await db.batch([change, clearProblem(db, id)]);
    if (closed.length > 0) return true;
  }
  return false;
}
