import { expireBankNotifications } from "./bank-payments/expire.ts";
import type { Deps } from "./deps.ts";
import { expireContentRecords, expireFirstGenerationResults } from "./idempotency/expire.ts";
import { expireProcessorEvents } from "./ledger/expire.ts";
import { expireAttempts, expirePartnerEvents } from "./webhooks/delivery/expire.ts";

/**
 * Lets go of what is not kept any longer, a thousand rows of each table at a time. A minute later, the next run goes on
 * there. Returns the number of rows.
 */
export async function letGo({ db, clock, settings }: Pick<Deps, "db" | "clock" | "settings">): Promise<number> {
  const { retention } = settings;
  const before = (kept: number) => clock.now() - kept;
  const counts = [
    await expireProcessorEvents(db, before(retention.processor_event_days)),
    await expireBankNotifications(db, before(retention.bank_notification_days)),
    await expirePartnerEvents(db, before(retention.partner_event_days)),
    await expireAttempts(db, before(retention.delivery_attempt_days)),
    await expireContentRecords(db, before(retention.content_record_hours)),
    await expireFirstGenerationResults(db, before(retention.first_generation_result_hours)),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}
