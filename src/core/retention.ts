import * as z from "zod";
import { DAY, HOUR } from "./clock.ts";
import { limits } from "./limits.ts";

/** Above this, a result may be let go of: it is not replayed any more, and an hour is left for clocks that differ. */
const AFTER_REPLAY = limits.replay.hours + 1;
/** The processor lists its events for 30 days, and what it lists and we do not have is fetched again. */
const AFTER_LISTS = 31;
/** A delivery is retried for about three days, and an endpoint may only fail for five. */
const AFTER_DELIVERY = 14;

/** Days that the pictures of operators show, today included. */
export const FIGURE_DAYS = 30;

const days = (least: number, usual: number) =>
  z
    .int()
    .min(least)
    .default(usual)
    .transform((count) => count * DAY);
const hours = (least: number, usual: number) =>
  z
    .int()
    .min(least)
    .default(usual)
    .transform((count) => count * HOUR);

/**
 * How long each kind of row is kept, in milliseconds; the settings are in days or hours. Everything else is kept for
 * good. Nothing that waits for somebody, or that could still be done, is let go of. docs/deploy.md lists the settings.
 */
export const retentionSchema = z.strictObject({
  /** Events of the processor, after they were stored. */
  processor_event_days: days(AFTER_LISTS, 45),
  /** Notifications of the bank, after they first came. */
  bank_notification_days: days(AFTER_LISTS, 45),
  /** Events for partners whose delivery has ended, after they were recorded. They are counted for {@link FIGURE_DAYS} days. */
  partner_event_days: days(FIGURE_DAYS + 1, 180),
  /** What agents were given, after it expired. */
  ended_grant_days: days(1, 400),
  /** Attempts at deliveries. */
  delivery_attempt_days: days(AFTER_DELIVERY, 90),
  /** Figures of a day. The pictures show {@link FIGURE_DAYS} days. */
  daily_figure_days: days(FIGURE_DAYS + 1, 400),
  /** Records of requests without a token, after their result; the second generation. */
  content_record_hours: hours(AFTER_REPLAY, 48),
  /** Results under an `idempotency_key`. Key and fingerprint stay: another body is a conflict at any time. */
  first_generation_result_hours: hours(AFTER_REPLAY, 48),
});

export type Retention = z.output<typeof retentionSchema>;
