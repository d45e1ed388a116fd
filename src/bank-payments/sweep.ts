import { SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import { describeThrown } from "../core/log.ts";
import { type LookTools, lookAtBankPayment } from "./look.ts";
import { LOOK_WAITS } from "./looks.ts";
import { type BankPayment, claimDueLooks } from "./store.ts";

const MOST_PER_SWEEP = 200;
const AT_ONCE = 10;
/** Nothing more is begun after this long: what is left has its turn later. */
const BUDGET = 30 * SECOND;

/**
 * Asks the bank about payments that stay open: a notification may be lost, and of some ends the bank tells nothing.
 * Gives how many turned out to have changed.
 */
export async function sweepBankPayments(tools: LookTools): Promise<number> {
  const { db, clock } = tools;
  const deadline = new Deadline(clock, BUDGET);
  const due = await claimDueLooks(db, clock.now(), MOST_PER_SWEEP, LOOK_WAITS);
  let changed = 0;
  const lookAtSome = async () => {
    for (let payment = due.shift(); payment !== undefined && deadline.remaining() > 0; payment = due.shift()) {
      if (await hasChanged(tools, payment)) changed += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookAtSome));
  return changed;
}

/** One payment's failure is its own: its next turn stands in its row already. */
async function hasChanged(tools: LookTools, payment: BankPayment): Promise<boolean> {
  try {
    return (await lookAtBankPayment(tools, payment)) !== payment.status;
  } catch (thrown) {
    tools.log.error("bank payment not looked at", { order: payment.orderId, ...describeThrown(thrown) });
    return false;
  }
}
