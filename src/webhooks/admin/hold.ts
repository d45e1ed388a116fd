import { and, eq, gt, inArray } from "drizzle-orm";
import { type Cell, inList, runBatch } from "../../db/client.ts";
import { endpoints } from "../../db/schema/webhooks.ts";
import { type SweepDeps, sweepDeliveries } from "../delivery/sweep.ts";
import { resumeEndpoint, suspendEndpoint } from "../endpoints/store.ts";
import { endpointsOfPartner, isUnhealthy } from "./store.ts";

async function endpointIdsOf(db: Cell, partnerId: string): Promise<string[]> {
  return (await endpointsOfPartner(db, partnerId)).map(({ id }) => id);
}

/** Suspends the active endpoints of a disabled partner: its events are kept. Two D1 round trips. */
export async function holdEndpointsOf({ db, clock }: SweepDeps, partnerId: string): Promise<void> {
  const ids = await endpointIdsOf(db, partnerId);
  await runBatch(
    db,
    ids.flatMap((id) => suspendEndpoint(db, id, clock.now(), "partner_disabled")),
  );
}

/**
 * Resumes endpoints that were suspended with their partner, after the partner is enabled again: the kept events are
 * sent.
 */
export async function releaseEndpointsOf(deps: SweepDeps, partnerId: string): Promise<void> {
  const { db, clock } = deps;
  const ids = await endpointIdsOf(db, partnerId);
  await runBatch(
    db,
    ids.flatMap((id) => resumeEndpoint(db, id, clock.now(), "of_enabled_partner")),
  );
  await sweepDeliveries(deps);
}

/** The partners of a cell whose endpoints are suspended with them. */
export async function heldPartners(db: Cell): Promise<string[]> {
  // The first condition is that of the partial index of unhealthy endpoints.
  const isHeld = and(isUnhealthy, gt(endpoints.updatedAt, 0), eq(endpoints.suspensionReason, "partner_disabled"));
  const rows = await db.select({ id: endpoints.partnerId }).from(endpoints).where(isHeld).all();
  return [...new Set(rows.map(({ id }) => id))];
}

/** Those partners that have an active endpoint. */
export async function partnersWithActiveEndpoint(db: Cell, partnerIds: readonly string[]): Promise<string[]> {
  const isActive = and(inArray(endpoints.partnerId, inList(partnerIds)), eq(endpoints.status, "active"));
  const rows = await db.selectDistinct({ id: endpoints.partnerId }).from(endpoints).where(isActive).all();
  return rows.map(({ id }) => id);
}
