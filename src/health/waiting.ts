import { listBankProblems } from "../bank-payments/admin.ts";
import { countWaitingPayouts } from "../books/payouts.ts";
import { countInReview } from "../catalogue/admin/store.ts";
import { earliestOf, isoTime } from "../core/clock.ts";
import { type Counted, inAll } from "../db/aggregates.ts";
import { type AllDatabases, askAllDatabases, askDatabase } from "../db/all-databases.ts";
import type { NamedCell } from "../db/client.ts";
import { countAwaited } from "../disputes/store.ts";
import { ledgerStatus } from "../ledger/admin.ts";
import { GONE_PERIOD, MANY_GONE } from "../ledger/look-up.ts";
import { countEnded, countGoneSince } from "../ledger/refreshes-store.ts";
import { listWaitingLinks } from "../links/admin/without-short-link.ts";
import { listUnhealthyEndpoints } from "../webhooks/admin/admin.ts";
import { longestFailing } from "../webhooks/admin/store.ts";
import { type Finding, failed, listedBy, ok, unknown, warning } from "./finding.ts";
import { type OwnWorkDeps, waitingForService } from "./own-work.ts";

export interface WaitingDeps extends AllDatabases, OwnWorkDeps {
  readonly everyCell: () => readonly NamedCell[];
}

/** Maximum number of rows that are counted; more are shown as "and more". */
export const MOST_COUNTED = 100;

/** One kind of work that waits for an operator. */
export interface WaitingForPerson {
  readonly kind: string;
  /**
   * At most {@link MOST_COUNTED} where each row has to be read. Null: none is known, and a database out of reach may have
   * some.
   */
  readonly count: number | null;
  /** Whether a database out of reach may have further ones. */
  readonly isIncomplete: boolean;
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
  const counts = await inEach(async ({ db }) => [await db.batch([countWaitingPayouts(db), countAwaited(db, deps.clock.now())])]);
  const isIncomplete = (deps.reach?.lost.size ?? 0) > 0;
  const inCellsToo = (kind: string, { count, oldest }: Counted, command: string): WaitingForPerson => ({
    kind,
    count: isIncomplete && count === 0 ? null : count,
    isIncomplete,
    oldest,
    command,
  });
  const sinceLinks = earliestOf(links.map(({ since }) => since));
  return [
    // Products are in the directory, without which there is no answer.
    { kind: "Products to moderate", ...products, isIncomplete: false, command: "products search --moderation in_review" },
    inCellsToo("Payouts to approve", inAll(counts.flatMap(([payouts]) => payouts)), "payouts list --state waiting"),
    inCellsToo(
      "Disputes to answer at the processor",
      inAll(counts.flatMap(([, disputes]) => disputes)),
      "disputes list --state needs_response",
    ),
    inCellsToo("Links without a short link", { count: links.length, oldest: sinceLinks }, "short-links waiting"),
    inCellsToo("Webhooks in trouble", { count: endpoints.length, oldest: null }, "endpoints list"),
    inCellsToo("Movements without a partner", ledger.unattributed, "movements waiting"),
    inCellsToo("Parked payments", ledger.parked, "parked-payments list"),
    inCellsToo("Bank notifications not applied", bank, "bank-notifications waiting"),
  ];
}

/** The name of the age of failing webhooks, which partners must repair. */
const FAILING_WEBHOOK = "a webhook that fails";

/**
 * The age of the oldest waiting row of each kind, in milliseconds; 0 if nothing waits: the service's own work, and the
 * webhook that has failed longest. A kind is left out while a database out of reach may have rows of it and no other
 * has. Alerts use these points. Two D1 round trips per database.
 */
export async function waitingAges(deps: WaitingDeps): Promise<Record<string, number>> {
  const now = deps.clock.now();
  const waits = await waitingForService(deps);
  const failing = await Promise.all(
    deps.everyCell().map(({ databaseName, db }) => askDatabase(deps, databaseName, () => longestFailing(db))),
  );
  const since = [...waits.map(({ work, since: at }) => [work.name, at] as const), [FAILING_WEBHOOK, earliestOf(failing)] as const];
  const isIncomplete = (deps.reach?.lost.size ?? 0) > 0;
  const known = since.filter(([, at]) => at !== null || !isIncomplete);
  return Object.fromEntries(known.map(([name, at]) => [name, at === null ? 0 : Math.max(0, now - at)]));
}

/** What to do about a finding that a database out of reach keeps unknown. */
const OUT_OF_REACH = "A database does not answer: see its own line, and docs/bad-days.md.";

/** Whether the service's own work is late. */
export async function checkOwnWork(deps: WaitingDeps): Promise<readonly Finding[]> {
  const now = deps.clock.now();
  const waits = await waitingForService(deps);
  const isIncomplete = (deps.reach?.lost.size ?? 0) > 0;
  return waits.map(({ list, work: { name, late, tooLate }, since }) => {
    if (since !== null && now - since >= late) {
      const found = now - since < tooLate ? warning : failed;
      const cure = "Then check the cron, the queues and the log: docs/bad-days.md.";
      return listedBy(`work list ${list}`, found(name, `the oldest has waited since ${isoTime(since)}`, cure));
    }
    if (isIncomplete) return unknown(name, "a database out of reach may have some", OUT_OF_REACH);
    return ok(name, since === null ? "nothing waits" : "nothing is late");
  });
}

/** Work that waits for an operator is a warning, because the service continues. */
export async function checkPeoplesWork(deps: WaitingDeps): Promise<readonly Finding[]> {
  const [waiting, gone] = await Promise.all([waitingForPerson(deps), goneFinding(deps)]);
  const findings = waiting.map(({ kind, count, isIncomplete, oldest, command }) => {
    if (count === null) return unknown(kind, "none is known, and a database out of reach may have some", OUT_OF_REACH);
    if (count === 0) return ok(kind, "none");
    const many = count >= MOST_COUNTED ? `${MOST_COUNTED} and more` : `${isIncomplete ? "at least " : ""}${count}`;
    return listedBy(command, warning(kind, oldest === null ? many : `${many}, the oldest since ${isoTime(oldest)}`, ""));
  });
  return [...findings, gone];
}

const LIST_GONE = "parked-payments list --state gone";

/** An object that the processor no longer has is set aside and needs no one. Many within an hour are no chance. */
async function goneFinding(deps: WaitingDeps): Promise<Finding> {
  const name = "Gone at the processor";
  const since = deps.clock.now() - GONE_PERIOD;
  const counts = await askAllDatabases(deps, (db) => db.batch([countEnded(db, "gone"), countGoneSince(db, since)]));
  const sum = (of: (one: (typeof counts)[number]) => number | undefined) => counts.reduce((total, one) => total + (of(one) ?? 0), 0);
  const recent = sum(([, [found]]) => found?.count);
  if (recent >= MANY_GONE) {
    const cure = "Does the key belong to the account whose events arrive?";
    return listedBy(LIST_GONE, warning(name, `${recent} objects of the last hour's events do not exist there`, cure));
  }
  const count = sum(([[found]]) => found?.count);
  return count === 0 ? ok(name, "none is set aside") : listedBy(LIST_GONE, ok(name, `${count} set aside`));
}
