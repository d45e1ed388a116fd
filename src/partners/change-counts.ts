import { lt, sql } from "drizzle-orm";
import { DAY, HOUR, SECOND, startOfUtcDay } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { Directory, InDirectory } from "../db/client.ts";
import { changeCounts } from "../db/schema/partners.ts";
import type { Holder } from "./authenticate.ts";

/** What is counted, in which period (milliseconds), up to how many; `what` names it in the refusal. */
interface Bound {
  readonly subject: string;
  readonly period: number;
  readonly most: number;
  readonly what: string;
}

/** Counts one more. One D1 round trip. Whether the period had room: if not, nothing is counted. */
async function isCounted({ directory, clock }: InDirectory, { subject, period, most }: Omit<Bound, "what">): Promise<boolean> {
  const counted = await directory
    .insert(changeCounts)
    .values({ subject, period: startOf(period, clock.now()), count: 1 })
    .onConflictDoUpdate({
      target: [changeCounts.subject, changeCounts.period],
      set: { count: sql`${changeCounts.count} + 1` },
      setWhere: sql`${changeCounts.count} < ${most}`,
    })
    .returning({ count: changeCounts.count })
    .all();
  return counted.length > 0;
}

const startOf = (period: number, now: number): number => now - (now % period);

/** Counts one more. One D1 round trip. @throws ServiceFailure `rate_limited` if the period has as many: then nothing is counted. */
async function count(deps: InDirectory, bound: Bound): Promise<void> {
  if (await isCounted(deps, bound)) return;
  const { period, most, what } = bound;
  const now = deps.clock.now();
  const until = period === DAY ? "after midnight UTC" : "in the next hour";
  const message = `More than ${most} ${what}. Nothing was done. Try again ${until}.`;
  throw new ServiceFailure({ kind: "rate_limited", message, retryAfter: Math.ceil((startOf(period, now) + period - now) / SECOND) });
}

/**
 * Counts a change of self-service: each leaves rows, of the audit log at least. All keys and people of a partner share one count;
 * a part of it is for people alone, so that a key which is abused keeps none of them from revoking it.
 * @throws ServiceFailure `rate_limited`
 */
export async function admitChange(deps: InDirectory, { partnerId, holder }: { readonly partnerId: string; readonly holder: Holder }) {
  const { perDay, ofKeys } = limits.selfService;
  const most = holder.kind === "person" ? perDay : ofKeys;
  await count(deps, { subject: `changes of ${partnerId}`, period: DAY, most, what: "changes in your account today" });
}

/** What leaves rows, with its bound in a period. `of`: whose. */
const KINDS = {
  /** Requests of agents that wait for a person, of a partner. */
  confirmation: { of: "confirmations", period: DAY, most: limits.confirmations.perDay, what: "requests for a confirmation today" },
  /** By operation 4, which has no idempotency record, of a partner. */
  cancellation: { of: "cancellations", period: DAY, most: limits.cancellations.perDay, what: "cancellations today" },
  /** By operation 10 without a token, which has no idempotency record, of a partner. */
  registration: { of: "registrations", period: DAY, most: limits.registrations.perDay, what: "changed webhook addresses today" },
  /** Each leaves a session, of a person. */
  signIn: { of: "sign-ins", period: DAY, most: limits.signIns.perDay, what: "sign-ins of this person today" },
  /** Uses of a passkey in a session, which are noted, of a person. */
  verification: { of: "verifications", period: DAY, most: limits.signIns.perDay, what: "uses of your passkey today" },
  /** Passkeys that are added, of a person. */
  passkey: { of: "passkeys", period: DAY, most: limits.signIns.perDay, what: "new passkeys of yours today" },
  /** Agents that are let in by keys of a partner. */
  grant: { of: "grants", period: DAY, most: limits.grant.perDay, what: "agents let in today" },
  /** Of an environment, by its first endpoint: those of all its webhooks together. */
  testEvent: { of: "test events", period: HOUR, most: limits.testEvents.perHour, what: "test events of this environment in this hour" },
  /** Messages with a code, which go to an address that anybody may have, of a partner. */
  mailCode: { of: "mail codes", period: DAY, most: limits.mailCodes.perDay, what: "codes by e-mail today" },
} as const;

/** Counts one more of a kind. @throws ServiceFailure `rate_limited` */
export function admit(deps: InDirectory, kind: keyof typeof KINDS, whose: string): Promise<void> {
  const { of, ...bound } = KINDS[kind];
  return count(deps, { subject: `${of} of ${whose}`, ...bound });
}

/** Counts one more of a kind. Whether there was room: otherwise nothing is counted. */
export function isAdmitted(deps: InDirectory, kind: keyof typeof KINDS, whose: string): Promise<boolean> {
  const { of, ...bound } = KINDS[kind];
  return isCounted(deps, { subject: `${of} of ${whose}`, ...bound });
}

/** Counts a checkout that ended unpaid. Whether the day of its partner has room: a link is open to anybody. */
export function admitExpiredCheckout(deps: InDirectory, partnerId: string): Promise<boolean> {
  const { perDay: most } = limits.expiredCheckouts;
  return isCounted(deps, { subject: `expired checkouts of ${partnerId}`, period: DAY, most });
}

/** Deletes the counts of past days. `now` in Unix milliseconds. */
export async function expireChangeCounts(directory: Directory, now: number) {
  const { meta } = await directory.delete(changeCounts).where(lt(changeCounts.period, startOfUtcDay(now)));
  return { changed: meta.changes, isAtEnd: true };
}
