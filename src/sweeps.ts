import { sweepBankPayments } from "./bank-payments/sweep.ts";
import { type Environment, environments } from "./core/environment.ts";
import { errorFields } from "./core/log.ts";
import { noteWork, perform, Work } from "./core/work.ts";
import type { CellDeps, Deps } from "./deps.ts";
import { sweepFigures } from "./figures/count.ts";
import { noteCronRun } from "./health/heartbeats.ts";
import { sweepCompensations, sweepUnfinishedOperations } from "./idempotency/sweep.ts";
import { sweepBalanceTransactions, sweepMissedEvents, sweepRefreshes, sweepSubscriptions } from "./ledger/reconcile.ts";
import { sweepUnattributedMovements, sweepUnattributedSubscriptions } from "./ledger/unattributed.ts";
import { sweepDisabledLinks } from "./links/admin/links.ts";
import { applyPartnerStatus } from "./partner-status/apply.ts";
import { letGoInCell, letGoInDirectory } from "./retention.ts";
import { sweepDeliveries } from "./webhooks/delivery/sweep.ts";
import { workflows } from "./workflows.ts";

type Sweeps = Readonly<Record<string, () => Promise<number>>>;

const autoResumed = [...workflows.values()].filter(({ autoResume }) => autoResume).map(({ operation }) => operation);

/**
 * Runs all sweeps; the cron calls it every minute. Sweeps that use only a database run first. The others may wait for
 * the processor or the bank, so they run in parallel afterwards. A failed sweep does not affect the others.
 */
export async function sweepAll(deps: Deps): Promise<void> {
  const work = new Work();
  const began = deps.clock.now();
  await perform(work, () => runSweeps(deps));
  deps.reports.ended("cron run", work, { ms: deps.clock.now() - began }, deps.log);
}

async function runSweeps(deps: Deps): Promise<void> {
  const inDirectory = deps.inDirectory();
  await sweepEach(deps, {
    ...ofEachCell(deps, "deliveries", (cell) => sweepDeliveries(cell)),
    ...ofEachCell(deps, "refreshes", (cell) => sweepRefreshes(cell)),
    ...ofEachCell(deps, "disabled_links", (cell) => sweepDisabledLinks(cell)),
    refreshes_directory: () => sweepRefreshes(inDirectory),
    cron: async () => {
      await noteCronRun(deps.directory, deps.clock.now());
      return 0;
    },
    partner_status: () => applyPartnerStatus(deps),
  });
  await sweepEach(deps, {
    ...ofEachEnvironment("balance_transactions", (environment) => sweepBalanceTransactions(deps, environment)),
    ...ofEachEnvironment("subscriptions", (environment) => sweepSubscriptions(deps, environment)),
    ...ofEachEnvironment("missed_events", (environment) => sweepMissedEvents(deps, environment)),
    unattributed_movements: () => sweepUnattributedMovements(inDirectory),
    unattributed_subscriptions: () => sweepUnattributedSubscriptions(inDirectory),
    ...ofEachCell(deps, "bank_payments", (cell) => sweepBankPayments(cell)),
    ...ofEachCell(deps, "unfinished_operations", (cell) => sweepUnfinishedOperations(cell, autoResumed)),
    ...ofEachCell(deps, "compensations", (cell) => sweepCompensations(cell)),
    ...ofEachCell(deps, "retention", (cell) => letGoInCell(cell)),
    ...ofEachCell(deps, "figures", (cell) => sweepFigures(cell)),
    retention_directory: () => letGoInDirectory(inDirectory),
  });
}

/** A sweep of the processor's objects, once for each environment. */
function ofEachEnvironment(name: string, sweep: (environment: Environment) => Promise<number>): Sweeps {
  return Object.fromEntries(environments.map((environment) => [`${name}_${environment}`, () => sweep(environment)]));
}

/** A sweep of partners' data, once for each cell. */
function ofEachCell(deps: Deps, name: string, sweep: (cell: CellDeps) => Promise<number>): Sweeps {
  return Object.fromEntries(deps.cells.map((cell) => [`${name}_${cell}`, () => sweep(deps.inCell(cell))]));
}

async function sweepEach(deps: Deps, sweeps: Sweeps): Promise<void> {
  await Promise.all(
    Object.entries(sweeps).map(async ([sweep, run]) => {
      try {
        const found = await run();
        if (found > 0) deps.log.info("sweep found work", { sweep, found });
      } catch (thrown) {
        noteWork({ outcome: "failed" });
        deps.log.error("sweep failed", { sweep, ...errorFields(thrown) });
      }
    }),
  );
}
