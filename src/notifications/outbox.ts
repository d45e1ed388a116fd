import { type SQL, sql } from "drizzle-orm";
import { isoTime } from "../core/clock.ts";
import type { WakeUp } from "../core/wake-up.ts";
import type { Database, Statement } from "../db/client.ts";
import { insertDelivery, insertEvent } from "./deliveries-store.ts";
import type { PartnerEvent } from "./events.ts";

export interface OutboxTools {
  readonly db: Database;
  readonly wakeDeliveries: WakeUp;
}

/**
 * The rows that tell a partner of an event, to be written in one batch with what caused it. Nothing is added for a
 * cause that has been recorded before, where `onlyIf` does not hold at that point of the batch, and no delivery where
 * the partner has registered no endpoint.
 */
export function recordEvent(tools: Pick<OutboxTools, "db">, event: PartnerEvent, now: number, onlyIf: SQL = sql`TRUE`): Statement[] {
  return [insertEvent(tools.db, event, bodyOf(event, now), now, onlyIf), insertDelivery(tools.db, event.id, now)];
}

/** Has the deliveries of recorded events begin at once. Never fails: the cron finds what was not woken. */
export async function wakeUpFor(tools: Pick<OutboxTools, "wakeDeliveries">, events: readonly PartnerEvent[]): Promise<void> {
  await tools.wakeDeliveries.send(events.map(({ id }) => id));
}

/** The text that is sent and signed, the same at every attempt. */
function bodyOf(event: PartnerEvent, now: number): string {
  return JSON.stringify({ id: event.id, event: event.name, environment: event.environment, created_at: isoTime(now), ...event.payload });
}
