import { and, eq } from "drizzle-orm";
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

/** Removes a channel. What waits for it is not sent any more. */
export const removeChannel = (db: Cell, id: string): Statement[] => [
  ...endDeliveries(db, id),
  db.delete(endpointSecrets).where(eq(endpointSecrets.endpointId, id)),
  db.delete(endpoints).where(eq(endpoints.id, id)),
];
