import * as z from "zod";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { CellCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import { type Cell, runBatch } from "../db/client.ts";
import { completeManually, type KeyActors } from "../idempotency/client.ts";
import { findLinkRow } from "./admin/links.ts";

/** The fields that the result of every link operation has. */
const madeLinkSchema = z.object({ paymentLinkId: z.string(), slug: z.string() });

/**
 * Manually creates the missing short link of a payment link, after the short-link service failed (interface F.10).
 * Support does this on a partner's behalf. The partner's repeated request then succeeds. Nothing is created at the
 * processor. A repeated call for a link of operation 1 returns the same slug.
 * @returns the slug; null if the link does not exist or does not wait for a short link.
 * @throws ServiceFailure `short_link_unavailable` if it fails again: the short link is still missing.
 */
export async function completeShortLinkManually(
  deps: { readonly databaseName: CellCode; readonly db: Cell; readonly clock: Clock; readonly keyActors: KeyActors },
  paymentLinkId: string,
  actor: Actor,
): Promise<string | null> {
  const found = await findLinkRow(deps.db, paymentLinkId);
  if (found === undefined || found.recordId === null) return null;
  if (found.slug !== null) return found.source === "product" ? found.slug : null;
  // The key's object creates the short link, so the entry only records the request.
  const entry = { actor, action: "short_link.complete" as const, target: paymentLinkId, partnerId: found.partnerId };
  const audit = async () => void (await runBatch(deps.db, [auditRow(deps.db, entry, deps.clock.now())]));
  const link = await completeManually(deps, { result: madeLinkSchema }, found.recordId, audit);
  return link?.paymentLinkId === paymentLinkId ? link.slug : null;
}
