import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import type { CellCode } from "../../core/cell-code.ts";
import { type Clock, SECOND } from "../../core/clock.ts";
import { Deadline } from "../../core/deadline.ts";
import type { Environment } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import type { Cell } from "../../db/client.ts";
import { paymentLinks } from "../../db/schema/links.ts";
import type { Processor } from "../../processor/port.ts";
import { dropFromCache, type LinkCache } from "../../short-links/short-links.ts";

/** A link as operators see it: without its checkout URL. */
export type ListedLink = Omit<typeof paymentLinks.$inferSelect, "url" | "items">;

const { id, partnerId, environment, source, recordId, currency, mode, interval, intervalCount, slug, createdAt, disabledAt } = paymentLinks;
const COLUMNS = { id, partnerId, environment, source, recordId, currency, mode, interval, intervalCount, slug, createdAt, disabledAt };

/** The link, and the cell that has it. Null if no cell has it. */
export async function findLink<Deps extends { readonly db: Cell }>(
  { cells, inCell }: { readonly cells: readonly CellCode[]; readonly inCell: (cell: CellCode) => Deps },
  linkId: string,
): Promise<{ readonly link: ListedLink; readonly in: Deps } | null> {
  for (const cell of cells) {
    const deps = inCell(cell);
    const link = await deps.db.select(COLUMNS).from(paymentLinks).where(eq(paymentLinks.id, linkId)).get();
    if (link !== undefined) return { link, in: deps };
  }
  return null;
}

/** The link with this slug, in the cell that the slug names. */
export async function findLinkBySlug(db: Cell, wanted: string): Promise<ListedLink | undefined> {
  return db.select(COLUMNS).from(paymentLinks).where(eq(paymentLinks.slug, wanted)).get();
}

interface LinkAdminDeps extends LinkCache {
  readonly db: Cell;
  readonly clock: Clock;
  processor(environment: Environment): Processor;
}

/**
 * Disables a link, or enables it again: at the processor first, then here. A disabled link is not listed, and its short
 * link leads nowhere within two minutes. Repeated, it does the same again.
 * @throws ServiceFailure from the processor: then nothing is changed here.
 */
export async function setLinkEnabled(deps: LinkAdminDeps, link: ListedLink, enabled: boolean, actor: Actor): Promise<ListedLink> {
  const { db, clock } = deps;
  const call = { deadline: new Deadline(clock, limits.upstream.seconds * SECOND) };
  const processor = deps.processor(link.environment);
  await (enabled ? processor.activatePaymentLink(link.id, call) : processor.deactivatePaymentLink(link.id, call));
  const now = clock.now();
  const isOther = and(eq(paymentLinks.id, link.id), enabled ? isNotNull(paymentLinks.disabledAt) : isNull(paymentLinks.disabledAt));
  const action = `payment_link.${enabled ? "enable" : "disable"}`;
  const [, , [changed]] = await db.batch([
    auditRow(
      db,
      { actor, action, target: link.id, partnerId: link.partnerId },
      now,
      sql`EXISTS (SELECT 1 FROM ${paymentLinks} WHERE ${isOther})`,
    ),
    db
      .update(paymentLinks)
      .set({ disabledAt: enabled ? null : now })
      .where(isOther),
    db.select(COLUMNS).from(paymentLinks).where(eq(paymentLinks.id, link.id)),
  ]);
  if (link.slug !== null) await dropFromCache(deps, link.slug);
  return changed ?? link;
}
