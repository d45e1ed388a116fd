import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { environments } from "../core/environment.ts";
import { endpointIdOf } from "../core/ids.ts";
import { bankMovements, bankNotifications, bankPayments } from "./schema/bank.ts";
import { payouts, statements, terms } from "./schema/books.ts";
import { disputes } from "./schema/disputes.ts";
import { dailyDeliveries, dailyEndpoints, dailyPayments } from "./schema/figures.ts";
import { dailyRecords, idempotencyRecords } from "./schema/idempotency.ts";
import { movements } from "./schema/ledger.ts";
import { linkPayments, paymentLinks } from "./schema/links.ts";
import { linkOpens } from "./schema/opens.ts";
import { orders } from "./schema/orders.ts";
import { promotionCodes } from "./schema/promotions.ts";
import { refusedRequests } from "./schema/requests.ts";
import { subscriptions } from "./schema/subscriptions.ts";
import { deliveryAttempts, endpointSecrets, endpoints, events } from "./schema/webhooks.ts";

/** A table whose rows move with their partner. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A table of a partner's daily counts. */
interface MovedCount extends MovedTable {
  /** Whether the counts stay in the old cell when the partner is split by time. */
  readonly stays: boolean;
  /** Whether a row of a closed cell is refused. The others are left out: a later run counts them again. */
  readonly isRefused?: true;
}

/** A child table of a kind: its `column` references the row's column `of`. */
interface MovedChild {
  readonly table: MovedTable;
  readonly column: string;
  readonly of: string;
  /**
   * Whether it has counts: they may still be written where the row was, which refuses nothing, and stay there when the row alone is
   * pulled. Their readers ask all cells.
   */
  readonly isCount: boolean;
}

/** A kind of a partner's rows, with its child tables. */
export interface MovedKind {
  readonly table: MovedTable;
  /** The column by which a copy walks through the table. */
  readonly key: string;
  readonly isNumber: boolean;
  /** Child tables. */
  readonly children: readonly MovedChild[];
  /**
   * Unfinished rows, with pending work that a cron of the new cell would also pick up. They are copied last, after work
   * on them has stopped in the old cell. SQL conditions, with `?1` for the partner, each with the index that finds
   * them.
   */
  readonly unfinished: readonly { readonly index: string; readonly where: string }[];
  /** Rows with work in progress at this moment, unless it was interrupted. SQL, with `?2` for a recent time. */
  readonly busy: string | null;
  /**
   * Columns that a cron or a consumer updates in rows of many partners at once. After the old cell is closed, an update
   * of only these columns is skipped; any other update is refused.
   */
  readonly leftOut: readonly string[];
  /** Whether finished rows stay in the old cell when the partner is split by time. */
  readonly stays: boolean;
  /**
   * Finished rows that unfinished rows of another kind need and that are copied with them. A SQL condition, with `?1`
   * for the partner.
   */
  readonly needed: string | null;
}

function tableOf(table: SQLiteTable): MovedTable {
  const { name, columns } = getTableConfig(table);
  return { name, columns: columns.map((column) => column.name) };
}

const child = (table: SQLiteTable, column: string, of: string): MovedChild => ({ table: tableOf(table), column, of, isCount: false });

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

/** The newest event of each environment of a partner, at its first endpoint, whether or not that is registered. */
const NEWEST_EVENTS = environments
  .map((environment) => endpointIdOf("' || ?1 || '", environment))
  .map((endpoint) => `SELECT id FROM (SELECT id FROM events WHERE endpoint_id = '${endpoint}' ORDER BY created_at DESC, id DESC LIMIT 1)`)
  .join(" UNION ALL ");

const unfinishedRecords = [
  { index: "idempotency_records_waiting", where: "state IN ('running', 'awaiting_short_link')" },
  { index: "idempotency_records_compensation", where: "compensate_at IS NOT NULL" },
];

/**
 * The links of unfinished records. The step that creates a link stores its id in the record's progress (`LINK_STEP` of
 * links/make-link.ts).
 */
const linksOfUnfinished = unfinishedRecords
  .map(({ index, where }) => `SELECT progress FROM idempotency_records INDEXED BY ${index} WHERE partner_id = ?1 AND ${where}`)
  .join(" UNION ");

/** All kinds of partner rows. Endpoints come before their events, which would otherwise be sent. */
export const movedKinds: readonly MovedKind[] = [
  kind(idempotencyRecords, {
    unfinished: unfinishedRecords,
    busy: "state IN ('running', 'awaiting_short_link') AND state = 'running' AND updated_at > ?2",
    leftOut: ["result"],
  }),
  kind(paymentLinks, {
    children: [
      child(linkPayments, "payment_link_id", "id"),
      // How often a link was opened around the moment of a move may be missed, or added twice.
      { ...child(linkOpens, "payment_link_id", "id"), isCount: true },
    ],
    unfinished: [{ index: "payment_links_limits_due", where: "limits_due IS NOT NULL" }],
    leftOut: ["limits_due"],
    needed: `id IN (SELECT json_extract(progress, '$.steps.payment_link.id') FROM (${linksOfUnfinished}) WHERE json_valid(progress))`,
  }),
  kind(promotionCodes),
  kind(movements),
  // A payout may be taken back at any time, and the next statement begins with the last one.
  kind(payouts, { stays: false }),
  kind(statements, { stays: false }),
  // A subject can change at any time, however old it is.
  kind(subscriptions, { stays: false }),
  kind(bankPayments, {
    isNumber: true,
    children: [child(bankNotifications, "order_id", "order_id"), child(bankMovements, "order_id", "order_id")],
    unfinished: [{ index: "bank_payments_due_poll", where: "next_poll_at IS NOT NULL" }],
    leftOut: ["next_poll_at"],
  }),
  // After the ruble payments that name them: what is unfinished is deleted in the opposite order.
  kind(orders, {
    needed:
      "id IN (SELECT order_id FROM bank_payments INDEXED BY bank_payments_due_poll WHERE partner_id = ?1 AND next_poll_at IS NOT NULL)",
  }),
  // Each delivery changes its endpoint's health, so endpoints are copied after deliveries have stopped.
  kind(endpoints, {
    children: [child(endpointSecrets, "endpoint_id", "id")],
    unfinished: [{ index: "endpoints_of_partner", where: "TRUE" }],
    leftOut: ["failing_since", "failures", "cooldown_until", "updated_at"],
  }),
  kind(events, {
    children: [child(deliveryAttempts, "event_id", "id")],
    unfinished: [
      { index: "events_pending", where: `${atEndpoint} AND state = 'pending'` },
      { index: "events_sending", where: `${atEndpoint} AND state = 'sending'` },
      // Their endpoint moves, and restarts them when it is resumed.
      { index: "events_suspended", where: `${atEndpoint} AND state = 'suspended'` },
    ],
    busy: `${atEndpoint} AND state = 'sending' AND claimed_at > ?2`,
    // The newest event of each environment: the time of the next one follows it.
    needed: `id IN (${NEWEST_EVENTS})`,
    leftOut: ["state", "waiting", "claimed_at", "attempts", "unscheduled_attempts", "next_attempt_at", "state_before_resend"],
  }),
  // After the endpoints: a notice that is recorded reaches them.
  kind(disputes, {
    unfinished: [{ index: "disputes_due", where: "evidence_due_by > 0 AND status IN ('needs_response', 'warning_needs_response')" }],
    stays: false,
  }),
];

/** Sums that must match in both cells before unfinished rows are copied: money by month and status. */
export const movedSums: readonly string[] = [
  `SELECT environment, status, type, currency, strftime('%Y-%m', transaction_date / 1000, 'unixepoch') AS month,
    count(*) AS count, sum(amount) AS amount, sum(fee) AS fee, sum(net) AS net
    FROM movements WHERE partner_id = ?1 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
  `SELECT environment, status, strftime('%Y-%m', paid_at / 1000, 'unixepoch') AS month, count(*) AS count, sum(amount_kopecks) AS amount
    FROM bank_payments WHERE partner_id = ?1 AND paid_at IS NOT NULL AND next_poll_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  `SELECT currency, state, count(*) AS count, sum(amount) AS amount FROM payouts WHERE partner_id = ?1 GROUP BY 1, 2 ORDER BY 1, 2`,
];

/** Daily counts and refused requests, which have no single key to walk by. They are few, and are copied last. */
export const movedCounts: readonly MovedCount[] = [
  // Today's count limits new records, so it moves.
  { ...tableOf(dailyRecords), stays: false },
  // A partner looks at its refused requests of the last days. They are few.
  { ...tableOf(refusedRequests), stays: false },
  { ...tableOf(terms), stays: false, isRefused: true },
  // These are counted in the cell that has the rows.
  { ...tableOf(dailyPayments), stays: true },
  { ...tableOf(dailyDeliveries), stays: true },
  { ...tableOf(dailyEndpoints), stays: true },
];

/** The counts that move to the new cell with a partner; in a split, only the counts of moved rows. */
export const countsOf = (splits: boolean) => movedCounts.filter(({ stays }) => !(splits && stays));
