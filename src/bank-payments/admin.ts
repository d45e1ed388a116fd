import { auditRow } from "../audit/audit-log.ts";
import { type Database, runBatch } from "../db/client.ts";
import { type RefreshDeps, type RefreshResult, refreshFromOrder } from "./refresh.ts";
import { clearProblem, countProblems, findByOrder, hasProblem, newestProblems, notificationsOfOrder, paymentsOfOrder } from "./store.ts";

/** Maximum number of rows shown. The count includes all rows. */
const PAGE_LIMIT = 50;

/** Bank notifications that were not applied and wait for an operator. One D1 round trip. */
export async function listBankProblems({ db }: { readonly db: Database }) {
  const [[problems], newest] = await db.batch([countProblems(db), newestProblems(db, PAGE_LIMIT)]);
  return { count: problems?.count ?? 0, newest };
}

/** A payment and its bank notifications (oldest first) by order id; null for an unknown order. One D1 round trip. */
export async function getBankPayment({ db }: { readonly db: Database }, orderId: string) {
  const [[payment], notifications] = await db.batch([paymentsOfOrder(db, orderId), notificationsOfOrder(db, orderId, PAGE_LIMIT)]);
  return payment === undefined && notifications.length === 0 ? null : { payment: payment ?? null, notifications };
}

/**
 * Manually refreshes an order from the bank and records the result, with an audit log entry. Null for an unknown order.
 * @throws ServiceFailure from the bank.
 */
export async function refreshOrderManually(deps: RefreshDeps, orderId: string, actor: string): Promise<RefreshResult | null> {
  const payment = await findByOrder(deps.db, orderId);
  if (payment === undefined) return null;
  await runBatch(deps.db, [auditRow(deps.db, { actor, action: "bank.refresh", target: orderId }, deps.clock.now())]);
  return refreshFromOrder(deps, payment);
}

/** Closes a notification that needs no more review. False if no open notification has this id. */
export async function dismissNotification(deps: Pick<RefreshDeps, "db" | "clock">, id: string, actor: string): Promise<boolean> {
  const { db, clock } = deps;
  const change = auditRow(db, { actor, action: "bank.dismiss", target: id }, clock.now(), hasProblem(id));
  const [, closed] = await db.batch([change, clearProblem(db, id)]);
  return closed.length > 0;
}
