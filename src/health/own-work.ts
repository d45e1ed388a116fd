import { duePolls, longestDuePoll } from "../bank-payments/store.ts";
import type { DatabaseName } from "../core/cell-code.ts";
import { type Clock, earliestOf, HOUR, MINUTE } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { type AllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Cell, Database, Directory, Query } from "../db/client.ts";
import { dueCompensations, longestDueCompensation, longestUnfinished, unfinishedSince } from "../idempotency/find-records.ts";
import { progressOfComparisons } from "../ledger/reconciliation-store.ts";
import { lateRefreshes, longestWaitingRefresh } from "../ledger/refreshes-store.ts";
import { earliestDueTime, overdueDeliveries } from "../webhooks/delivery/overdue.ts";

/** One row that the service itself should have worked off. */
export interface LateRow {
  readonly id: string;
  /** Null while the partner is not known. */
  readonly partnerId: string | null;
  readonly environment: Environment | null;
  /** What is late about it: an event, an operation, a status or the last failure; null if nothing more is known. */
  readonly what: string | null;
  /** In Unix milliseconds. */
  readonly since: number;
}

type Asked = Query<{ since: number | null }>;
type Rows = PromiseLike<readonly (Pick<LateRow, "id" | "since"> & Partial<LateRow>)[]>;

interface OwnWork {
  /** The name in findings and alerts. */
  readonly name: string;
  /** The delays that are a warning and a failure, in milliseconds. */
  readonly late: number;
  readonly tooLate: number;
  /** Since when some wait, the oldest among them. One statement. */
  readonly longest: { readonly inCell?: (db: Cell, now: number) => Asked; readonly inDirectory?: (db: Directory, now: number) => Asked };
  /** The rows, with the oldest among them. */
  readonly rows: {
    readonly inCell?: (db: Cell, now: number, limit: number) => Rows;
    readonly inDirectory?: (db: Directory, now: number, limit: number) => Rows;
  };
}

const lookUps = (db: Cell | Directory, now: number, limit: number) =>
  lateRefreshes(db, now, limit).then((rows) =>
    rows.map(({ subject, environment, lastError, since }) => ({ id: subject, environment, what: lastError, since })),
  );

/** The kinds of the service's own work, by the names that list them. */
export const kindsOfWork = ["deliveries", "look-ups", "operations", "compensations", "ruble-payments", "comparisons"] as const;
export type KindOfWork = (typeof kindsOfWork)[number];

const ownWork: Readonly<Record<KindOfWork, OwnWork>> = {
  deliveries: {
    name: "deliveries",
    late: 5 * MINUTE,
    tooLate: 30 * MINUTE,
    longest: { inCell: earliestDueTime },
    rows: { inCell: overdueDeliveries },
  },
  "look-ups": {
    name: "looking up payments",
    late: 10 * MINUTE,
    tooLate: HOUR,
    longest: { inCell: longestWaitingRefresh, inDirectory: longestWaitingRefresh },
    rows: { inCell: lookUps, inDirectory: lookUps },
  },
  operations: {
    name: "unfinished operations",
    late: 30 * MINUTE,
    tooLate: 6 * HOUR,
    longest: { inCell: longestUnfinished },
    rows: { inCell: (db, _now, limit) => unfinishedSince(db, limit) },
  },
  compensations: {
    name: "undoing failed attempts",
    late: 30 * MINUTE,
    tooLate: 6 * HOUR,
    longest: { inCell: longestDueCompensation },
    rows: { inCell: dueCompensations },
  },
  "ruble-payments": {
    name: "asking for ruble payments",
    late: 10 * MINUTE,
    tooLate: HOUR,
    longest: { inCell: longestDuePoll },
    rows: { inCell: duePolls },
  },
  comparisons: {
    name: "comparing with the processor",
    late: 30 * MINUTE,
    tooLate: 6 * HOUR,
    longest: { inDirectory: progressOfComparisons },
    rows: { inDirectory: progressOfComparisons },
  },
};
const all = kindsOfWork.map((list) => [list, ownWork[list]] as const);

export interface OwnWorkDeps extends Pick<AllDatabases, "reach"> {
  readonly clock: Clock;
  readonly directory: Directory;
  readonly everyCell: () => readonly { readonly databaseName: DatabaseName; readonly db: Cell }[];
}

/** One kind of the service's own work, and since when its oldest row waits, in Unix milliseconds; null if none waits. */
export interface Waits {
  readonly list: KindOfWork;
  readonly work: OwnWork;
  readonly since: number | null;
}

/** The wait of each kind. One D1 round trip per database. */
export async function waitingForService({ clock, directory, everyCell, reach }: OwnWorkDeps): Promise<readonly Waits[]> {
  const now = clock.now();
  const answers = await Promise.all([
    longestIn(directory, ({ inDirectory }) => inDirectory?.(directory, now)),
    ...everyCell().map(({ databaseName, db }) =>
      askDatabase({ reach }, databaseName, () => longestIn(db, ({ inCell }) => inCell?.(db, now))),
    ),
  ]);
  return all.map(([list, work]) => ({ list, work, since: earliestOf(answers.map((answer) => answer?.get(list))) }));
}

/** Since when the oldest row of each kind waits in one database. One D1 round trip. */
async function longestIn(
  db: Database,
  ask: (longest: OwnWork["longest"]) => Asked | undefined,
): Promise<ReadonlyMap<KindOfWork, number | null>> {
  const asked = all.flatMap(([list, { longest }]) => {
    const query = ask(longest);
    return query === undefined ? [] : [{ list, query }];
  });
  const [first, ...rest] = asked.map(({ query }) => query);
  const answers = first === undefined ? [] : await db.batch([first, ...rest]);
  return new Map(asked.map(({ list }, index) => [list, earliestOf(answers[index]?.map(({ since }) => since) ?? [])]));
}

/** The rows of one kind, the oldest first. At most so many. */
export async function lateRows({ clock, directory, everyCell, reach }: OwnWorkDeps, kind: KindOfWork, limit: number): Promise<LateRow[]> {
  const now = clock.now();
  const { rows } = ownWork[kind];
  const found = await Promise.all([
    rows.inDirectory?.(directory, now, limit),
    ...everyCell().map(({ databaseName, db }) =>
      askDatabase({ reach }, databaseName, async () => (await rows.inCell?.(db, now, limit)) ?? []),
    ),
  ]);
  return found
    .flatMap((here) => here ?? [])
    .map((row) => ({ partnerId: null, environment: null, what: null, ...row }))
    .toSorted((left, right) => left.since - right.since)
    .slice(0, limit);
}
