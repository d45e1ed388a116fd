import { auditRow } from "../../audit/audit-log.ts";
import type { CellCode } from "../../core/cell-code.ts";
import type { Clock } from "../../core/clock.ts";
import type { MessageQueue } from "../../core/message-queue.ts";
import type { Cell } from "../../db/client.ts";
import type { deliveryStates } from "../../db/schema/webhooks.ts";
import { sweepDeliveries } from "../delivery/sweep.ts";
import { findEndpoint, isActive, isSuspended, rescheduleExhausted, resumeEndpoint, suspendEndpoint } from "../endpoints/store.ts";
import { countUndelivered, newestOfEndpoint, newestOfPartner, readDelivery, readEndpoints } from "./store.ts";

/** The maximum number of rows in a list. Counts are not limited. */
const PAGE_LIMIT = 50;

interface AdminDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly deliveryQueue: MessageQueue;
}

/** All endpoints that are failing, in cooldown or suspended, latest change first, fifty at most. */
export async function listUnhealthyEndpoints(deps: {
  readonly cells: readonly CellCode[];
  readonly inCell: (cell: CellCode) => { readonly db: Cell };
}) {
  const found = await Promise.all(deps.cells.map((cell) => listEndpoints(deps.inCell(cell), undefined)));
  return found
    .flat()
    .toSorted((left, right) => right.updatedAt - left.updatedAt)
    .slice(0, PAGE_LIMIT);
}

/**
 * A partner's endpoints, with the number of undelivered deliveries. Without a partner: all endpoints of the cell that are
 * failing, in cooldown or suspended.
 */
export async function listEndpoints({ db }: Pick<AdminDeps, "db">, partnerId: string | undefined) {
  const found = await readEndpoints(db, partnerId, PAGE_LIMIT);
  const counts = await countUndelivered(
    db,
    found.map(({ id }) => id),
  );
  return found.map((endpoint) => ({
    ...endpoint,
    undelivered: counts.filter(({ endpointId }) => endpointId === endpoint.id).map(({ state, count }) => ({ state, count })),
  }));
}

/** Which deliveries to list: the newest of a partner, or the newest of an endpoint in one state. */
export type DeliveryFilter =
  | { readonly partnerId: string }
  | { readonly endpointId: string; readonly state: (typeof deliveryStates)[number] };

/** The newest events with their deliveries, fifty at most; null for an unknown endpoint. */
export async function listDeliveries({ db }: Pick<AdminDeps, "db">, wanted: DeliveryFilter) {
  if ("partnerId" in wanted) return newestOfPartner(db, wanted.partnerId, PAGE_LIMIT);
  const endpoint = await findEndpoint(db, wanted.endpointId);
  return endpoint === undefined ? null : newestOfEndpoint(db, wanted.endpointId, wanted.state, PAGE_LIMIT);
}

/** An event, its delivery and all attempts; undefined for an unknown event. One D1 round trip. */
export async function getDelivery({ db }: Pick<AdminDeps, "db">, eventId: string) {
  return readDelivery(db, eventId);
}

/**
 * Suspends an endpoint. No new attempts are made; attempts in progress continue. New events are kept as suspended
 * deliveries. Returns the updated endpoint, or undefined for an unknown endpoint.
 */
export async function suspend({ db, clock }: AdminDeps, id: string, actor: string) {
  const now = clock.now();
  const change = auditRow(db, { actor, action: "endpoint.suspend", target: id }, now, isActive(id));
  await db.batch([change, ...suspendEndpoint(db, id, now)]);
  return findEndpoint(db, id);
}

/** Resumes a suspended endpoint: it receives the deliveries kept during the suspension, and new events. */
export async function resume(deps: AdminDeps, id: string, actor: string) {
  const { db, clock } = deps;
  const now = clock.now();
  const change = auditRow(db, { actor, action: "endpoint.resume", target: id }, now, isSuspended(id));
  await db.batch([change, ...resumeEndpoint(db, id, now)]);
  await sweepDeliveries(deps);
  return findEndpoint(db, id);
}

/**
 * Restarts the schedule of exhausted deliveries, for events created at or after `since` (Unix milliseconds). Does
 * nothing for a suspended endpoint: resume it first. Returns the endpoint and the number of restarted deliveries, or
 * undefined for an unknown endpoint.
 */
export async function sendExhausted(deps: AdminDeps, id: string, actor: string, since: number) {
  const { db, clock } = deps;
  const now = clock.now();
  const change = auditRow(db, { actor, action: "endpoint.send_exhausted", target: id, details: { since } }, now, isActive(id));
  const [, restarted] = await db.batch([change, rescheduleExhausted(db, id, since, now)]);
  await sweepDeliveries(deps);
  const endpoint = await findEndpoint(db, id);
  return endpoint && { endpoint, restarted: restarted.meta.changes };
}
