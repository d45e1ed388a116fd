import { and, eq, ne, or, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { partners } from "../../db/schema/partners.ts";
import type { PartnerAdminDeps } from "./partners.ts";

/** What a partner's owners set. Left out: it stays. */
export interface PartnerSettings {
  readonly timeZone?: string | undefined;
  readonly expiredCheckouts?: boolean | undefined;
}

const SHOWN = sql`json_object('time_zone', ${partners.timeZone}, 'expired_checkouts', json(iif(${partners.expiredCheckouts}, 'true', 'false')))`;

/**
 * Sets a partner's time zone, for all that is reported from now on (a closed statement keeps its own), and whether it has an event for
 * each checkout that ended unpaid. One D1 round trip.
 */
export async function setPartnerSettings(
  { directory, clock }: PartnerAdminDeps,
  partnerId: string,
  { timeZone, expiredCheckouts }: PartnerSettings,
  actor: Actor,
): Promise<void> {
  const isOf = eq(partners.id, partnerId);
  const isOther = or(
    timeZone === undefined ? undefined : ne(partners.timeZone, timeZone),
    expiredCheckouts === undefined ? undefined : ne(partners.expiredCheckouts, expiredCheckouts),
  );
  const isChange = sql`EXISTS (SELECT 1 FROM ${partners} WHERE ${and(isOf, isOther ?? sql`FALSE`)})`;
  const before = sql`(SELECT ${SHOWN} FROM ${partners} WHERE ${isOf})`;
  const after = {
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(expiredCheckouts !== undefined && { expired_checkouts: expiredCheckouts }),
  };
  await directory.batch([
    auditRow(directory, { actor, action: "partner.set", target: partnerId, partnerId, before, after }, clock.now(), isChange),
    directory
      .update(partners)
      .set({ ...(timeZone !== undefined && { timeZone }), ...(expiredCheckouts !== undefined && { expiredCheckouts }) })
      .where(and(isOf, isOther ?? sql`FALSE`)),
  ]);
}
