import { and, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { AuditAction } from "../../audit/actions.ts";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { upstreamBudget } from "../../core/call-budget.ts";
import { type Clock, MINUTE } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import { stateOfLink } from "../../core/object-states.ts";
import { type Cell, inList } from "../../db/client.ts";
import type { FindAnywhere, FoundRow } from "../../db/find-row.ts";
import { paymentLinks } from "../../db/schema/links.ts";
import type { Processor } from "../../processor/processor.ts";
import { dropFromCache, type LinkCache } from "../../short-links/cache.ts";

/** A link for operators: without its checkout URL. */
export type ListedLink = Omit<typeof paymentLinks.$inferSelect, "url">;

const { url: _url, ...listed } = getTableColumns(paymentLinks);
/** The columns of {@link ListedLink}. */
export const LISTED = listed;

/** The link, and the cell that has it. Null if no cell has it. */
export async function findLink<Deps extends { readonly db: Cell }>(
  { findAnywhere }: { readonly findAnywhere: FindAnywhere<Deps> },
  linkId: string,
): Promise<LinkInCell<Deps> | null> {
  return findAnywhere(({ db }) => findLinkRow(db, linkId));
}

export async function findLinkRow(db: Cell, linkId: string): Promise<ListedLink | undefined> {
  return db.select(LISTED).from(paymentLinks).where(eq(paymentLinks.id, linkId)).get();
}

/** The links of a cell with these slugs. */
export async function findLinksBySlugs(db: Cell, wanted: readonly string[]): Promise<ListedLink[]> {
  return db
    .select(LISTED)
    .from(paymentLinks)
    .where(inArray(paymentLinks.slug, inList(wanted)))
    .all();
}

/** A link, with the cell that has it. */
export type LinkInCell<Deps> = FoundRow<Deps, ListedLink>;

export interface LinkAdminDeps extends LinkCache {
  readonly db: Cell;
  readonly clock: Clock;
  processor(environment: Environment): Processor;
}

/** Who disables or enables a link. A partner does not enable a link that an operator disabled. */
export type LinkHolder = "operator" | "partner";

/**
 * Disables a link: here first, then at the processor. If the processor is unreachable, customers are no longer
 * redirected to the link, and the cron disables it there. A disabled link is not listed, and its short link
 * stops working within two minutes. Null for a link without a short link: it could get one later.
 * @throws ServiceFailure from the processor.
 */
export async function disableLink(
  deps: LinkAdminDeps,
  link: ListedLink,
  { by, reason = null }: { readonly by: LinkHolder; readonly reason?: string | null },
  actor: Actor,
): Promise<ListedLink | null> {
  const { disabledAt, disabledBy, disabledReason, slug } = paymentLinks;
  // An operator takes over a link that its partner disabled, and may give another reason.
  const isOtherReason = reason === null ? undefined : sql`${disabledReason} IS NOT ${reason}`;
  const isOther = by === "operator" ? or(isNull(disabledAt), eq(disabledBy, "partner"), isOtherReason) : isNull(disabledAt);
  const now = deps.clock.now();
  // The cron does both again until KV and the processor take it, also where this is cut off.
  const set = { disabledAt: sql`COALESCE(${disabledAt}, ${now})`, disabledBy: by, disabledReason: reason, limitsDue: now };
  const disabling = {
    action: "payment_link.disable" as const,
    set,
    where: and(isOther, isNotNull(slug)),
    after: reason === null ? undefined : { reason },
  };
  const changed = await change(deps, link, disabling, actor);
  if (changed.slug === null || changed.disabledAt === null) return null;
  await dropFromCache(deps, changed.slug);
  const budget = upstreamBudget(deps.clock);
  await deps.processor(link.environment).deactivatePaymentLink(link.id, { budget });
  // The link may have been enabled in between, before the processor deactivated it. Our row decides.
  const current = (await findLinkRow(deps.db, link.id)) ?? changed;
  if (stateOfLink(current, now) === "open") await deps.processor(link.environment).activatePaymentLink(link.id, { budget });
  return current;
}

/**
 * Enables a disabled link: at the processor first, then here. Null for a partner's call if an operator disabled it: it
 * stays disabled. @throws ServiceFailure from the processor: then it stays disabled, and the cron disables it there again.
 */
export async function enableLink(deps: LinkAdminDeps, link: ListedLink, by: LinkHolder, actor: Actor): Promise<ListedLink | null> {
  const isHeld = ({ disabledAt, disabledBy }: ListedLink) => disabledAt !== null && disabledBy !== "partner";
  // What is not disabled here was closed at the processor for another reason, such as a failed attempt.
  if (link.disabledAt === null) return link;
  if (by === "partner" && isHeld(link)) return null;
  const budget = upstreamBudget(deps.clock);
  // Where its limits have closed it, it stays closed.
  const now = deps.clock.now();
  const isOpenThen = stateOfLink({ ...link, disabledAt: null }, now) === "open";
  // The cron sends what our row says, also where the processor has activated the link and this is cut off, or its answer is lost.
  await deps.db.update(paymentLinks).set({ limitsDue: now }).where(eq(paymentLinks.id, link.id));
  if (isOpenThen) await deps.processor(link.environment).activatePaymentLink(link.id, { budget });
  const { disabledAt, disabledBy } = paymentLinks;
  const set = { disabledAt: null, disabledBy: null, disabledReason: null, limitsDue: now };
  const where = by === "operator" ? isNotNull(disabledAt) : eq(disabledBy, "partner");
  const enabled = await change(deps, link, { action: "payment_link.enable", set, where }, actor);
  // An operator may have disabled it in between: the processor must not take payments for it.
  if (enabled.disabledAt !== null) await deps.processor(link.environment).deactivatePaymentLink(link.id, { budget });
  if (by === "partner" && isHeld(enabled)) return null;
  if (enabled.slug !== null) deps.slugMemory.forget(enabled.slug);
  return enabled;
}

interface Change {
  readonly action: AuditAction;
  readonly set: object;
  readonly where: SQL | undefined;
  readonly after?: Readonly<Record<string, string>> | undefined;
}

/** Changes a link if the condition holds, with its audit row. Returns the link after it. */
async function change(
  { db, clock }: LinkAdminDeps,
  link: ListedLink,
  { action, set, where, after }: Change,
  actor: Actor,
): Promise<ListedLink> {
  const isOther = and(eq(paymentLinks.id, link.id), where);
  const entry = { actor, action, target: link.id, partnerId: link.partnerId, ...(after && { after }) };
  const [, , [changed]] = await db.batch([
    auditRow(db, entry, clock.now(), sql`EXISTS (SELECT 1 FROM ${paymentLinks} WHERE ${isOther})`),
    db.update(paymentLinks).set(set).where(isOther),
    db.select(LISTED).from(paymentLinks).where(eq(paymentLinks.id, link.id)),
  ]);
  return changed ?? link;
}

/** How long after a disabling the cron deletes the link from KV again. */
const DROPPED_FOR = 10 * MINUTE;
const MAX_DROPPED = 500;
const DROPPED_AT_ONCE = 10;

/**
 * Deletes recently disabled links from KV again: a redirect that had started before may have written its target there.
 * Returns the number of links.
 */
export async function sweepDisabledLinks(
  deps: Pick<LinkAdminDeps, "db" | "clock" | "shortLinkCache" | "slugMemory" | "log">,
): Promise<number> {
  const found = await deps.db
    .select({ slug: paymentLinks.slug })
    .from(paymentLinks)
    .where(gt(paymentLinks.disabledAt, deps.clock.now() - DROPPED_FOR))
    .orderBy(desc(paymentLinks.disabledAt))
    .limit(MAX_DROPPED)
    .all();
  const slugs = found.flatMap(({ slug: path }) => path ?? []);
  for (let start = 0; start < slugs.length; start += DROPPED_AT_ONCE)
    await Promise.all(slugs.slice(start, start + DROPPED_AT_ONCE).map((path) => dropFromCache(deps, path)));
  return found.length;
}
