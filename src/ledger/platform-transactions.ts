import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { newId } from "../core/ids.ts";
import { type Directory, type InDirectory, runBatch, violatedColumn } from "../db/client.ts";
import { isOlderThan, type PageKey } from "../db/page-key.ts";
import { platformSources, platformTransactions } from "../db/schema/platform.ts";
import type { BalanceTransaction } from "../processor/facts.ts";
import { isPlatformType } from "./platform-types.ts";

export { platformSources };

/** What moved money between the processor or the bank and us. Amounts in minor units, signed; `fee` is positive where it is a cost. */
export type PlatformTransaction = typeof platformTransactions.$inferSelect;

const LONGEST_DESCRIPTION = 200;

/** Those of the processor's transactions that are between it and us. */
export const ofPlatform = (listed: readonly BalanceTransaction[]): readonly BalanceTransaction[] =>
  listed.filter(({ type }) => isPlatformType(type));

/** Stores what the processor's list has between it and us. One that is stored already stays. One D1 round trip, or
 * none without any. */
export async function recordPlatform(
  directory: Directory,
  environment: Environment,
  listed: readonly BalanceTransaction[],
  now: number,
): Promise<void> {
  const rows = listed.map(({ id, type, amount, fee, currency, created, availableAt, description }) => ({
    id,
    source: "processor" as const,
    environment,
    type,
    amount,
    fee,
    currency,
    at: created,
    availableAt,
    description: description?.slice(0, LONGEST_DESCRIPTION) ?? null,
    terminal: null,
    holder: null,
    createdAt: now,
  }));
  await runBatch(
    directory,
    rows.map((row) => directory.insert(platformTransactions).values(row).onConflictDoNothing()),
  );
}

/** A fee of the bank, from a document of it. Amount in minor units, positive; a correction is negative. */
export interface BankFee {
  readonly environment: Environment;
  readonly terminal: string;
  readonly amount: number;
  readonly at: number;
  /** The document's number. */
  readonly document: string;
}

/** Enters a fee of the bank, which says it in a document only. Null if the document of the terminal was entered before. */
export async function enterBankFee(
  { directory, clock }: InDirectory,
  { environment, terminal, amount, at, document }: BankFee,
  actor: Actor,
): Promise<PlatformTransaction | null> {
  const [id, now] = [newId("bf"), clock.now()];
  const common = { id, source: "bank", environment, type: "bank_fee", currency: "RUB", terminal } as const;
  const row: PlatformTransaction = {
    ...common,
    amount: -amount,
    fee: 0,
    at,
    availableAt: at,
    description: document,
    holder: actor.name,
    createdAt: now,
  };
  const after = { terminal, environment, amount, document };
  try {
    await directory.batch([
      auditRow(directory, { actor, action: "bank_fee.enter", target: id, after }, now),
      directory.insert(platformTransactions).values(row),
    ]);
    return row;
  } catch (thrown) {
    if (violatedColumn(thrown)?.startsWith("platform_transactions.") === true) return null;
    throw thrown;
  }
}

const isIn = (environment: Environment, { from, to }: Period): SQL | undefined =>
  and(eq(platformTransactions.environment, environment), gte(platformTransactions.at, from), lt(platformTransactions.at, to));

interface PlatformSelection {
  readonly environment: Environment;
  readonly period: Period;
  readonly type: string | undefined;
}

const isSelected = ({ environment, period, type }: PlatformSelection): SQL | undefined =>
  and(isIn(environment, period), type === undefined ? undefined : eq(platformTransactions.type, type));

/** A page of the platform's transactions, newest first. One D1 round trip. */
export async function listPlatform(directory: Directory, selection: PlatformSelection, before: PageKey | undefined, limit: number) {
  const { at, id } = platformTransactions;
  const where = and(isSelected(selection), isOlderThan(at, id, before));
  return directory.select().from(platformTransactions).where(where).orderBy(desc(at), desc(id)).limit(limit).all();
}

/** What a selection sums to, by type and currency, in minor units. One D1 round trip. */
export async function sumPlatform(directory: Directory, selection: PlatformSelection) {
  const { type, currency, amount, fee } = platformTransactions;
  const sum = (column: typeof amount | typeof fee) => sql<number>`SUM(${column})`;
  return directory
    .select({ type, currency, amount: sum(amount), fee: sum(fee), count: sql<number>`COUNT(*)` })
    .from(platformTransactions)
    .where(isSelected(selection))
    .groupBy(type, currency)
    .orderBy(asc(type), asc(currency))
    .all();
}

/** All of a period, oldest first. They are few: some for each day. One D1 round trip. */
export async function platformOfPeriod(directory: Directory, environment: Environment, period: Period): Promise<PlatformTransaction[]> {
  const { at, id } = platformTransactions;
  return directory.select().from(platformTransactions).where(isIn(environment, period)).orderBy(asc(at), asc(id)).all();
}

/** A transaction by its id; undefined if there is none. One D1 round trip. */
export async function findPlatform(directory: Directory, id: string): Promise<PlatformTransaction | undefined> {
  return directory.select().from(platformTransactions).where(sql`${platformTransactions.id} = ${id}`).get();
}
