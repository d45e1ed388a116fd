import { and, desc, getTableColumns, sql } from "drizzle-orm";
import { type Environment, environments } from "../../core/environment.ts";
import { rankOf } from "../../core/movements.ts";
import type { Cell } from "../../db/client.ts";
import { newestFirst, type PartnerData } from "../../db/partner-data.ts";
import { prepareOnce, readerOf, type StoredRow } from "../../db/prepared.ts";
import { movements } from "../../db/schema/ledger.ts";
import type { Movement } from "../movement.ts";

export interface MovementFilter {
  readonly partnerId: string;
  readonly environment: Environment | undefined;
  /** Unix milliseconds, inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly clientReferenceId: string | undefined;
  readonly limit: number;
}

/** A part of a list, and whether more follows. */
export interface MovementPage {
  readonly movements: readonly Movement[];
  readonly hasMore: boolean;
}

/**
 * A partner's latest movements of one or both environments, newest first. One round trip per database, by an index that
 * starts with the environment: it reads at most `limit` plus one rows of each.
 */
export async function listMovements(data: PartnerData, filter: MovementFilter): Promise<MovementPage> {
  // One row more than requested shows whether more follow.
  const wanted = { ...filter, limit: filter.limit + 1 };
  const rows = await data.newestRows(wanted, (db) => newestIn(db, wanted));
  const inOrder = rows.toSorted((left, right) => right.at - left.at || rankOf(right.row.type) - rankOf(left.row.type));
  return { movements: inOrder.slice(0, filter.limit).map(({ row }) => row), hasMore: rows.length > filter.limit };
}

async function newestIn(db: Cell, filter: MovementFilter) {
  const wanted = filter.environment === undefined ? environments : [filter.environment];
  const found = await db.$client.batch<StoredRow>(wanted.map((environment) => statementOf(db, environment, filter)));
  const rows = found.flatMap(({ results }) => results.map(readMovement)).map((row) => ({ id: row.id, at: row.transactionDate, row }));
  return rows.toSorted(newestFirst).slice(0, filter.limit);
}

const readMovement = readerOf(getTableColumns(movements));

/** The conditions of a list, each with one value. */
const CONDITIONS = {
  partner: (value: string | number) => sql`${movements.partnerId} = ${value}`,
  environment: (value: string | number) => sql`${movements.environment} = ${value}`,
  reference: (value: string | number) => sql`${movements.clientReferenceId} = ${value}`,
  from: (value: string | number) => sql`${movements.transactionDate} >= ${value}`,
  to: (value: string | number) => sql`${movements.transactionDate} <= ${value}`,
};

function statementOf(db: Cell, environment: Environment, { partnerId, clientReferenceId, from, to, limit }: MovementFilter) {
  const values: [keyof typeof CONDITIONS, string | number][] = [
    ["partner", partnerId],
    ["environment", environment],
  ];
  if (clientReferenceId !== undefined) values.push(["reference", clientReferenceId]);
  if (from !== undefined) values.push(["from", from]);
  if (to !== undefined) values.push(["to", to]);
  const { transactionDate, id } = movements;
  const build = () =>
    db
      .select()
      .from(movements)
      .where(and(...values.map(([by, value]) => CONDITIONS[by](value))))
      .orderBy(desc(transactionDate), desc(id))
      .limit(limit);
  const name = `movements by ${values.map(([by]) => by).join()}`;
  return prepareOnce(db, name, build, [...values.map(([, value]) => value), limit]);
}
