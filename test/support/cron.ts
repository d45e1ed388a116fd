import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sweepBankPayments } from "../../src/bank-payments/sweep.ts";
import type { CellDeps, Deps } from "../../src/deps.ts";
import { sweepCompensations, sweepUnfinishedOperations } from "../../src/idempotency/sweep.ts";
import { isolateOf } from "../../src/isolate.ts";
import { probeFailed } from "../../src/ledger/processor-events.ts";
import { sweepBalanceTransactions, sweepRefreshes } from "../../src/ledger/reconcile.ts";
import { workflows } from "../../src/runners/workflows.ts";
import { sweepDeliveries } from "../../src/webhooks/delivery/sweep.ts";
import worker from "../../src/worker.ts";

type Sweep = (deps: Deps) => Promise<unknown>;

const inEachCell =
  (sweep: (cell: CellDeps) => Promise<number>): Sweep =>
  (deps) =>
    Promise.all(deps.cells.map((cell) => sweep(deps.inCell(cell))));

const autoResumed = [...workflows.values()].filter(({ autoResume }) => autoResume).map(({ operation }) => operation);

/** Sweeps of the cron, by the names that it has for them: each does all that the cron does under its name. */
const sweeps = {
  balance_transactions_test: (deps) => sweepBalanceTransactions(deps, "test"),
  bank_payments: inEachCell(sweepBankPayments),
  compensations: inEachCell(sweepCompensations),
  deliveries: inEachCell(sweepDeliveries),
  failed_refreshes: (deps) => Promise.all([probeFailed(deps.inDirectory()), inEachCell(probeFailed)(deps)]),
  refreshes: (deps) => Promise.all([sweepRefreshes(deps.inDirectory()), inEachCell(sweepRefreshes)(deps)]),
  unfinished_operations: inEachCell((cell) => sweepUnfinishedOperations(cell, autoResumed)),
} satisfies Record<string, Sweep>;

/** Runs the minute's cron once, to its end. */
export async function cron(): Promise<void> {
  await worker.scheduled(createScheduledController(), env);
}

/**
 * Runs these of its sweeps once, to their end, in a fraction of the time: for a test that needs no other. For each sweep a
 * test runs the whole cron, which shows that the sweep is part of it. @throws what a sweep throws, while the cron logs it
 */
cron.sweep = async (...names: (keyof typeof sweeps)[]): Promise<void> => {
  const { deps } = isolateOf(env);
  await Promise.all(names.map((name) => sweeps[name](deps)));
};
