import type { NamedCell } from "../db/client.ts";
import type { FoundRow } from "../db/find-row.ts";
import type { PullToCurrentCell } from "../db/pull-rows.ts";
import type { BankPayment } from "./store.ts";

/** Moves a payment and its order to their partner's current cell, where they may be changed. */
export async function pullBankPayment<Own>(
  pull: PullToCurrentCell<Own>,
  known: FoundRow<NamedCell, BankPayment>,
): Promise<FoundRow<Own, BankPayment>> {
  await pull("orders", known.found.orderId, known);
  return pull("bank_payments", String(known.found.id), known);
}
