import { recordChange } from "../audit/audit-log.ts";
import type { Environment } from "../core/environment.ts";
import { type Database, writeTogether } from "../db/client.ts";
import type { PaymentSource } from "../processor/facts.ts";
import { countParkedEvents, isParked, parkedEvents, unpark } from "./events-store.ts";
import { transactionIdOf } from "./movement.ts";
import type { ProcessorEventTools } from "./processor-events.ts";
import { type LedgerTools, recordPayment } from "./record-payment.ts";
import { recordSubscription } from "./record-subscription.ts";
import { allSweeps, countUnattributed, unattributedMovements, unattributedOfPayment } from "./store.ts";
import { subjectOfId } from "./subjects.ts";

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
  await tools.wakeProcessorEvents.send([id]);
  return true;
}

/** So many other movements of a payment are looked at with it. */
const MOST_SIBLINGS = 20;

/** Something that was looked at, and whose it was found to be. */
export interface Looked {
  readonly id: string;
  readonly partnerId: string | null;
}

/**
 * Looks at something of the processor's anew: for a payment or subscription whose partner can be told by now. What else
 * of the payment had no partner is looked at with it, so that refunds and disputes follow, and are told. Gives what was
 * found; null for an id of something that is not recorded. @throws ServiceFailure as the processor's.
 */
export async function lookAgain(
  tools: LedgerTools,
  environment: Environment,
  id: string,
  actor: string,
): Promise<readonly Looked[] | null> {
  const about = subjectOfId(id);
  if (about.kind === "nothing") return null;
  const change = { actor, action: "ledger.look", target: id, details: { environment } };
  await writeTogether(tools.db, [recordChange(tools.db, change, tools.clock.now())]);
  if (about.kind === "subscription") {
    return [{ id, partnerId: await recordSubscription(tools, environment, id, () => []) }];
  }
  const found = new Map<string, Looked>();
  const look = async (source: PaymentSource) => {
    const movements = await recordPayment(tools, environment, source, () => []);
    for (const movement of movements) found.set(movement.id, movement);
    return movements[0]?.paymentIntentId ?? null;
  };
  const paymentIntentId = await look(about);
  const siblings = paymentIntentId === null ? [] : await unattributedOfPayment(tools.db, paymentIntentId, MOST_SIBLINGS);
  for (const sibling of siblings.filter((movement) => !found.has(movement.id))) {
    await look({ kind: "balance_transaction", id: transactionIdOf(sibling.id) });
  }
  return [...found.values()].map((movement) => ({ id: movement.id, partnerId: movement.partnerId }));
}
