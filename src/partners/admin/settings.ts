import { eq, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { partners } from "../../db/schema/partners.ts";
import type { PartnerAdminDeps } from "./partners.ts";

/**
 * Sets the time zone of a partner's days and months, for all that is reported from now on. A closed statement keeps its own. One D1
 * round trip.
 */
export async function setTimeZone(
  { directory, clock }: PartnerAdminDeps,
  partnerId: string,
  timeZone: string,
  actor: Actor,
): Promise<void> {
  const isOther = sql`EXISTS (SELECT 1 FROM ${partners} WHERE ${partners.id} = ${partnerId} AND ${partners.timeZone} <> ${timeZone})`;
  const before = sql`(SELECT json_object('time_zone', ${partners.timeZone}) FROM ${partners} WHERE ${partners.id} = ${partnerId})`;
  const entry = { actor, action: "partner.set_time_zone", target: partnerId, partnerId, before, after: { time_zone: timeZone } };
  await directory.batch([
    auditRow(directory, entry, clock.now(), isOther),
    directory.update(partners).set({ timeZone }).where(eq(partners.id, partnerId)),
  ]);
}
