import { recordChange } from "../audit/audit-log.ts";
import type { Clock } from "../core/clock.ts";
import type { WakeUp } from "../core/wake-up.ts";
import type { Database } from "../db/client.ts";
import type { deliveryStates } from "../db/schema/notifications.ts";
import { partnerOfId } from "../partners/store.ts";
import { findEndpoint, isActive, isSuspended, resumeEndpoint, sendExhaustedAgain, suspendEndpoint } from "./endpoints-store.ts";
import { countUndelivered, newestOfEndpoint, newestOfPartner, readDelivery, readEndpoints } from "./oversight-store.ts";
import { sweepDeliveries } from "./sweep.ts";

/** So many rows are shown; counts are whole. */
const MOST_SHOWN = 50;

interface OversightTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly wakeDeliveries: WakeUp;
}

/** A partner's endpoints, or all that fail, rest or are suspended, with how much has not been taken; null for an unknown one. */
export async function overseeEndpoints({ db }: Pick<OversightTools, "db">, partnerId: string | undefined) {
  if (partnerId !== undefined && !(await isPartner(db, partnerId))) return null;
  const found = await readEndpoints(db, partnerId, MOST_SHOWN);
  const counts = await countUndelivered(
    db,
    found.map(({ id }) => id),
  );
  return found.map((endpoint) => ({
    ...endpoint,
    undelivered: counts.filter(({ endpointId }) => endpointId === endpoint.id).map(({ state, count }) => ({ state, count })),
  }));
}

/** Whose deliveries are asked for: a partner's newest, or an endpoint's in one state. */
export type Wanted = { readonly partnerId: string } | { readonly endpointId: string; readonly state: (typeof deliveryStates)[number] };

/** The newest events with their deliveries, fifty at most; null for an unknown partner or endpoint. Two D1 round trips. */
export async function overseeDeliveries({ db }: Pick<OversightTools, "db">, wanted: Wanted) {
  if ("partnerId" in wanted) {
    return (await isPartner(db, wanted.partnerId)) ? newestOfPartner(db, wanted.partnerId, MOST_SHOWN) : null;
  }
  const endpoint = await findEndpoint(db, wanted.endpointId);
  return endpoint === undefined ? null : newestOfEndpoint(db, wanted.endpointId, wanted.state, MOST_SHOWN);
}

async function isPartner(db: Database, partnerId: string): Promise<boolean> {
  return (await partnerOfId(db, partnerId).get()) !== undefined;
}

/** An event, its delivery and every attempt at it; undefined for an unknown one. One D1 round trip. */
export async function showDelivery({ db }: Pick<OversightTools, "db">, eventId: string) {
  return readDelivery(db, eventId);
}

/**
 * Stops an endpoint: nothing is sent to it any more, but what is being sent at this moment; what happens is kept for it.
 * Gives it as it is afterwards; undefined for an unknown one.
 */
export async function suspend({ db, clock }: OversightTools, id: string, actor: string) {
  const now = clock.now();
  const change = recordChange(db, { actor, action: "endpoint.suspend", target: id }, now, isActive(id));
  await db.batch([change, ...suspendEndpoint(db, id, now)]);
  return findEndpoint(db, id);
}

/** Starts a suspended endpoint again: it gets what was kept for it, and what happens from now on. */
export async function resume(tools: OversightTools, id: string, actor: string) {
  const { db, clock } = tools;
  const now = clock.now();
  const change = recordChange(db, { actor, action: "endpoint.resume", target: id }, now, isSuspended(id));
  await db.batch([change, ...resumeEndpoint(db, id, now)]);
  await sweepDeliveries(tools);
  return findEndpoint(db, id);
}

/**
 * Begins the schedule anew for what was given up after its last attempt, of events since a moment (Unix milliseconds).
 * Nothing for an endpoint that is suspended: it is to be resumed first. Gives how many were begun; undefined for an
 * unknown endpoint.
 */
export async function sendExhausted(tools: OversightTools, id: string, actor: string, since: number) {
  const { db, clock } = tools;
  const now = clock.now();
  const change = recordChange(db, { actor, action: "endpoint.send_exhausted", target: id, details: { since } }, now, isActive(id));
  const [, begun] = await db.batch([change, sendExhaustedAgain(db, id, since, now)]);
  await sweepDeliveries(tools);
  const endpoint = await findEndpoint(db, id);
  return endpoint && { endpoint, begun: begun.meta.changes };
}
