import type { SQL } from "drizzle-orm";
import type { AuditAction } from "../../audit/actions.ts";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { isoTime, type Period } from "../../core/clock.ts";
import { partnerOfEndpoint } from "../../core/ids.ts";
import type { Cell } from "../../db/client.ts";
import type { PageKey } from "../../db/page-key.ts";
import type { PartnerData } from "../../db/partner-data.ts";
import { type SweepDeps, sweepDeliveries } from "../delivery/sweep.ts";
import {
  canBeResumed,
  canBeSuspended,
  canBeUnregistered,
  findEndpoint,
  isActive,
  lastOfPeriod,
  MAX_AGAIN,
  rescheduleAll,
  resumeEndpoint,
  suspendEndpoint,
} from "../endpoints/store.ts";
import { MAX_PULLED } from "./restart.ts";
import { countUndelivered, endpointsOfPartner, unhealthyEndpoints } from "./store.ts";

/** A partner's endpoints, with the number of undelivered deliveries in all its cells. */
export async function listEndpoints({ db, data }: { readonly db: Cell; readonly data: PartnerData }, partnerId: string) {
  return withCounts(
    data.cells.map((cell) => cell.db),
    await endpointsOfPartner(db, partnerId),
  );
}

/** The endpoints of a cell that are failing, in cooldown or suspended, latest change first. */
export async function listUnhealthyEndpoints({ db }: Pick<SweepDeps, "db">, before: PageKey | undefined, limit: number) {
  return withCounts([db], await unhealthyEndpoints(db, before, limit));
}

async function withCounts<Endpoint extends { readonly id: string }>(cells: readonly Cell[], found: readonly Endpoint[]) {
  const ids = found.map(({ id }) => id);
  const counts = (await Promise.all(cells.map((db) => countUndelivered(db, ids)))).flat();
  return found.map((endpoint) => {
    const own = Map.groupBy(
      counts.filter(({ endpointId }) => endpointId === endpoint.id),
      ({ state }) => state,
    );
    return { ...endpoint, undelivered: [...own].map(([state, rows]) => ({ state, count: rows.reduce((sum, row) => sum + row.count, 0) })) };
  });
}

/**
 * Suspends an endpoint. No new attempts are made; attempts in progress continue. New events are kept as suspended
 * deliveries. `note`: why, in words that its partner reads. Returns the updated endpoint, or undefined for an unknown endpoint.
 */
export function suspendManually(deps: SweepDeps, id: string, note: string | null, actor: Actor) {
  return suspend(deps, id, { action: "endpoint.suspend", reason: "operator", note, onlyIf: canBeSuspended(id, note) }, actor);
}

/**
 * Unregisters an endpoint for its partner: it is suspended until the partner registers or resumes it, and its events are
 * kept. An operator's suspension stays. Returns the updated endpoint, or undefined for an unknown endpoint.
 */
export function unregister(deps: SweepDeps, id: string, actor: Actor) {
  return suspend(deps, id, { action: "endpoint.unregister", reason: "unregistered", note: null, onlyIf: canBeUnregistered(id) }, actor);
}

interface Suspension {
  readonly action: AuditAction;
  readonly reason: "operator" | "unregistered";
  readonly note: string | null;
  readonly onlyIf: SQL;
}

async function suspend({ db, clock }: SweepDeps, id: string, { action, reason, note, onlyIf }: Suspension, actor: Actor) {
  const now = clock.now();
  const entry = { actor, action, target: id, partnerId: partnerOfEndpoint(id), ...(note !== null && { after: { reason: note } }) };
  await db.batch([auditRow(db, entry, now, onlyIf), ...suspendEndpoint(db, id, now, reason, note)]);
  return findEndpoint(db, id);
}

/**
 * Resumes a suspended endpoint: it receives the deliveries kept during the suspension, and new events. An endpoint of a
 * disabled partner stays suspended. A partner cannot lift an operator's suspension.
 */
export async function resumeManually(deps: SweepDeps, id: string, actor: Actor, by: "by_operator" | "by_partner" = "by_operator") {
  const { db, clock } = deps;
  const now = clock.now();
  const entryRow = auditRow(
    db,
    { actor, action: "endpoint.resume", target: id, partnerId: partnerOfEndpoint(id) },
    now,
    canBeResumed(id, by),
  );
  const [, resumed] = await db.batch([entryRow, ...resumeEndpoint(db, id, now, by)]);
  if (by === "by_operator" || resumed.meta.changes > 0) await sweepDeliveries(deps);
  return findEndpoint(db, id);
}

/**
 * The part of a period that one call resends: up to some 2,000 events, or 100 of an earlier cell of a partner that was split by
 * time. `nextFrom`: where the next call begins; null if no events are left.
 */
export async function firstPageOf(data: PartnerData, id: string, { from, to }: Period) {
  const ends = data.cells.map(({ db }, index) => lastOfPeriod(db, id, { from, to }, index === 0 ? MAX_AGAIN : MAX_PULLED));
  const lasts = (await Promise.all(ends)).filter((last) => last !== null);
  const nextFrom = lasts.length === 0 ? null : Math.min(...lasts) + 1;
  return { page: { from, to: nextFrom ?? to }, nextFrom };
}

/**
 * Resends all events of an endpoint in the partner's current cell from a period (Unix milliseconds: `from` inclusive, `to`
 * exclusive) under their ids, unless their delivery is still scheduled. Does nothing for a suspended endpoint. Returns the
 * endpoint and the number of restarted deliveries. Undefined for an unknown endpoint.
 */
export async function resendPeriod(deps: SweepDeps, id: string, actor: Actor, { from, to }: Period) {
  const { db, clock } = deps;
  const now = clock.now();
  const after = { since: isoTime(from), until: isoTime(to) };
  const entry = { actor, action: "endpoint.send_again" as const, target: id, partnerId: partnerOfEndpoint(id), after };
  const [, restarted] = await db.batch([auditRow(db, entry, now, isActive(id)), rescheduleAll(db, id, { from, to }, now)]);
  await sweepDeliveries(deps);
  const endpoint = await findEndpoint(db, id);
  return endpoint && { endpoint, restarted: restarted.meta.changes };
}
