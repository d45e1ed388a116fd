import { describeThrown } from "./core/log.ts";
import type { Tools } from "./deps.ts";
import { sweepLeftovers, sweepUnfinishedOperations } from "./idempotency/sweep.ts";
import { sweepBalanceTransactions, sweepMissedEvents, sweepProcessorEvents } from "./ledger/sweep.ts";
import { sweepDeliveries } from "./notifications/sweep.ts";
import { works } from "./works.ts";

const finishedUnasked = [...works.values()].filter(({ finishUnasked }) => finishUnasked).map(({ operation }) => operation);

/** What the cron does each minute. One sweep's failure does not keep the others from their work, and
 * what may have to wait for the processor comes last. */
export async function sweepAll(tools: Tools): Promise<void> {
  const sweeps: Readonly<Record<string, () => Promise<number>>> = {
    deliveries: () => sweepDeliveries(tools),
    processor_events: () => sweepProcessorEvents(tools),
    balance_transactions_live: () => sweepBalanceTransactions(tools, "live"),
    balance_transactions_test: () => sweepBalanceTransactions(tools, "test"),
    missed_events_live: () => sweepMissedEvents(tools, "live"),
    missed_events_test: () => sweepMissedEvents(tools, "test"),
    unfinished_operations: () => sweepUnfinishedOperations(tools, finishedUnasked),
    leftovers: () => sweepLeftovers(tools),
  };
  for (const [sweep, run] of Object.entries(sweeps)) {
    try {
      const found = await run();
      if (found > 0) tools.log.info("sweep found work", { sweep, found });
    } catch (thrown) {
      tools.log.error("sweep failed", { sweep, ...describeThrown(thrown) });
    }
  }
}
