import { z } from "zod";
import { HOUR, SECOND } from "../core/clock.ts";
import { parseJson } from "../core/json.ts";
import { describeThrown } from "../core/log.ts";
import type { WakeUp } from "../core/wake-up.ts";
import { writeTogether } from "../db/client.ts";
import type { ProcessorEvent } from "../processor/events.ts";
import { type LedgerTools, recordCharge } from "./record-charge.ts";
import { findProcessorEvent, insertProcessorEvent, markFailed, markProcessed } from "./store.ts";

/** After this many failed tries an event is parked, where an operator sees it. With the waits below: about a day. */
const MOST_ATTEMPTS = 12;
const FIRST_WAIT = 5 * SECOND;
const LONGEST_WAIT = 6 * HOUR;

export interface ProcessorEventTools extends LedgerTools {
  readonly wakeProcessorEvents: WakeUp;
}

/**
 * Stores an event whose signature has been checked, and has it worked off by the queue. When this returns, the
 * event may be acknowledged: whatever happens to the message, the cron finds the row.
 */
export async function receiveProcessorEvent(tools: ProcessorEventTools, event: ProcessorEvent, payload: string): Promise<void> {
  const isNew = await insertProcessorEvent(tools.db, event, payload, tools.clock.now());
  if (isNew) await wake(tools, event.id);
}

/**
 * Works a stored event off. Doing it twice does no harm, since state is fetched anew and written by the processor's
 * ids; a failure puts it off with growing waits, and at last parks it. It is never dropped.
 */
export async function workOffProcessorEvent(tools: ProcessorEventTools, eventId: string): Promise<void> {
  const event = await findProcessorEvent(tools.db, eventId);
  if (event === undefined || event.state !== "received") return;
  try {
    const chargeId = chargeOf(event);
    const done = (now: number) => [markProcessed(tools.db, eventId, now)];
    if (chargeId === null) await writeTogether(tools.db, done(tools.clock.now()));
    else await recordCharge(tools, event.environment, chargeId, done);
  } catch (thrown) {
    const attempts = event.attempts + 1;
    const fault = describeThrown(thrown);
    const wait = Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT);
    const next = attempts >= MOST_ATTEMPTS ? ("parked" as const) : { at: tools.clock.now() + wait };
    await markFailed(tools.db, eventId, { attempts, lastError: `${fault.error_class}: ${fault.error_text}`, next });
    tools.log.error("processor event not worked off", { event: eventId, attempts, parked: next === "parked", ...fault });
    if (next !== "parked") await wake(tools, eventId, Math.ceil(wait / SECOND));
  }
}

/** The part of a payment intent's event that names its charge. */
const paymentIntentEvent = z.object({ data: z.object({ object: z.object({ latest_charge: z.string().nullable() }) }) });

/** The charge that an event is about, or null for an event that moves no money that is recorded so far. */
function chargeOf(event: { readonly type: string; readonly objectId: string; readonly payload: string }): string | null {
  switch (event.type) {
    case "charge.succeeded":
    case "charge.updated":
      return event.objectId;
    case "payment_intent.succeeded":
      return parseJson(paymentIntentEvent, event.payload).data.object.latest_charge;
    default:
      return null;
  }
}

async function wake(tools: ProcessorEventTools, eventId: string, delaySeconds?: number): Promise<void> {
  try {
    await tools.wakeProcessorEvents.send([eventId], delaySeconds === undefined ? undefined : { delaySeconds });
  } catch (thrown) {
    tools.log.error("processor event not woken", { event: eventId, ...describeThrown(thrown) });
  }
}
