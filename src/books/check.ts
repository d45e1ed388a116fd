import type { Bank } from "../bank/port.ts";
import { receiptsOf } from "../bank-payments/receipts.ts";
import { stageOf } from "../bank-payments/status.ts";
import { paidBankPayments } from "../bank-payments/walk.ts";
import { CallBudget } from "../core/call-budget.ts";
import { type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import { type Clock, isoTime, type Period, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { moneyText } from "../core/money.ts";
import { type AllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Cell, Directory } from "../db/client.ts";
import { movementId, transactionIdOf } from "../ledger/movement.ts";
import { movementsOfPeriod } from "../ledger/movements/period.ts";
import { platformOfPeriod } from "../ledger/platform-transactions.ts";
import { isPlatformType } from "../ledger/platform-types.ts";
import { allLocations, partnersByCell } from "../partners/location-store.ts";
import type { BalanceTransaction } from "../processor/facts.ts";
import type { Processor } from "../processor/processor.ts";

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
  readonly directory: Directory;
  readonly everyCell: () => readonly { readonly databaseName: DatabaseName; readonly db: Cell }[];
  processor(environment: Environment): Processor;
  bank(environment: Environment, terminal: string): Bank;
}

/** What one side has in a currency, after fees: of partners' payments, or of what is between the processor and us. In minor units. */
export interface ComparedSum {
  readonly currency: string;
  readonly part: "movements" | "platform";
  readonly ours: number;
  readonly theirs: number;
}

interface Checked {
  readonly differences: readonly Difference[];
  readonly checked: number;
  /** Where the check ended because there was more than it compares: an earlier time of the period; null if it is whole. */
  readonly endedAt: number | null;
}

/** A row of ours, or a transaction of theirs. */
interface Compared {
  readonly id: string;
  readonly amount: number;
  readonly fee: number | null;
  readonly currency: string;
  readonly at: number;
}

/** What one of them says, in one text that people can compare. */
const textOf = ({ amount, fee, currency, at }: Compared): string =>
  `${moneyText(amount, currency)} − ${fee === null ? "?" : moneyText(fee, currency)} on ${new Date(at).toISOString().slice(0, 10)}`;

/**
 * Compares the movements of a period in all databases with the processor's own list, fetched again, and what is between the processor and
 * us with the platform's transactions. With a partner, only what our books have of it is compared: the processor's list does not say whose
 * a transaction is.
 */
export async function checkMovements(
  deps: CheckDeps,
  environment: Environment,
  period: Period,
  partnerId: string | undefined,
): Promise<Checked & { readonly sums: readonly ComparedSum[] }> {
  const listed = await listAll(deps, environment, period);
  const within = { from: listed.endedAt ?? period.from, to: period.to };
  const rows = (await placedMovements(deps, environment, within))
    .filter((row) => partnerId === undefined || row.partnerId === partnerId)
    .map((row): Compared => ({ ...row, at: row.transactionDate }));
  const ofPlatform = listed.transactions.filter(({ type }) => isPlatformType(type)).map(theirsAs((id) => id));
  const others = listed.transactions.filter(({ type }) => !isPlatformType(type)).map(theirsAs(movementId));
  const known = new Set(rows.map(({ id }) => id));
  const theirs = partnerId === undefined ? others : others.filter(({ id }) => known.has(id));
  const movements = compare(rows, theirs, { again: (id) => `ledger refresh ${environment} ${transactionIdOf(id)}`, part: "movements" });
  if (partnerId !== undefined) return { ...movements, checked: others.length, endedAt: listed.endedAt };
  const platform = compare(
    (await platformOfPeriod(deps.directory, environment, within)).filter(({ source }) => source === "processor"),
    ofPlatform,
    { again: (id) => againFrom(ofPlatform.find((one) => one.id === id)?.at ?? within.from), part: "platform" },
  );
  return {
    differences: [...movements.differences, ...platform.differences],
    sums: [...movements.sums, ...platform.sums],
    checked: theirs.length + ofPlatform.length,
    endedAt: listed.endedAt,
  };
}

/**
 * The movements of a period where they belong: a row that a move copies, or leaves behind, is no second one. Of a partner that was split
 * by time, the current cell's row counts.
 */
async function placedMovements(deps: CheckDeps, environment: Environment, period: Period) {
  const locations = await allLocations(deps.directory);
  const found: { readonly row: Awaited<ReturnType<typeof movementsOfPeriod>>[number]; readonly name: DatabaseName }[] = [];
  for (const name of deps.databaseNames) {
    const rows = await askDatabase(deps, name, () => movementsOfPeriod(deps.inDatabase(name).db, environment, period));
    found.push(...(rows ?? []).map((row) => ({ row, name })));
  }
  const idsIn = await partnersByCell(deps.directory);
  const ofCell = new Map(deps.databaseNames.map((name) => [name, new Set(name === DIRECTORY ? [] : idsIn(name))]));
  // A row without a partner, of an unknown one, or in the directory, is in no cell of a partner.
  const isFree = ({ row, name }: (typeof found)[number]) => name === DIRECTORY || row.partnerId === null || !locations.has(row.partnerId);
  const isCurrent = ({ row, name }: (typeof found)[number]) => isFree({ row, name }) || locations.get(row.partnerId ?? "")?.cell === name;
  const placed = found.filter((one) => isFree(one) || ofCell.get(one.name)?.has(one.row.partnerId ?? "") === true);
  const currentIds = new Set(placed.filter((one) => !isFree(one) && isCurrent(one)).map(({ row }) => row.id));
  return placed.filter((one) => isCurrent(one) || !currentIds.has(one.row.id)).map(({ row }) => row);
}

/** What brings a transaction that was never listed to us: the comparison begins before it. */
const againFrom = (at: number): string => `ledger compare-again ${isoTime(at - SECOND)}`;

const DELETE_IT = "docs/bad-days.md says how to delete what the processor does not have";

/** Compares rows of ours with transactions of theirs, by id. */
function compare(
  rows: readonly Compared[],
  listed: readonly Compared[],
  { again, part }: { readonly again: (id: string) => string; readonly part: ComparedSum["part"] },
): Pick<Checked, "differences"> & { readonly sums: readonly ComparedSum[] } {
  const [ours, theirs] = [Map.groupBy(rows, ({ id }) => id), new Map(listed.map((one) => [one.id, one]))];
  const differences: Difference[] = [];
  for (const [id, [row, ...copies]] of ours) {
    if (row === undefined) continue;
    const cure = "docs/bad-days.md says how to delete the copy";
    if (copies.length > 0) differences.push({ kind: "doubled", id, ours: `${copies.length + 1} rows`, theirs: "1", cure });
    const other = theirs.get(id);
    if (other === undefined) differences.push({ kind: "unknown", id, ours: textOf(row), theirs: null, cure: DELETE_IT });
    else if (textOf(row) !== textOf(other))
      differences.push({ kind: "differs", id, ours: textOf(row), theirs: textOf(other), cure: part === "movements" ? again(id) : CHANGED });
  }
  // A row whose day was changed lies in another period: it is missing here and unknown there, and one refresh mends both.
  for (const one of listed)
    if (!ours.has(one.id)) differences.push({ kind: "missing", id: one.id, ours: null, theirs: textOf(one), cure: again(one.id) });
  const left = (all: readonly Compared[], currency: string) =>
    all.reduce((total, one) => (one.currency === currency ? total + one.amount - (one.fee ?? 0) : total), 0);
  const currencies = [...new Set([...rows, ...listed].map(({ currency }) => currency))].toSorted();
  return {
    differences,
    sums: currencies.map((currency) => ({ currency, part, ours: left(rows, currency), theirs: left(listed, currency) })),
  };
}

const CHANGED = "delete the row in D1, then compare again: it was changed beside the service";

const theirsAs =
  (idOf: (id: string) => string) =>
  ({ id, amount, fee, currency, created }: BalanceTransaction): Compared => ({ id: idOf(id), amount, fee, currency, at: created });

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
    const { orderId: id, status } = payment;
    if (stageOf(theirs) === stageOf(status)) differences.push(...refundDifference(payment));
    else differences.push({ kind: "status", id, ours: status, theirs, cure: `bank-orders refresh ${id}` });
  }
  return { differences, checked: compared.length, endedAt: paid.length > compared.length ? (compared.at(-1)?.paidAt ?? null) : null };
}

/**
 * A part that the bank gave back and our books do not have: no report said how much it was, or two equal parts came in the same words.
 * Each refund has a receipt of its own, so receipts say how much was given back, as far as they came.
 */
function refundDifference({ orderId: id, status, refunded, receipts }: Awaited<ReturnType<typeof paidBankPayments>>[number]): Difference[] {
  const said = receiptsOf(receipts).filter(({ kind }) => kind === "refund");
  const returned = said.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  const cure = `bank-orders enter-refund ${id} <rubles> <reference>`;
  const ours = moneyText(refunded, "RUB");
  if (returned > refunded) return [{ kind: "differs", id, ours, theirs: `${moneyText(returned, "RUB")}, by its receipts`, cure }];
  return stageOf(status) === "partly_refunded" && refunded === 0 ? [{ kind: "missing", id, ours: null, theirs: status, cure }] : [];
}

const askCell = async <Row>({ reach }: CheckDeps, databaseName: DatabaseName, ask: () => Promise<Row[]>): Promise<Row[]> =>
  reach === undefined ? ask() : ((await reach.ask(databaseName, ask)) ?? []);

/** The bank's status of a payment; `unknown` if the bank refuses to name it. @throws ServiceFailure if the bank does not answer */
async function statusAtBank(bank: Bank, id: string, budget: CallBudget): Promise<string> {
  try {
    return (await bank.stateOf(id, { budget })).status;
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.error.kind === "upstream_failed" && thrown.error.code !== null) return "unknown";
    throw thrown;
  }
}
