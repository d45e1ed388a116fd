import { recordChange } from "../audit/audit-log.ts";
import { type Database, writeTogether } from "../db/client.ts";
import { type LookTools, lookAtBankPayment } from "./look.ts";
import { countProblems, findByOrder, newestProblems, notificationsOfOrder, paymentsOfOrder } from "./store.ts";

/** So many rows are shown; the count is whole. */
const MOST_SHOWN = 50;

/** What the bank told that changed nothing, and so waits for a person. One D1 round trip. */
export async function overseeBank({ db }: { readonly db: Database }) {
  const [[problems], newest] = await db.batch([countProblems(db), newestProblems(db, MOST_SHOWN)]);
  return { count: problems?.count ?? 0, newest };
}

/** A payment by its order's id and what the bank told of it, oldest first; null for an unknown order. One D1 round trip. */
export async function showBankPayment({ db }: { readonly db: Database }, orderId: string) {
  const [[payment], notifications] = await db.batch([paymentsOfOrder(db, orderId), notificationsOfOrder(db, orderId, MOST_SHOWN)]);
  return payment === undefined && notifications.length === 0 ? null : { payment: payment ?? null, notifications };
}

/**
 * Asks the bank how a payment is, by a person's wish, and records it. False for an unknown order.
 * @throws ServiceFailure as the bank's.
 */
export async function lookAtOrder(tools: LookTools, orderId: string, actor: string): Promise<boolean> {
  const payment = await findByOrder(tools.db, orderId);
  if (payment === undefined) return false;
  await writeTogether(tools.db, [recordChange(tools.db, { actor, action: "bank.look", target: orderId }, tools.clock.now())]);
  await lookAtBankPayment(tools, payment);
  return true;
}
