import type { Account } from "./account.ts";
import type { ProcessorEvent } from "./facts.ts";
import { listCreatedBetween } from "./pages.ts";
import type { Call } from "./port.ts";
import { eventSchema, toEvent } from "./read-event.ts";

/**
 * Events of these types (at most 20) created between two times, newest first, at most `limit`; one month back at
 * most. Unreadable events are logged and left out of `events`, but `count` includes them.
 */
export async function listEvents(
  { stripe, report }: Account,
  types: readonly string[],
  from: number,
  to: number,
  limit: number,
  { budget }: Call,
): Promise<{ readonly count: number; readonly events: ProcessorEvent[] }> {
  const found = await listCreatedBetween({ from, to, limit, budget }, (params, timeout) =>
    stripe.events.list({ ...params, types: [...types] }, { timeout }),
  );
  const events = found.flatMap((listed) => {
    const event = eventSchema.safeParse(listed);
    // An unreadable event stops only itself: its money is also found by its transaction.
    if (!event.success) report("event", event.error.issues[0]?.path.join(".") ?? "");
    return event.success ? [toEvent(event.data)] : [];
  });
  return { count: found.length, events };
}
