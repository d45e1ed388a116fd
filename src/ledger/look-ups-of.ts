import { inArray } from "drizzle-orm";
import { type Database, inList } from "../db/client.ts";
import { processorEvents, refreshes } from "../db/schema/ledger.ts";

/** Events of one question that are shown. */
const MAX_EVENTS = 200;

/**
 * What the processor has reported of some payments and subscriptions, and which of them wait for their look-up. Events are kept for as
 * long as docs/privacy.md says. One round trip.
 */
export async function lookUpsOf(db: Database, subjects: readonly string[]) {
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
