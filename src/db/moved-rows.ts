import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { bankNotifications, bankPayments } from "./schema/bank.ts";
import { dailyDeliveries, dailyPayments } from "./schema/figures.ts";
import { dailyRecords, idempotencyRecords } from "./schema/idempotency.ts";
import { movements } from "./schema/ledger.ts";
import { paymentLinks } from "./schema/links.ts";
import { promotionCodes } from "./schema/promotions.ts";
import { subscriptions } from "./schema/subscriptions.ts";
import { deliveryAttempts, endpointSecrets, endpoints, events } from "./schema/webhooks.ts";

/** A table with rows that move with their partner. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A table of counts of a partner by day. */
interface MovedCount extends MovedTable {
  /** Whether they stay where they are when their partner is split by time. */
  readonly stays: boolean;
}

/** A kind of rows of a partner: each with what hangs on it. */
export interface MovedKind {
  readonly table: MovedTable;
  /** The column that a walk goes by. */
  readonly key: string;
  readonly isNumber: boolean;
  /** Rows of other tables: their `column` has what the row has as `of`. */
  readonly children: readonly { readonly table: MovedTable; readonly column: string; readonly of: string }[];
  /**
   * Rows that something is still to be done with: a cron would find them in the new cell, too. So they are copied last, when
   * nothing is done with them where they were. Conditions in SQL, with `?1` for the partner, each with the index that finds them.
   */
  readonly unfinished: readonly { readonly index: string; readonly where: string }[];
  /** Rows that something is being done with right now, unless it was cut off. SQL, also with `?2` for a time not long ago. */
  readonly busy: string | null;
  /** What a cron or a consumer updates in the rows of many partners at once. Where nothing is written any more, such an update is left out, and any other is refused. */
  readonly leftOut: readonly string[];
  /** Whether rows at rest stay where they are when their partner is split by time. */
  readonly stays: boolean;
  /** Rows at rest that unfinished rows of another kind need, and that go with those then. A condition in SQL, with `?1` for the partner. */
  readonly needed: string | null;
}

function tableOf(table: SQLiteTable): MovedTable {
  const { name, columns } = getTableConfig(table);
  return { name, columns: columns.map((column) => column.name) };
}

function kind(table: SQLiteTable, more: Partial<Omit<MovedKind, "table" | "key">> = {}): MovedKind {
  return {
    table: tableOf(table),
    key: "id",
    isNumber: false,
    children: [],
    unfinished: [],
    busy: null,
    leftOut: [],
    stays: true,
    needed: null,
    ...more,
  };
}

const atEndpoint = "endpoint_id IN (SELECT id FROM endpoints WHERE partner_id = ?1)";

const unfinishedRecords = [
  { index: "idempotency_records_waiting", where: "state IN ('running', 'awaiting_short_link')" },
  { index: "idempotency_records_compensation", where: "compensate_at IS NOT NULL" },
];

/** The links of unfinished records. Their step that makes a link has its id in the progress (`LINK_STEP` of links/make-link.ts). */
const linksOfUnfinished = unfinishedRecords
  .map(({ index, where }) => `SELECT progress FROM idempotency_records INDEXED BY ${index} WHERE partner_id = ?1 AND ${where}`)
  .join(" UNION ");

/** All kinds of rows that are a partner's. Endpoints come before their events, which would be sent otherwise. */
export const movedKinds: readonly MovedKind[] = [
  kind(idempotencyRecords, {
    unfinished: unfinishedRecords,
    busy: "state IN ('running', 'awaiting_short_link') AND state = 'running' AND updated_at > ?2",
    leftOut: ["result"],
  }),
  kind(paymentLinks, {
    needed: `id IN (SELECT json_extract(progress, '$.steps.payment_link.id') FROM (${linksOfUnfinished}) WHERE json_valid(progress))`,
  }),
  kind(promotionCodes),
  kind(movements),
  // Something may happen to a subscription at any time, however long ago it began.
  kind(subscriptions, { stays: false }),
  kind(bankPayments, {
    isNumber: true,
    children: [{ table: tableOf(bankNotifications), column: "order_id", of: "order_id" }],
    unfinished: [{ index: "bank_payments_due_poll", where: "next_poll_at IS NOT NULL" }],
    leftOut: ["next_poll_at"],
  }),
  // An endpoint's health changes with each delivery, so endpoints are copied when nothing is sent any more.
  kind(endpoints, {
    children: [{ table: tableOf(endpointSecrets), column: "endpoint_id", of: "id" }],
    unfinished: [{ index: "endpoints_of_partner", where: "TRUE" }],
    leftOut: ["failing_since", "failures", "cooldown_until", "updated_at"],
  }),
  kind(events, {
    children: [{ table: tableOf(deliveryAttempts), column: "event_id", of: "id" }],
    unfinished: [
      { index: "events_pending", where: `${atEndpoint} AND state = 'pending'` },
      { index: "events_sending", where: `${atEndpoint} AND state = 'sending'` },
    ],
    busy: `${atEndpoint} AND state = 'sending' AND claimed_at > ?2`,
    leftOut: ["state", "waiting", "claimed_at", "attempts", "unscheduled_attempts", "next_attempt_at", "state_before_resend"],
  }),
];

/** Sums that must be the same in both cells before anything unfinished is copied: of what was paid, by month and status. */
export const movedSums: readonly string[] = [
  `SELECT environment, status, type, currency, strftime('%Y-%m', transaction_date / 1000, 'unixepoch') AS month,
    count(*) AS count, sum(amount) AS amount, sum(fee) AS fee, sum(net) AS net
    FROM movements WHERE partner_id = ?1 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
  `SELECT environment, status, strftime('%Y-%m', paid_at / 1000, 'unixepoch') AS month, count(*) AS count, sum(amount_kopecks) AS amount
    FROM bank_payments WHERE partner_id = ?1 AND paid_at IS NOT NULL AND next_poll_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
];

/** Counts by day, which have no key of their own to walk by. They are few, and copied last. */
export const movedCounts: readonly MovedCount[] = [
  // Of today: it bounds what may still be made.
  { ...tableOf(dailyRecords), stays: false },
  // They are counted where the rows are.
  { ...tableOf(dailyPayments), stays: true },
  { ...tableOf(dailyDeliveries), stays: true },
];

/** The counts that go to the new cell with a partner, or with what of it does not stay when it is split. */
export const countsOf = (splits: boolean) => movedCounts.filter(({ stays }) => !(splits && stays));
