import { listBankProblems } from "../bank-payments/admin.ts";
import { longestDuePoll } from "../bank-payments/store.ts";
import { countInReview } from "../catalogue/admin/store.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, earliestOf, HOUR, isoTime, MINUTE } from "../core/clock.ts";
import { type AllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Cell, Directory } from "../db/client.ts";
import { longestDueCompensation, longestUnfinished } from "../idempotency/find-records.ts";
import { ledgerStatus } from "../ledger/admin.ts";
import { longestWaitingRefresh } from "../ledger/refreshes-store.ts";
import { listWaitingLinks } from "../links/admin/without-short-link.ts";
import { listUnhealthyEndpoints } from "../webhooks/admin/admin.ts";
import { longestFailing } from "../webhooks/admin/store.ts";
import { earliestDueTime } from "../webhooks/delivery/overdue.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

export interface WaitingDeps extends AllDatabases {
  readonly clock: Clock;
  readonly directory: Directory;
  readonly everyCell: () => readonly { readonly databaseName: CellCode; readonly db: Cell }[];
}

/** Maximum number of rows that are counted; more are shown as "and more". */
export const MOST_COUNTED = 100;

/** One kind of work that waits for an operator. */
export interface WaitingForPerson {
  readonly kind: string;
  /** At most {@link MOST_COUNTED} where each row has to be read. */
  readonly count: number;
  /** Since when the oldest waits, in Unix milliseconds; null if nothing waits, or it is unknown. */
  readonly oldest: number | null;
  /** The operators' command that lists them. */
  readonly command: string;
}

/** All work that waits for an operator. Bounded queries. */
export async function waitingForPerson(deps: WaitingDeps): Promise<WaitingForPerson[]> {
  const [ledger, bank, products] = await Promise.all([ledgerStatus(deps), listBankProblems(deps), countInReview(deps.directory)]);
  const inCells = deps.everyCell();
  const inEach = async <Row>(ask: (cell: (typeof inCells)[number]) => Promise<readonly Row[]>) =>
    (await Promise.all(inCells.map((cell) => askDatabase(deps, cell.databaseName, () => ask(cell))))).flatMap((rows) => rows ?? []);
  const links = await inEach(({ db }) => listWaitingLinks(db, { begunAt: 0, id: "" }, MOST_COUNTED));
  const endpoints = await inEach((cell) => listUnhealthyEndpoints(cell, undefined, MOST_COUNTED));
  return [
    { kind: "Products to moderate", ...products, command: "products waiting" },
    {
      kind: "Links without a short link",
      count: links.length,
      oldest: earliestOf(links.map(({ since }) => since)),
      command: "short-links waiting",
    },
    { kind: "Webhooks in trouble", count: endpoints.length, oldest: null, command: "endpoints list" },
    { kind: "Movements without a partner", ...counted(ledger.unattributed), command: "movements waiting" },
    { kind: "Parked payments", ...counted(ledger.parked), command: "parked-payments list" },
    { kind: "Bank notifications not applied", ...counted(bank), command: "bank-notifications waiting" },
  ];
}

function counted({ count, oldest }: { readonly count: number; readonly oldest: number | null }) {
  return { count, oldest };
}

/** The service's own work, with the delay that is a warning and the delay that is a failure. */
const OWN_WORK = {
  deliveries: { late: 5 * MINUTE, tooLate: 30 * MINUTE },
  "looking up payments": { late: 10 * MINUTE, tooLate: HOUR },
  "unfinished operations": { late: 30 * MINUTE, tooLate: 6 * HOUR },
  "undoing failed attempts": { late: 30 * MINUTE, tooLate: 6 * HOUR },
  "asking for ruble payments": { late: 10 * MINUTE, tooLate: HOUR },
} as const;

type OwnWork = keyof typeof OWN_WORK;

/**
 * Since when the oldest row of each kind of the service's own work waits; null if none waits. One D1 round trip per
 * database.
 */
async function waitingForService({ clock, directory, everyCell, reach }: WaitingDeps): Promise<Record<OwnWork, number | null>> {
  const now = clock.now();
  const [strange, ...answers] = await Promise.all([
    longestWaitingRefresh(directory, now),
    ...everyCell().map(({ databaseName, db }) =>
      askDatabase({ reach }, databaseName, () =>
        db.batch([
          earliestDueTime(db, now),
          longestWaitingRefresh(db, now),
          longestUnfinished(db),
          longestDueCompensation(db, now),
          longestDuePoll(db, now),
        ]),
      ),
    ),
  ]);
  const found = answers.flatMap((answer) => (answer === null ? [] : [answer]));
  const oldest = (index: 0 | 1 | 2 | 3 | 4) => earliestOf(found.map((here) => here[index][0]?.since));
  return {
    deliveries: oldest(0),
    "looking up payments": earliestOf([oldest(1), strange[0]?.since]),
    "unfinished operations": oldest(2),
    "undoing failed attempts": oldest(3),
    "asking for ruble payments": oldest(4),
  };
}

/** The name of the age of failing webhooks, which partners must repair. */
const FAILING_WEBHOOK = "a webhook that fails";

/**
 * The age of the oldest waiting row of each kind, in milliseconds; 0 if nothing waits: the service's own work, and the
 * webhook that has failed longest. Alerts use these points. Two D1 round trips per database.
 */
export async function waitingAges(deps: WaitingDeps): Promise<Record<string, number>> {
  const now = deps.clock.now();
  const failing = deps.everyCell().map(({ databaseName, db }) => askDatabase(deps, databaseName, () => longestFailing(db)));
  const since = { ...(await waitingForService(deps)), [FAILING_WEBHOOK]: earliestOf(await Promise.all(failing)) };
  return Object.fromEntries(Object.entries(since).map(([name, at]) => [name, at === null ? 0 : Math.max(0, now - at)]));
}

/** Whether the service's own work is late. */
export async function checkOwnWork(deps: WaitingDeps): Promise<readonly Finding[]> {
  const now = deps.clock.now();
  const waiting = await waitingForService(deps);
  return Object.entries(OWN_WORK).map(([name, { late, tooLate }]) => {
    // Both objects have the same keys.
    const since = Object.entries(waiting).find(([kind]) => kind === name)?.[1] ?? null;
    if (since === null || now - since < late) return ok(name, since === null ? "nothing waits" : "nothing is late");
    const found = now - since < tooLate ? warning : failed;
    return found(name, `the oldest has waited since ${isoTime(since)}`, "Check the cron, the queues and the log: docs/bad-days.md.");
  });
}

/** Work that waits for an operator is a warning, because the service continues. */
export async function checkPeoplesWork(deps: WaitingDeps): Promise<readonly Finding[]> {
  return (await waitingForPerson(deps)).map(({ kind, count, oldest, command }) => {
    if (count === 0) return ok(kind, "none");
    const many = count >= MOST_COUNTED ? `${MOST_COUNTED} and more` : String(count);
    return warning(kind, oldest === null ? many : `${many}, the oldest since ${isoTime(oldest)}`, `npm run ops -- ${command}`);
  });
}
