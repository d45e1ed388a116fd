import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Cell, Statement } from "../../db/client.ts";
import { type channels, endpointSecrets, endpoints } from "../../db/schema/webhooks.ts";
import { endDeliveries } from "./store.ts";

/** The endpoints of a partner that are a channel for people, in the order of their names. By index. */
export function endpointsOf(db: Cell, partnerId: string, channel: (typeof channels)[number]) {
  return db
    .select()
    .from(endpoints)
    .where(and(eq(endpoints.partnerId, partnerId), eq(endpoints.channel, channel)))
    .orderBy(endpoints.environment, endpoints.code)
    .all();
}

/** Removes a channel, if `onlyIf` is true at that point of the batch. What waits for it is not sent any more. */
export const removeChannel = (db: Cell, id: string, onlyIf: SQL = sql`TRUE`): Statement[] => [
  ...endDeliveries(db, id, onlyIf, ["pending", "suspended", "sending"]),
  db.delete(endpointSecrets).where(and(eq(endpointSecrets.endpointId, id), onlyIf)),
  db.delete(endpoints).where(and(eq(endpoints.id, id), onlyIf)),
];
