import { recordChange } from "../audit/audit-log.ts";
import { type Database, writeTogether } from "../db/client.ts";
import { type Looked, type LookTools, lookAtWholeOrder } from "./look.ts";
import { clearProblem, countProblems, findByOrder, hasProblem, newestProblems, notificationsOfOrder, paymentsOfOrder } from "./store.ts";

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
 * Asks the bank what it holds for an order, by a person's wish, and records it. Null for an unknown order.
 * @throws ServiceFailure as the bank's.
 */
export async function lookAtOrder(tools: LookTools, orderId: string, actor: string): Promise<Looked | null> {
  const payment = await findByOrder(tools.db, orderId);
  if (payment === undefined) return null;
  await writeTogether(tools.db, [recordChange(tools.db, { actor, action: "bank.look", target: orderId }, tools.clock.now())]);
  return lookAtWholeOrder(tools, payment);
}

/** Closes what the bank told and nobody needs to look into any more. False where nothing of that id is open. */
export async function dismissNotification(tools: Pick<LookTools, "db" | "clock">, id: string, actor: string): Promise<boolean> {
  const { db, clock } = tools;
  const change = recordChange(db, { actor, action: "bank.dismiss", target: id }, clock.now(), hasProblem(id));
  const [, closed] = await db.batch([change, clearProblem(db, id)]);
  return closed.length > 0;
}
