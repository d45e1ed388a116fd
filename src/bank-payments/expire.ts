import { and, isNull, lt } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { bankNotifications } from "../db/schema/bank.ts";
import { walkRows } from "../db/walk.ts";

/** Deletes notifications that arrived before a time (Unix milliseconds) and do not wait for an operator. One step. */
export function expireBankNotifications(db: Database, before: number) {
  const { id, problem, receivedAt } = bankNotifications;
  return walkRows(db, { name: "bank_notifications", table: bankNotifications, key: id }, (range) =>
    db.delete(bankNotifications).where(and(range, lt(receivedAt, before), isNull(problem))),
  );
}
