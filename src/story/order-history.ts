import type { entriesOf } from "../audit/audit-log.ts";
import type { getBankPayment } from "../bank-payments/admin.ts";
import type { Environment } from "../core/environment.ts";
import type { disputesOfPayment } from "../disputes/store.ts";
import type { IdempotencyRecord } from "../idempotency/store.ts";
import type { SeenMovement } from "../ledger/movement.ts";
import type { processorReportsOf } from "../ledger/processor-reports.ts";
import type { ListedLink } from "../links/admin/links.ts";
import type { PartnerRow } from "../partners/admin/partners.ts";
import type { SubscriptionRow } from "../subscriptions/list-subscriptions.ts";
import type { endpointsById, readDeliveries } from "../webhooks/admin/store.ts";
import type { Recipient } from "../webhooks/outbox/events/define-event.ts";

type FoundOrder = NonNullable<Awaited<ReturnType<typeof getBankPayment>>>;

/** An order at the bank, without its payment URLs. */
export interface BankOrder {
  readonly payment: Omit<NonNullable<FoundOrder["payment"]>, "paymentUrl" | "sbpUrl"> | null;
  readonly notifications: FoundOrder["notifications"];
  /** The names of its refunds that are booked, also of those whose notifications are gone. */
  readonly refunds: FoundOrder["refunds"];
}

export type Dispute = Awaited<ReturnType<typeof disputesOfPayment>>[number];
export type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];
export type Endpoint = Awaited<ReturnType<typeof endpointsById>>[number];
export type LookUps = Awaited<ReturnType<typeof processorReportsOf>>;
export type OperatorsAct = Awaited<ReturnType<typeof entriesOf>>[number];

/** The objects of an order, each kind by id. */
export interface Followed {
  readonly records: ReadonlyMap<string, IdempotencyRecord>;
  readonly links: ReadonlyMap<string, ListedLink>;
  /** The payments that were followed, recorded or not, with their environments. */
  readonly payments: ReadonlyMap<string, Environment>;
  readonly movements: ReadonlyMap<string, SeenMovement>;
  readonly disputes: ReadonlyMap<string, Dispute>;
  readonly subscriptions: ReadonlyMap<string, SubscriptionRow>;
  readonly bankOrders: ReadonlyMap<string, BankOrder>;
  /** By delivery: an event may go to several webhooks, to the chat, and by e-mail. */
  readonly deliveries: ReadonlyMap<string, Delivery>;
  /** Found objects that belong to no single order (a partner, a key, a webhook, a code), with their partner. */
  readonly named: ReadonlyMap<string, string | null>;
  /** Checkouts without a payment, with their owner, by session id. */
  readonly checkouts: ReadonlyMap<string, Recipient>;
  /** What could not be read, in words. */
  readonly gaps: readonly string[];
}

/** All stored data of an order. */
export interface OrderHistory extends Followed {
  /** The processor's reports about the payments and subscriptions, and pending look-ups. */
  readonly lookUps: LookUps;
  /** The current webhooks of its events. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The partners of these objects. */
  readonly partners: ReadonlyMap<string, PartnerRow>;
  /** Operators' actions on these objects. */
  readonly acts: readonly OperatorsAct[];
}
