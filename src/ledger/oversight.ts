import { recordChange } from "../audit/audit-log.ts";
import type { Environment } from "../core/environment.ts";
import { newId } from "../core/ids.ts";
import { type Database, writeTogether } from "../db/client.ts";
import { countParkedEvents, isParked, parkedEvents, unpark } from "./events-store.ts";
import { type ProcessorEventTools, receiveFoundEvents, wake } from "./processor-events.ts";
import { allSweeps, countUnattributed, unattributedMovements } from "./store.ts";
import { typeToLookAt } from "./subjects.ts";

/** So many of each are shown; the counts are whole. */
const MOST_SHOWN = 50;

/**
 * What in the ledger waits for a person: movements that nobody is known to own, events of the processor that could not
 * be worked off, and how far the sweeps have come and how much they found that events had missed. One D1 round trip.
 */
export async function overseeLedger({ db }: { readonly db: Database }) {
  const [[unattributed], movements, [parked], events, sweeps] = await db.batch([
    countUnattributed(db),
    unattributedMovements(db, MOST_SHOWN),
    countParkedEvents(db),
    parkedEvents(db, MOST_SHOWN),
    allSweeps(db),
  ]);
  return {
    unattributed: { count: unattributed?.count ?? 0, newest: movements },
    parked: { count: parked?.count ?? 0, newest: events },
    sweeps,
  };
}

/** Has a parked event tried again from the start. False where there is no parked event of that id. */
export async function retryParkedEvent(tools: ProcessorEventTools, id: string, actor: string): Promise<boolean> {
  const now = tools.clock.now();
  const change = recordChange(tools.db, { actor, action: "ledger.retry", target: id }, now, isParked(id));
  const [, moved] = await tools.db.batch([change, unpark(tools.db, id, now)]);
  if (moved.length === 0) return false;
  await wake(tools, [id], 0);
  return true;
}

/**
 * Has something of the processor's looked at anew, as if an event had told of it: for a payment whose partner can be
 * told by now. Gives the id of the event that stands for it; null for an id of something that is not recorded.
 */
export async function lookAgain(
  tools: ProcessorEventTools,
  environment: Environment,
  objectId: string,
  actor: string,
): Promise<string | null> {
  const type = typeToLookAt(objectId);
  if (type === null) return null;
  const event = { id: newId("ops"), type, environment, objectId };
  await writeTogether(tools.db, [
    recordChange(tools.db, { actor, action: "ledger.look", target: objectId, details: { environment } }, tools.clock.now()),
  ]);
  await receiveFoundEvents(tools, [{ event, payload: "{}" }]);
  return event.id;
}
