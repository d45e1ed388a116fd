import * as z from "zod";
import { DAY, HOUR } from "./clock.ts";
import { limits } from "./limits.ts";

/** Results older than this may be deleted: the replay window is over, and an hour is left for clock differences. */
const AFTER_REPLAY = limits.replay.hours + 1;
/**
 * The processor lists its events for 30 days. An event that it lists and that is missing here would be fetched again.
 */
const AFTER_LISTS = 31;
/** A delivery is retried for about three days, and an endpoint may only fail for five. */
const AFTER_DELIVERY = 14;

/** Days that the operators' charts show, today included. */
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
 * How long each kind of row is kept, in milliseconds; the settings are in days or hours. All other rows are kept
 * permanently. A row is never deleted while it waits for an operator or for the service. docs/deploy.md lists the
 * settings.
 */
export const retentionSchema = z.strictObject({
  /** The processor's events, from when they were stored. */
  processor_event_days: days(AFTER_LISTS, 45),
  /** The bank's notifications, from when they first arrived. */
  bank_notification_days: days(AFTER_LISTS, 45),
  /**
   * Partner events whose delivery has ended, from when they were recorded. They are counted for {@link FIGURE_DAYS}
   * days.
   */
  partner_event_days: days(FIGURE_DAYS + 1, 180),
  /** Grants of agents, from when they expired. */
  ended_grant_days: days(1, 400),
  /** What agents had a person confirm, from when it could no longer be decided or carried out. */
  confirmation_days: days(1, 31),
  /** Attempts at deliveries. */
  delivery_attempt_days: days(AFTER_DELIVERY, 90),
  /** Refused requests, for partners to look at, and refused keys, for operators. */
  refused_request_days: days(1, 7),
  /** Daily figures. The charts show {@link FIGURE_DAYS} days. */
  daily_figure_days: days(FIGURE_DAYS + 1, 400),
  /** Records of requests without a token, from their result; second generation. */
  content_record_hours: hours(AFTER_REPLAY, 48),
  /** Results under an `idempotency_key`. The key and its fingerprint stay: another body is always a conflict. */
  first_generation_result_hours: hours(AFTER_REPLAY, 48),
});

export type Retention = z.output<typeof retentionSchema>;
