import { expireBankNotifications } from "../bank-payments/expire.ts";
import { CallBudget } from "../core/call-budget.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import type { Settings } from "../core/settings.ts";
import type { Database } from "../db/client.ts";
import type { CellDeps, Deps } from "../deps.ts";
import { expireConfirmations, expireGrants, expireOAuthEntries } from "../grants/expire.ts";
import { expireDailyRecords } from "../idempotency/daily-records.ts";
import { expireContentRecords, expireFirstGenerationResults } from "../idempotency/expire.ts";
import { expireProcessorEvents } from "../ledger/expire.ts";
import { expireSessions } from "../operators/sessions.ts";
import { expireChangeCounts } from "../partners/change-counts.ts";
import { expireInvitations } from "../partners/people/invitations.ts";
import { expirePersonSessions } from "../partners/people/session-store.ts";
import { expireRefusedKeys } from "../partners/refused-keys.ts";
import { expireRefusals } from "../requests/store.ts";
import { expireAttempts, expirePartnerEvents } from "../webhooks/delivery/expire.ts";

/** Steps of a thousand rows that each walk makes per minute, and the time for all of them. */
const MAX_STEPS = 15;
const BUDGET = 10 * SECOND;

type Walk = () => Promise<{ readonly changed: number; readonly isAtEnd: boolean }>;

/** Deletes expired rows of a cell. Returns their number. */
export function deleteExpiredInCell({ db, clock, settings }: Pick<CellDeps, "db" | "clock" | "settings">): Promise<number> {
  const { retention } = settings;
  const before = (kept: number) => clock.now() - kept;
  return walkAll(clock, [
    ...walksOfReports(db, retention, before),
    () => expirePartnerEvents(db, before(retention.partner_event_days)),
    () => expireAttempts(db, before(retention.delivery_attempt_days)),
    () => expireDailyRecords(db, clock.now()),
    () => expireRefusals(db, before(retention.refused_request_days)),
    () => expireContentRecords(db, before(retention.content_record_hours)),
    () => expireFirstGenerationResults(db, before(retention.first_generation_result_hours)),
  ]);
}

/** Deletes expired rows of the directory. Returns their number. */
export function deleteExpiredInDirectory({ directory, clock, settings }: Pick<Deps, "directory" | "clock" | "settings">): Promise<number> {
  const before = (kept: number) => clock.now() - kept;
  return walkAll(clock, [
    ...walksOfReports(directory, settings.retention, before),
    () => expireOAuthEntries(directory, clock.now()),
    () => expireSessions(directory, clock.now()),
    () => expirePersonSessions(directory, clock.now()),
    () => expireInvitations(directory, clock.now()),
    () => expireChangeCounts(directory, clock.now()),
    () => expireGrants(directory, before(settings.retention.ended_grant_days)),
    () => expireRefusedKeys(directory, before(settings.retention.refused_request_days)),
    () => expireConfirmations(directory, before(settings.retention.confirmation_days)),
  ]);
}

/**
 * Reports of the processor and the bank are in both kinds of databases. `before` returns the expiry time for a
 * retention period.
 */
function walksOfReports(db: Database, retention: Settings["retention"], before: (kept: number) => number): readonly Walk[] {
  return [
    () => expireProcessorEvents(db, before(retention.processor_event_days)),
    () => expireBankNotifications(db, before(retention.bank_notification_days)),
  ];
}

/** Each walk runs to the end of its table, or until the time is up. The next run continues there. */
async function walkAll(clock: Clock, walks: readonly Walk[]): Promise<number> {
  const budget = new CallBudget(clock, BUDGET);
  let count = 0;
  for (const walk of walks) {
    for (let steps = 1; steps <= MAX_STEPS && budget.remaining() > 0; steps += 1) {
      const { changed, isAtEnd } = await walk();
      count += changed;
      if (isAtEnd) break;
    }
  }
  return count;
}
