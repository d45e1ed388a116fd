import { inArray } from "drizzle-orm";
import { type Database, inList } from "../db/client.ts";
import { processorEvents, refreshes } from "../db/schema/ledger.ts";

/** The maximum number of events of one query. */
const MAX_EVENTS = 200;

/**
 * The processor's reports about some payments and subscriptions, and their pending look-ups. Events are kept for the
 * time in docs/privacy.md. One round trip.
 */
export async function processorReportsOf(db: Database, subjects: readonly string[]) {
  const [waiting, reported] = await db.batch([
    db
      .select()
      .from(refreshes)
      .where(inArray(refreshes.subject, inList(subjects))),
    db
      .select()
      .from(processorEvents)
      .where(inArray(processorEvents.subject, inList(subjects)))
      .limit(MAX_EVENTS),
  ]);
  return { waiting, reported };
}
