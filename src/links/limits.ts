import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { CallBudget, upstreamBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { isoTimeOrNull, MINUTE, SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import { stateOfLink } from "../core/object-states.ts";
import { type Cell, type Database, inList, type Statement } from "../db/client.ts";
import type { PartnerCells } from "../db/partner-data.ts";
import { linkPayments, paymentLinks } from "../db/schema/links.ts";
import { dropFromCache } from "../short-links/cache.ts";
import { findLinkRow, type LinkAdminDeps, type ListedLink } from "./admin/links.ts";

/** After what a link takes no more payments; null: it has no such limit. */
export type LinkLimits = Pick<ListedLink, "maxPayments" | "closesAt">;

const { id, partnerId, closedAt, closesAt, limitedAt, limitsDue, maxPayments } = paymentLinks;

/** A payment through a link, as its customer is shown it. */
export interface LinkPayment {
  /** The key of a payment: the id of the payment, of a free checkout, or of a subscription. */
  readonly id: string;
  readonly reference: string | null;
  /** The address of the processor's receipt. */
  readonly receipt: string | null;
  /** When its customer began to pay, in Unix milliseconds; null without a charge. */
  readonly beganAt: number | null;
}

/** SQL: the payments of a row of `payment_links` that were counted. */
const COUNTED = sql`(SELECT COUNT(*) FROM ${linkPayments} WHERE ${linkPayments.paymentLinkId} = ${id})`;
/** SQL: when such a row had all its payments, by their count now. */
const closedBy = (now: number): SQL => sql`CASE WHEN ${maxPayments} <= ${COUNTED} THEN COALESCE(${closedAt}, ${now}) END`;

/**
 * Counts a payment of a link that is for so many, once, and closes the link with the last one. Written in one batch with the
 * payment. Nothing changes for a link without that limit.
 */
export function countLinkPayment(db: Database, linkId: string, payment: LinkPayment, now: number): readonly Statement[] {
  // What began before the limit is another customer's: the closed link does not show it. The processor leaves out parts of a second.
  const isEarlier = sql`${payment.beganAt} + ${SECOND} <= limited_at`;
  const counted = sql`SELECT ${payment.id}, id, CASE WHEN ${isEarlier} THEN NULL ELSE ${payment.reference} END,
    CASE WHEN ${isEarlier} THEN '' ELSE ${payment.receipt} END FROM ${paymentLinks} WHERE id = ${linkId} AND max_payments IS NOT NULL`;
  const { receipt, reference } = linkPayments;
  return [
    db
      .insert(linkPayments)
      .select(counted)
      // A payment that was pending has its receipt later.
      .onConflictDoUpdate({
        target: linkPayments.id,
        set: { receipt: sql`excluded.receipt`, reference: sql`COALESCE(${reference}, excluded.reference)` },
        setWhere: sql`${receipt} IS NULL`,
      }),
    db
      .update(paymentLinks)
      .set({ closedAt: now, limitsDue: now })
      .where(and(eq(id, linkId), isNull(closedAt), sql`${maxPayments} <= ${COUNTED}`)),
  ];
}

/**
 * Sets what limits a link, here and then at the processor. A link that had all its payments is open again if more are allowed, and
 * the other way round; one that a person disabled stays disabled. What is left out of `wanted` stays as it is, also where another
 * request sets it at the same time. `paidBefore` reads the payments from before the limit, in all
 * databases of the partner. Null for a link without a short link: no customer has it yet.
 * @throws ServiceFailure from the processor: the limits are set here, and the cron sends them to the processor again.
 */
export async function limitLink(
  deps: LinkAdminDeps,
  link: ListedLink,
  wanted: Partial<LinkLimits>,
  paidBefore: () => Promise<readonly string[]>,
  actor: Actor,
): Promise<ListedLink | null> {
  if (link.slug === null) return null;
  const { db, clock } = deps;
  const now = clock.now();
  const before = { completed_sessions: link.maxPayments, closes_at: isoTimeOrNull(link.closesAt) };
  const after = {
    ...(wanted.maxPayments !== undefined && { completed_sessions: wanted.maxPayments }),
    ...(wanted.closesAt !== undefined && { closes_at: isoTimeOrNull(wanted.closesAt) }),
  };
  const entry = { actor, action: "payment_link.limit" as const, target: link.id, partnerId: link.partnerId, before, after };
  const set = { ...wanted, limitsDue: now };
  const isIt = eq(id, link.id);
  // From here on each payment is counted, so none is missed while those from before are read.
  await db.batch([
    auditRow(db, entry, now),
    db
      .update(paymentLinks)
      .set(
        wanted.maxPayments === undefined
          ? set
          : { ...set, limitedAt: wanted.maxPayments === null ? null : sql`COALESCE(${limitedAt}, ${now})` },
      )
      .where(isIt),
  ]);
  const most = wanted.maxPayments === undefined ? link.maxPayments : wanted.maxPayments;
  const earlier = most === null ? [] : await paidBefore();
  // Their receipts stay unknown: the link's customer may be another.
  const rows = sql`SELECT value, ${link.id}, NULL, '' FROM json_each(${JSON.stringify(earlier)}) WHERE TRUE`;
  await db.batch([
    db.insert(linkPayments).select(rows).onConflictDoNothing(),
    db
      .delete(linkPayments)
      .where(and(eq(linkPayments.paymentLinkId, link.id), sql`(SELECT max_payments FROM ${paymentLinks} WHERE ${isIt}) IS NULL`)),
    db
      .update(paymentLinks)
      .set({ closedAt: closedBy(now), limitsDue: now })
      .where(isIt),
  ]);
  await sendLimits(deps, link.id, upstreamBudget(clock));
  return (await findLinkRow(db, link.id)) ?? link;
}

/**
 * Deletes the slug from KV, sends the limits of a link's row to the processor, and stores when that is due again: at its end, or never.
 * If the row changes in between, it is due at once.
 */
async function sendLimits(deps: LinkAdminDeps, linkId: string, budget: CallBudget): Promise<void> {
  const row = await findLinkRow(deps.db, linkId);
  if (row === undefined) return;
  const isDropped = row.slug === null || (await dropFromCache(deps, row.slug));
  const now = deps.clock.now();
  const limit = { atMost: row.maxPayments, isActive: stateOfLink(row, now) === "open" };
  await deps.processor(row.environment).limitPaymentLink(linkId, limit, { budget });
  const ends = row.closesAt !== null && row.closesAt > now ? row.closesAt : null;
  const next = isDropped ? ends : Math.min(ends ?? Number.POSITIVE_INFINITY, now + TRIED_AGAIN_AFTER);
  const isUnchanged = [
    sql`${limitsDue} IS ${row.limitsDue}`,
    sql`${closedAt} IS ${row.closedAt}`,
    sql`${paymentLinks.disabledAt} IS ${row.disabledAt}`,
    sql`${closesAt} IS ${row.closesAt}`,
    sql`${maxPayments} IS ${row.maxPayments}`,
  ];
  // If the row has changed since, this call may have overwritten newer limits at the processor: they are sent again.
  await deps.db
    .update(paymentLinks)
    .set({ limitsDue: sql`CASE WHEN ${and(...isUnchanged)} THEN ${next} ELSE ${now} END` })
    .where(eq(id, linkId))
    .run();
}

/** Links in one read of the sweep, links that are sent in parallel, and the time of one run. */
const PAGE = 100;
const AT_ONCE = 5;
const BUDGET = 20 * SECOND;
/** How long one link may take of it: one that hangs is put off like one that fails. */
const PER_LINK = 5 * SECOND;
/** A link that the processor does not take is tried again after this time, so it holds up no other. */
const TRIED_AGAIN_AFTER = 10 * MINUTE;

interface SweepDeps extends LinkAdminDeps {
  readonly databaseName: CellCode;
  readonly locationOf: (partner: string) => Promise<PartnerCells | null>;
}

/**
 * Sends the limits of the links that are due: whose time is over, that had their last payment, or that were changed
 * while the processor did not answer. Longest due first. Returns the number of links.
 */
export async function sweepLimits(deps: SweepDeps): Promise<number> {
  const budget = new CallBudget(deps.clock, BUDGET);
  const now = deps.clock.now();
  let sent = 0;
  let after = { due: 0, id: "" };
  for (;;) {
    const due = await deps.db
      .select({ id, partnerId, due: limitsDue })
      .from(paymentLinks)
      .where(and(isNotNull(limitsDue), lte(limitsDue, now), sql`(${limitsDue}, ${id}) > (${after.due}, ${after.id})`))
      .orderBy(asc(limitsDue), asc(id))
      .limit(PAGE)
      .all();
    for (let start = 0; start < due.length && budget.remaining() > 0; start += AT_ONCE) {
      const some = due.slice(start, start + AT_ONCE);
      const results = await Promise.all(some.map((one) => sendOrPutOff(deps, one, now, budget)));
      sent += results.filter(Boolean).length;
    }
    const last = due.at(-1);
    if (due.length < PAGE || last === undefined || budget.remaining() <= 0) return sent;
    after = { due: last.due ?? 0, id: last.id };
  }
}

/** Whether the limits were sent. A cell that its partner has left keeps a copy of the link, which is left out. */
async function sendOrPutOff(
  deps: SweepDeps,
  link: { readonly id: string; readonly partnerId: string; readonly due: number | null },
  now: number,
  budget: CallBudget,
): Promise<boolean> {
  try {
    if ((await deps.locationOf(link.partnerId))?.cell !== deps.databaseName) return false;
    await sendLimits(deps, link.id, new CallBudget(deps.clock, Math.min(PER_LINK, budget.remaining())));
    return true;
  } catch (thrown) {
    deps.log.error("limits of a link not sent", { payment_link: link.id, ...errorFields(thrown) });
    const isUnchanged = and(eq(id, link.id), eq(limitsDue, link.due ?? 0));
    await deps.db
      .update(paymentLinks)
      .set({ limitsDue: now + TRIED_AGAIN_AFTER })
      .where(isUnchanged)
      .run();
    return false;
  }
}

/** Empties the receipts of erased payments and subscriptions for good. */
export async function emptyLinkReceipts(db: Cell, ids: readonly string[]): Promise<void> {
  const { id: own, receipt } = linkPayments;
  await db
    .update(linkPayments)
    .set({ receipt: "" })
    .where(and(inArray(own, inList(ids)), or(isNull(receipt), ne(receipt, ""))))
    .run();
}
