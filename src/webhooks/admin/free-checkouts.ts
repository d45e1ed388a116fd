import { and, sql } from "drizzle-orm";
import type { Cell } from "../../db/client.ts";
import { events } from "../../db/schema/webhooks.ts";
import { isFirstDelivery, isRealEvent } from "../endpoints/delivery-state.ts";

// The texts must match the partial index of these events.
const IS_CHECKOUT = sql`name = 'Processor.checkout.completed'`;
const REFERENCE = sql`payload ->> '$.checkout.client_reference_id'`;

/** Events of checkouts without a payment, by the partner's order reference: at most `limit`. By index. */
export async function eventsOfCheckouts(db: Cell, reference: string, limit: number) {
  return db
    .select({ eventId: events.id, partnerId: events.partnerId, environment: events.environment })
    .from(events)
    .where(and(IS_CHECKOUT, sql`${REFERENCE} = ${reference}`, isRealEvent, isFirstDelivery))
    .limit(limit)
    .all();
}
