import { sweepBankPayments } from "./bank-payments/sweep.ts";
import { type Environment, environments } from "./core/environment.ts";
import { errorFields } from "./core/log.ts";
import type { Deps } from "./deps.ts";
import { sweepCompensations, sweepUnfinishedOperations } from "./idempotency/sweep.ts";
import { sweepBalanceTransactions, sweepMissedEvents, sweepRefreshes, sweepSubscriptions } from "./ledger/reconcile.ts";
import { letGo } from "./retention.ts";
import { sweepDeliveries } from "./webhooks/delivery/sweep.ts";
import { workflows } from "./workflows.ts";

type Sweeps = Readonly<Record<string, () => Promise<number>>>;

const autoResumed = [...workflows.values()].filter(({ autoResume }) => autoResume).map(({ operation }) => operation);

/**
 * Runs all sweeps; the cron calls it every minute. Sweeps that use only the database run first. The others may wait for
 * the processor or the bank, so they run in parallel afterwards. A failed sweep does not affect the others.
 */
export async function sweepAll(deps: Deps): Promise<void> {
  await sweepEach(deps, {
    deliveries: () => sweepDeliveries(deps),
    refreshes: () => sweepRefreshes(deps),
  });
  await sweepEach(deps, {
    ...inEach("balance_transactions", (environment) => sweepBalanceTransactions(deps, environment)),
    ...inEach("subscriptions", (environment) => sweepSubscriptions(deps, environment)),
    ...inEach("missed_events", (environment) => sweepMissedEvents(deps, environment)),
    bank_payments: () => sweepBankPayments(deps),
    unfinished_operations: () => sweepUnfinishedOperations(deps, autoResumed),
    compensations: () => sweepCompensations(deps),
    retention: () => letGo(deps),
  });
}

/** A sweep of the processor's objects, once for each environment. */
function inEach(name: string, sweep: (environment: Environment) => Promise<number>): Sweeps {
  return Object.fromEntries(environments.map((environment) => [`${name}_${environment}`, () => sweep(environment)]));
}

async function sweepEach(deps: Deps, sweeps: Sweeps): Promise<void> {
  await Promise.all(
    Object.entries(sweeps).map(async ([sweep, run]) => {
      try {
        const found = await run();
        if (found > 0) deps.log.info("sweep found work", { sweep, found });
      } catch (thrown) {
        deps.log.error("sweep failed", { sweep, ...errorFields(thrown) });
      }
    }),
  );
}
