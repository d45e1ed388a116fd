import { SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import { describeThrown } from "../core/log.ts";
import { type LookTools, lookAtBankPayment } from "./look.ts";
import { LOOK_WAITS } from "./looks.ts";
import { type BankPayment, claimDueLooks } from "./store.ts";

/** A Worker has six connections at a time, and other sweeps want theirs. */
const AT_ONCE = 4;
const MOST_PER_SWEEP = 500;
/** Nothing more is begun after this long: what is left keeps its turn. */
const BUDGET = 30 * SECOND;

/**
 * Asks the bank about payments that stay open: a notification may be lost, and of some ends the bank tells nothing.
 * Gives how many turned out to have changed.
 */
export async function sweepBankPayments(tools: LookTools): Promise<number> {
  const { db, clock } = tools;
  const deadline = new Deadline(clock, BUDGET);
  let changed = 0;
  for (let looked = 0; looked < MOST_PER_SWEEP && deadline.remaining() > 0; ) {
    const due = await claimDueLooks(db, clock.now(), AT_ONCE, LOOK_WAITS);
    if (due.length === 0) break;
    looked += due.length;
    const results = await Promise.all(due.map((payment) => hasChanged(tools, payment)));
    changed += results.filter(Boolean).length;
  }
  return changed;
}

/** One payment's failure is its own: its next turn stands in its row already. */
async function hasChanged(tools: LookTools, payment: BankPayment): Promise<boolean> {
  const { orderId: order } = payment;
  try {
    const { status, problem } = await lookAtBankPayment(tools, payment);
    if (problem !== null) tools.log.error("bank payment not as it should be", { order, status, problem });
    return problem === null && status !== payment.status;
  } catch (thrown) {
    tools.log.error("bank payment not looked at", { order, ...describeThrown(thrown) });
    return false;
  }
}
