import { and, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { CallBudget } from "../core/call-budget.ts";
import { isoTimeOrNull, SECOND } from "../core/clock.ts";
import { limits } from "../core/limits.ts";
import { errorFields } from "../core/log.ts";
import { type Cell, type Database, inList, type Statement } from "../db/client.ts";
import { paymentLinks } from "../db/schema/links.ts";
import { dropFromCache } from "../short-links/cache.ts";
import { findLinkRow, type LinkAdminDeps, type ListedLink } from "./admin/links.ts";

/** After what a link takes no more payments; null: it has no such limit. */
export type LinkLimits = Pick<ListedLink, "maxPayments" | "closesAt">;

const { id, disabledAt, disabledBy, maxPayments, closesAt, paidReceipt } = paymentLinks;

/** What the customer of a link for one payment is shown of it. */
interface ClosingPayment {
  readonly reference: string | null;
  readonly receipt: string | null;
}

/**
 * Closes a link that has had its payments. Write it behind the payment, in one batch. `paid`: SQL for the number of payments
 * through the link. Nothing changes for a link without a limit. The processor closes the link by itself.
 */
export function closePaidLink(db: Database, linkId: string, paid: SQL, now: number, payment: ClosingPayment | null): Statement {
  const ofOne = (value: string | null) => sql`CASE WHEN ${maxPayments} = 1 THEN ${value} END`;
  const shown = payment === null ? {} : { paidReference: ofOne(payment.reference), paidReceipt: ofOne(payment.receipt) };
  return db
    .update(paymentLinks)
    .set({ disabledAt: now, disabledBy: "limits", ...shown })
    .where(and(eq(id, linkId), isNull(disabledAt), isNotNull(maxPayments), sql`${maxPayments} <= ${paid}`));
}

/**
 * Sets what limits a link, here first and then at the processor. A link that its limits had closed is open again if they no
 * longer say so, and the other way round; one that a person disabled stays disabled. `paid`: as for {@link closePaidLink}.
 * Null for a link without a short link: no customer has it yet.
 * @throws ServiceFailure from the processor: the limits are set here, and a repeat of the call sets them there.
 */
export async function limitLink(
  deps: LinkAdminDeps,
  link: ListedLink,
  wanted: LinkLimits,
  paid: SQL,
  actor: Actor,
): Promise<ListedLink | null> {
  if (link.slug === null) return null;
  const now = deps.clock.now();
  const isOurs = sql`${disabledBy} = 'limits'`;
  const reopened = {
    disabledAt: sql`CASE WHEN ${isOurs} THEN NULL ELSE ${disabledAt} END`,
    disabledBy: sql`NULLIF(${disabledBy}, 'limits')`,
  };
  const before = { completed_sessions: link.maxPayments, closes_at: isoTimeOrNull(link.closesAt) };
  const after = { completed_sessions: wanted.maxPayments, closes_at: isoTimeOrNull(wanted.closesAt) };
  const entry = { actor, action: "payment_link.limit", target: link.id, partnerId: link.partnerId, before, after };
  await deps.db.batch([
    auditRow(deps.db, entry, now),
    deps.db
      .update(paymentLinks)
      .set({ ...wanted, ...reopened })
      .where(eq(id, link.id)),
    closePaidLink(deps.db, link.id, paid, now, null),
  ]);
  await dropFromCache(deps, link.slug);
  return atProcessor(deps, link);
}

/** Tells the processor what the row says, and again if that has changed in between. Returns the row. */
async function atProcessor(deps: LinkAdminDeps, link: ListedLink): Promise<ListedLink> {
  const budget = new CallBudget(deps.clock, limits.upstream.seconds * SECOND);
  let row = (await findLinkRow(deps.db, link.id)) ?? link;
  for (;;) {
    const { maxPayments: atMost, disabledAt: disabled } = row;
    await deps.processor(link.environment).limitPaymentLink(link.id, { atMost, isActive: disabled === null }, { budget });
    const current = (await findLinkRow(deps.db, link.id)) ?? row;
    if (current.maxPayments === atMost && (current.disabledAt === null) === (disabled === null)) return current;
    row = current;
  }
}

/** The links that one run closes. */
const MOST_CLOSED = 100;

interface SweepDeps extends LinkAdminDeps {
  /** The link where it may be changed: a moved partner's old cell still has a copy. */
  readonly linkWhereChanged: (linkId: string) => Promise<{ readonly cell: LinkAdminDeps; readonly found: ListedLink } | null>;
}

/**
 * Closes the links of a cell whose time is over: at the processor first, then here. A redirect has refused them since. Returns
 * the number of links. One that fails is tried again by the next run.
 */
export async function sweepClosingLinks(deps: SweepDeps): Promise<number> {
  const now = deps.clock.now();
  // The text must match the condition of the partial index.
  const isClosing = sql`disabled_at IS NULL AND (closes_at IS NOT NULL OR max_payments IS NOT NULL)`;
  const due = await deps.db
    .select({ id })
    .from(paymentLinks)
    .where(and(isClosing, lte(closesAt, now)))
    .orderBy(closesAt)
    .limit(MOST_CLOSED)
    .all();
  let closed = 0;
  for (const one of due) {
    try {
      closed += (await closeOver(await deps.linkWhereChanged(one.id), now)) ? 1 : 0;
    } catch (thrown) {
      deps.log.error("link not closed", { payment_link: one.id, ...errorFields(thrown) });
    }
  }
  return closed;
}

async function closeOver(own: Awaited<ReturnType<SweepDeps["linkWhereChanged"]>>, now: number): Promise<boolean> {
  if (own === null || own.found.disabledAt !== null || own.found.closesAt === null || own.found.closesAt > now) return false;
  const { cell: deps, found: link } = own;
  const budget = new CallBudget(deps.clock, limits.upstream.seconds * SECOND);
  await deps.processor(link.environment).deactivatePaymentLink(link.id, { budget });
  await deps.db
    .update(paymentLinks)
    .set({ disabledAt: sql`${closesAt}`, disabledBy: "limits" })
    .where(and(eq(id, link.id), isNull(disabledAt), lte(closesAt, now)))
    .run();
  // Its end may have been moved in between, before the processor deactivated it. Our row decides.
  const current = await findLinkRow(deps.db, link.id);
  if (current?.disabledAt === null) await deps.processor(link.environment).activatePaymentLink(link.id, { budget });
  if (link.slug !== null) await dropFromCache(deps, link.slug);
  return true;
}

/** Empties what closed links show of erased orders. */
export async function emptyPaidReceipts(db: Cell, orderIds: readonly string[]): Promise<void> {
  const theirs = sql`SELECT payment_link_id FROM orders WHERE id IN ${inList(orderIds)} AND payment_link_id IS NOT NULL`;
  await db
    .update(paymentLinks)
    .set({ paidReceipt: null })
    .where(and(inArray(id, sql`(${theirs})`), isNotNull(paidReceipt)))
    .run();
}
