import { sweepBankPayments } from "./bank-payments/sweep.ts";
import { describeThrown } from "./core/log.ts";
import type { Tools } from "./deps.ts";
import { sweepLeftovers, sweepUnfinishedOperations } from "./idempotency/sweep.ts";
import { sweepBalanceTransactions, sweepMissedEvents, sweepProcessorEvents } from "./ledger/sweep.ts";
import { sweepDeliveries } from "./notifications/sweep.ts";
import { works } from "./works.ts";

const finishedUnasked = [...works.values()].filter(({ finishUnasked }) => finishUnasked).map(({ operation }) => operation);

/**
 * What the cron does each minute. What asks nobody but the database comes first; the rest, which may have to wait for
 * the processor, side by side, so that none keeps the others waiting. One sweep's failure is its own.
 */
export async function sweepAll(tools: Tools): Promise<void> {
  await sweepEach(tools, {
    deliveries: () => sweepDeliveries(tools),
    processor_events: () => sweepProcessorEvents(tools),
  });
  await sweepEach(tools, {
    balance_transactions_live: () => sweepBalanceTransactions(tools, "live"),
    balance_transactions_test: () => sweepBalanceTransactions(tools, "test"),
    bank_payments: () => sweepBankPayments(tools),
    missed_events_live: () => sweepMissedEvents(tools, "live"),
    missed_events_test: () => sweepMissedEvents(tools, "test"),
    unfinished_operations: () => sweepUnfinishedOperations(tools, finishedUnasked),
    leftovers: () => sweepLeftovers(tools),
  });
}

async function sweepEach(tools: Tools, sweeps: Readonly<Record<string, () => Promise<number>>>): Promise<void> {
  await Promise.all(
    Object.entries(sweeps).map(async ([sweep, run]) => {
      try {
        const found = await run();
        if (found > 0) tools.log.info("sweep found work", { sweep, found });
      } catch (thrown) {
        tools.log.error("sweep failed", { sweep, ...describeThrown(thrown) });
      }
    }),
  );
}
