import type { Bank } from "../bank/port.ts";
import { stageOf } from "../bank-payments/status.ts";
import { paidBankPayments } from "../bank-payments/walk.ts";
import { CallBudget } from "../core/call-budget.ts";
import type { DatabaseName } from "../core/cell-code.ts";
import { type Clock, type Period, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { type AllDatabases, askAllDatabases } from "../db/all-databases.ts";
import type { Cell } from "../db/client.ts";
import { movementId, transactionIdOf } from "../ledger/movement.ts";
import { movementsOfPeriod } from "../ledger/movements/period.ts";
import { isPlatformType } from "../ledger/platform-types.ts";
import type { BalanceTransaction } from "../processor/facts.ts";
import type { Processor } from "../processor/port.ts";

/** The most transactions, and the most ruble payments, that one check compares. */
export const MOST_COMPARED = { transactions: 10_000, payments: 300 };

/** How long the processor and the bank are asked. */
const BUDGET = 25 * SECOND;

/**
 * Something that our books and those of the processor or the bank say differently. `missing`: we have no movement for it. `unknown`: they
 * have nothing for our movement. `doubled`: it is in two databases. `differs`: amounts, fee, currency or day are not the same. `status`: the
 * bank says another status.
 */
export interface Difference {
  readonly kind: "missing" | "unknown" | "doubled" | "differs" | "status" | "statement";
  readonly id: string;
  readonly ours: string | null;
  readonly theirs: string | null;
  /** The command that mends it. */
  readonly cure: string;
}

interface CheckDeps extends AllDatabases {
  readonly clock: Clock;
  readonly everyCell: () => readonly { readonly databaseName: DatabaseName; readonly db: Cell }[];
  processor(environment: Environment): Processor;
  bank(environment: Environment, terminal: string): Bank;
}

interface Checked {
  readonly differences: readonly Difference[];
  readonly checked: number;
  /** Where the check ended because there was more than it compares: an earlier time of the period; null if it is whole. */
  readonly endedAt: number | null;
}

/** What one movement says, in one text that people can compare. */
const textOf = ({ amount, fee, currency, at }: { amount: number; fee: number | null; currency: string; at: number }): string =>
  `${amount} − ${fee ?? "?"} ${currency} on ${new Date(at).toISOString().slice(0, 10)}`;

/**
 * Compares the movements of a period in all databases with the processor's own list, fetched again. With a partner, only what our books have
 * of it is compared: the processor's list does not say whose a transaction is.
 */
export async function checkMovements(
  deps: CheckDeps,
  environment: Environment,
  period: Period,
  partnerId: string | undefined,
): Promise<Checked> {
  const listed = await listAll(deps, environment, period);
  const theirs = new Map(listed.transactions.filter(({ type }) => !isPlatformType(type)).map((one) => [movementId(one.id), one]));
  const isIn = (at: number) => at >= (listed.endedAt ?? period.from) && at < period.to;
  const found = await askAllDatabases(deps, (db) =>
    movementsOfPeriod(db, environment, { from: listed.endedAt ?? period.from, to: period.to }),
  );
  const ours = Map.groupBy(found.flat(), ({ id }) => id);
  const differences: Difference[] = [];
  for (const [id, rows] of ours) {
    const [row] = rows;
    if (row === undefined || (partnerId !== undefined && row.partnerId !== partnerId)) continue;
    const cure = `ledger refresh ${environment} ${transactionIdOf(id)}`;
    const own = textOf({ ...row, at: row.transactionDate });
    if (rows.length > 1)
      differences.push({
        kind: "doubled",
        id,
        ours: `${rows.length} rows`,
        theirs: "1",
        cure: "docs/bad-days.md says how to delete the copy",
      });
    const other = theirs.get(id);
    if (other === undefined)
      differences.push({
        kind: "unknown",
        id,
        ours: own,
        theirs: null,
        cure: "docs/bad-days.md says how to delete what the processor does not have",
      });
    else if (own !== theirText(other)) differences.push({ kind: "differs", id, ours: own, theirs: theirText(other), cure });
  }
  const known = new Set(ours.keys());
  const lost = partnerId === undefined ? [...theirs].filter(([id, one]) => !known.has(id) && isIn(one.created)) : [];
  // A movement whose day was changed lies in another period: it is not missing, and is found there.
  for (const [id, one] of lost)
    differences.push({
      kind: "missing",
      id,
      ours: null,
      theirs: theirText(one),
      cure: `ledger refresh ${environment} ${transactionIdOf(id)}`,
    });
  return { differences, checked: theirs.size, endedAt: listed.endedAt };
}

const theirText = ({ amount, fee, currency, created }: BalanceTransaction) => textOf({ amount, fee, currency, at: created });

/** The processor's transactions of a period. If there are more than are compared: those since `endedAt`. */
async function listAll(deps: CheckDeps, environment: Environment, { from, to }: Period) {
  const { transactions: limit } = MOST_COMPARED;
  const listed = await deps
    .processor(environment)
    .listBalanceTransactions(from, to - 1, limit, { budget: new CallBudget(deps.clock, BUDGET) });
  const last = listed.at(-1);
  if (listed.length < limit || last === undefined) return { transactions: listed, endedAt: null };
  // Others of the last second may not be among them.
  const endedAt = last.created + SECOND;
  return { transactions: listed.filter(({ created }) => created >= endedAt), endedAt };
}

/** Compares the ruble payments that were paid in a period with what the bank says of them now, the newest first. */
export async function checkBank(
  deps: CheckDeps,
  environment: Environment,
  period: Period,
  partnerId: string | undefined,
): Promise<Checked> {
  const cells = await Promise.all(
    deps
      .everyCell()
      .map(({ databaseName, db }) =>
        askCell(deps, databaseName, () => paidBankPayments(db, environment, period, partnerId, MOST_COMPARED.payments + 1)),
      ),
  );
  const paid = cells.flat().toSorted((one, other) => (other.paidAt ?? 0) - (one.paidAt ?? 0));
  const compared = paid.slice(0, MOST_COMPARED.payments);
  const budget = new CallBudget(deps.clock, BUDGET);
  const differences: Difference[] = [];
  for (const payment of compared) {
    const theirs = await statusAtBank(deps.bank(environment, payment.terminal), payment.bankPaymentId, budget);
    if (stageOf(theirs) === stageOf(payment.status)) continue;
    differences.push({ kind: "status", id: payment.orderId, ours: payment.status, theirs, cure: `bank-orders refresh ${payment.orderId}` });
  }
  return { differences, checked: compared.length, endedAt: paid.length > compared.length ? (compared.at(-1)?.paidAt ?? null) : null };
}

const askCell = async <Row>({ reach }: CheckDeps, databaseName: DatabaseName, ask: () => Promise<Row[]>): Promise<Row[]> =>
  reach === undefined ? ask() : ((await reach.ask(databaseName, ask)) ?? []);

/** The bank's status of a payment; `unknown` if the bank does not know it. */
async function statusAtBank(bank: Bank, id: string, budget: CallBudget): Promise<string> {
  try {
    return (await bank.stateOf(id, { budget })).status;
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.error.kind === "upstream_failed") return "unknown";
    throw thrown;
  }
}
