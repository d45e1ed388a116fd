import type { Bank } from "../bank/port.ts";
import { CallBudget } from "../core/call-budget.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Cell, NamedCell } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import type { PullToCurrentCell } from "../db/pull-rows.ts";
import { isPayable } from "./payable.ts";
import { findByOrder, storeLateLink } from "./store.ts";

/** The time for the bank's answer, in milliseconds. The payment can be paid without the link. */
const BUDGET = 6 * SECOND;

export interface LateLinkDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly findById: FindById<NamedCell>;
  readonly pullToCurrentCell: PullToCurrentCell<{ readonly db: Cell }>;
  bank(environment: Environment, terminal: string): Bank;
}

/**
 * The fast-payment link of a payment for which the bank did not answer when the payment was opened: a repeat asks again. The
 * payment's row keeps the link, because the record of the request no longer changes. Null if the bank has none, does not
 * answer, or the payment cannot be paid any more. No failure of it is the request's.
 */
export async function lateFastPaymentLink(deps: LateLinkDeps, recordId: string, orderId: string): Promise<string | null> {
  try {
    const known = await deps.findById(recordId, ({ db }) => findByOrder(db, orderId));
    if (known === null) return null;
    const { found: payment } = known;
    if (payment.sbpUrl !== null || !isPayable(payment, deps.clock.now())) return payment.sbpUrl;
    const bank = deps.bank(payment.environment, payment.terminal);
    const link = await bank.fastPaymentLink(payment.bankPaymentId, { budget: new CallBudget(deps.clock, BUDGET) });
    if (link === null) return null;
    const { cell } = await deps.pullToCurrentCell("bank_payments", String(payment.id), known);
    return await storeLateLink(cell.db, payment.id, link);
  } catch (thrown) {
    const cause = thrown instanceof ServiceFailure ? thrown.cause : thrown;
    deps.log.error("bank fast-payment link failed again", { order: orderId, ...errorFields(cause) });
    return null;
  }
}
