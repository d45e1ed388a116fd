import { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import { POLL_DELAYS } from "./poll-schedule.ts";
import { type RefreshDeps, refreshBankPayment } from "./refresh.ts";
import { type BankPayment, claimDuePolls } from "./store.ts";

/** A Worker can have six connections open at a time, and other sweeps need some of them. */
const CONCURRENCY = 4;
const MAX_PER_SWEEP = 500;
/** No new polls start after this time, in milliseconds. The remaining payments stay due. */
const BUDGET = 30 * SECOND;

/**
 * Polls the bank for payments that stay open: a notification may be lost, and for some final statuses the bank sends
 * none. Returns the number of changed payments.
 */
export async function sweepBankPayments(deps: RefreshDeps): Promise<number> {
  const { db, clock } = deps;
  const budget = new CallBudget(clock, BUDGET);
  let changed = 0;
  for (let looked = 0; looked < MAX_PER_SWEEP && budget.remaining() > 0; ) {
    const due = await claimDuePolls(db, clock.now(), CONCURRENCY, POLL_DELAYS);
    if (due.length === 0) break;
    looked += due.length;
    const results = await Promise.all(due.map((payment) => hasChanged(deps, payment)));
    changed += results.filter(Boolean).length;
  }
  return changed;
}

/** A failure does not affect other payments. The payment's next poll is already stored in its row. */
async function hasChanged(deps: RefreshDeps, payment: BankPayment): Promise<boolean> {
  const { orderId: order } = payment;
  try {
    const { status, problem } = await refreshBankPayment(deps, payment);
    if (problem !== null) deps.log.error("bank payment has a problem", { order, status, problem });
    return problem === null && status !== payment.status;
  } catch (thrown) {
    deps.log.error("bank payment poll failed", { order, ...errorFields(thrown) });
    return false;
  }
}
