import { sweepBankPayments } from "../bank-payments/sweep.ts";
import { sweepStatements } from "../books/sweep.ts";
import { type CellCode, type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import { type Environment, environments } from "../core/environment.ts";
import { isOutage } from "../core/errors.ts";
import { errorFields } from "../core/log.ts";
import { annotateTrace, runTraced, Trace } from "../core/trace.ts";
import type { CellDeps, Deps } from "../deps.ts";
import { sweepDueEvidence } from "../disputes/sweep.ts";
import { sweepFigures } from "../figures/count.ts";
import { noteCronRun, noteReached } from "../health/heartbeats.ts";
import { waitingAges } from "../health/waiting.ts";
import { sweepCompensations, sweepUnfinishedOperations } from "../idempotency/sweep.ts";
import { probeFailed } from "../ledger/processor-events.ts";
import {
  sweepBalanceTransactions,
  sweepMissedEvents,
  sweepOwedComparisons,
  sweepRefreshes,
  sweepSubscriptions,
} from "../ledger/reconcile.ts";
import { sweepUnattributedMovements, sweepUnattributedSubscriptions } from "../ledger/unattributed.ts";
import { sweepDisabledLinks } from "../links/admin/links.ts";
import { sweepLimits } from "../links/limits.ts";
import { NoAnswer } from "../opens/analytics.ts";
import { sweepOpens } from "../opens/sum.ts";
import { applyPartnerStatus } from "../partner-status/apply.ts";
import { FinalKeyFailure } from "../processor/next-key.ts";
import { sweepDeliveries } from "../webhooks/delivery/sweep.ts";
import { deleteExpiredInCell, deleteExpiredInDirectory } from "./expire-rows.ts";
import { workflows } from "./workflows.ts";

type Sweeps = Readonly<Record<string, () => Promise<number>>>;

const autoResumed = [...workflows.values()].filter(({ autoResume }) => autoResume).map(({ operation }) => operation);

/**
 * Runs all sweeps; the cron calls it every minute. The directory and each cell have their own sweeps, so a slow or
 * unreachable database does not delay the others: `sweepThat` runs those of a cell. In each database, sweeps that only
 * use the database run first. The others may wait for the processor or the bank, so they run in parallel afterwards. A
 * failed sweep does not affect the others.
 */
export async function sweepAll(deps: Deps, sweepThat: (cell: CellCode) => Promise<void>): Promise<void> {
  const cells = deps.cells.map(async (cell) => {
    try {
      await sweepThat(cell);
    } catch (thrown) {
      deps.log.error("sweep failed", { sweep: "all", database: cell, ...errorFields(thrown) });
    }
  });
  await Promise.all([reported(deps, DIRECTORY, () => sweepDirectory(deps)), ...cells]);
}

/** Runs the sweeps of a cell. */
export async function sweepCell(cell: CellDeps): Promise<void> {
  await reported(cell, cell.databaseName, () => sweepPartners(cell));
}

async function reported(
  { clock, log, reports }: Pick<Deps, "clock" | "log" | "reports">,
  databaseName: DatabaseName,
  run: () => Promise<void>,
) {
  const work = new Trace();
  work.operation = databaseName;
  const began = clock.now();
  await runTraced(work, run);
  reports.ended("cron run", work, { ms: clock.now() - began }, log);
}

async function sweepDirectory(deps: Deps): Promise<void> {
  const inDirectory = deps.inDirectory();
  await sweepEach(deps, DIRECTORY, {
    refreshes: () => sweepRefreshes(inDirectory),
    owed_comparisons: () => sweepOwedComparisons(deps),
    cron: async () => {
      await noteCronRun(deps.directory, deps.clock.now());
      return 0;
    },
  });
  await sweepEach(deps, DIRECTORY, {
    partner_status: () => applyPartnerStatus(deps),
    waiting: async () => {
      deps.reports.waiting(await waitingAges(deps.answeringPartly()));
      return 0;
    },
    failed_refreshes: () => probeFailed(inDirectory),
    ...ofEachEnvironment("balance_transactions", (environment) => sweepBalanceTransactions(deps, environment)),
    ...ofEachEnvironment("subscriptions", (environment) => sweepSubscriptions(deps, environment)),
    ...ofEachEnvironment("missed_events", (environment) => sweepMissedEvents(deps, environment)),
    unattributed_movements: () => sweepUnattributedMovements(inDirectory),
    unattributed_subscriptions: () => sweepUnattributedSubscriptions(inDirectory),
    retention: () => deleteExpiredInDirectory(inDirectory),
  });
}

async function sweepPartners(cell: CellDeps): Promise<void> {
  await sweepEach(cell, cell.databaseName, {
    deliveries: () => sweepDeliveries(cell),
    refreshes: () => sweepRefreshes(cell),
    disabled_links: () => sweepDisabledLinks(cell),
    evidence_due: () => sweepDueEvidence(cell),
    heartbeat: async () => {
      await noteReached(cell);
      return 0;
    },
  });
  await sweepEach(cell, cell.databaseName, {
    failed_refreshes: () => probeFailed(cell),
    bank_payments: () => sweepBankPayments(cell),
    unfinished_operations: () => sweepUnfinishedOperations(cell, autoResumed),
    compensations: () => sweepCompensations(cell),
    link_limits: () => sweepLimits(cell),
    retention: () => deleteExpiredInCell(cell),
    figures: () => sweepFigures(cell),
    link_opens: () => sweepOpens(cell),
    statements: () => sweepStatements(cell),
    moves: async () => (await import("../moves/sweep.ts")).sweepMoves(cell),
  });
}

/** A sweep of the processor's objects, once for each environment. */
function ofEachEnvironment(name: string, sweep: (environment: Environment) => Promise<number>): Sweeps {
  return Object.fromEntries(environments.map((environment) => [`${name}_${environment}`, () => sweep(environment)]));
}

/** Whether the processor, the bank or the platform's statistics do not answer. A key that is refused is our own failure. */
const isTheirOutage = (thrown: unknown) => (isOutage(thrown) && !(thrown instanceof FinalKeyFailure)) || thrown instanceof NoAnswer;

async function sweepEach({ log, reports }: Pick<Deps, "log" | "reports">, databaseName: DatabaseName, sweeps: Sweeps): Promise<void> {
  await Promise.all(
    Object.entries(sweeps).map(async ([sweep, run]) => {
      try {
        const found = await run();
        if (found > 0) reports.found(sweep, databaseName, found, log);
      } catch (thrown) {
        if (isTheirOutage(thrown)) {
          // The cron runs. What waits for the processor has findings and an alert of its own.
          log.info("sweep waits for an upstream", { sweep, database: databaseName, ...errorFields(thrown) });
          return;
        }
        annotateTrace({ outcome: "failed" });
        log.error("sweep failed", { sweep, database: databaseName, ...errorFields(thrown) });
      }
    }),
  );
}
