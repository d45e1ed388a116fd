import * as z from "zod";
import { getBankPayment } from "../bank-payments/admin.ts";
import type { BankPayment } from "../bank-payments/store.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { errorFields, type Log } from "../core/log.ts";
import { askAllDatabases } from "../db/all-databases.ts";
import { disputesOfPayment } from "../disputes/store.ts";
import { type IdempotencyRecord, readRecord } from "../idempotency/store.ts";
import type { SeenMovement } from "../ledger/movement.ts";
import { paymentsOfLink, paymentsOfSubscription } from "../ledger/movements/known-payments.ts";
import { movementsOfAnyPayment } from "../ledger/movements/store.ts";
import { originOfPayment } from "../ledger/payment-origin.ts";
import type { SnapshotDeps } from "../ledger/snapshots.ts";
import { findLink, type ListedLink } from "../links/admin/links.ts";
import { LINK_STEP } from "../links/make-link.ts";
import { findSubscription, type SubscriptionRow } from "../subscriptions/list-subscriptions.ts";
import { readDeliveries } from "../webhooks/admin/store.ts";
import type { Recipient } from "../webhooks/outbox/events/define-event.ts";
import { actsOn, deliveriesOf, endpointsOf, partnersOf, processorReportsOfOrder } from "./around.ts";
import { type FindDeps, type Found, inEachCell, MAX_PAYMENTS, upstreamCall } from "./found.ts";
import type { BankOrder, Delivery, Dispute, Followed, OrderHistory } from "./order-history.ts";
import { payloadSchema } from "./payload.ts";

export interface StoryDeps extends FindDeps, SnapshotDeps {
  readonly log: Log;
  readonly findById: Parameters<typeof getBankPayment>[0]["findById"];
  readonly inOriginalCellOf: Parameters<typeof getBankPayment>[0]["inOriginalCellOf"];
}

const resultSchema = z.object({ paymentLinkId: z.string().optional(), orderId: z.string().optional() });
const progressSchema = z.object({ steps: z.object({ [LINK_STEP]: z.object({ id: z.string() }).optional() }) });

/**
 * Follows found objects to everything that belongs to them: from a request to its link, its payments, their events, and
 * back.
 */
export async function collectOrder(deps: StoryDeps, found: readonly Found[]): Promise<OrderHistory> {
  const order = new FollowedOrder(deps);
  for (const one of found) await order.follow(one);
  for (const delivery of await deliveriesOf(deps, order)) order.deliveries.set(delivery.deliveryId, delivery);
  const { records, links, payments, movements, disputes, subscriptions, bankOrders, deliveries, checkouts, named, gaps } = order;
  const followed = { records, links, payments, movements, disputes, subscriptions, bankOrders, deliveries, checkouts, named, gaps };
  const partners = await partnersOf(deps, order);
  const endpoints = await endpointsOf(deps, order);
  // What waits, and what operators did, is ours.
  if (deps.onlyOf !== undefined) return { ...followed, partners, endpoints, lookUps: { waiting: [], reported: [] }, acts: [] };
  return {
    ...followed,
    partners,
    endpoints,
    lookUps: await processorReportsOfOrder(deps, order),
    acts: await actsOn(deps, order, partners),
  };
}

class FollowedOrder implements Followed {
  readonly records = new Map<string, IdempotencyRecord>();
  readonly links = new Map<string, ListedLink>();
  readonly payments = new Map<string, Environment>();
  readonly movements = new Map<string, SeenMovement>();
  readonly disputes = new Map<string, Dispute>();
  readonly subscriptions = new Map<string, SubscriptionRow>();
  readonly bankOrders = new Map<string, BankOrder>();
  readonly deliveries = new Map<string, Delivery>();
  readonly checkouts = new Map<string, Recipient>();
  readonly named = new Map<string, string | null>();
  readonly gaps: string[] = [];
  readonly #deps: StoryDeps;
  readonly #followed = new Set<string>();

  constructor(deps: StoryDeps) {
    this.#deps = deps;
  }

  async follow({ kind, id, environment, partnerId }: Found): Promise<void> {
    switch (kind) {
      case "payment_link":
        return this.#addLink(id, true);
      case "payment":
        return environment === null ? undefined : this.#addPayment(environment, id);
      case "subscription":
        return this.#addSubscription(id, true);
      case "bank_order":
        return this.#addBankOrder(id);
      case "event":
        return this.#addEvent(id);
      case "request":
        return this.#addRecord(id);
      case "partner":
      case "employee":
      case "key":
      case "grant":
      case "endpoint":
      case "product":
      case "product_import":
      case "promotion_code":
      case "platform_transaction":
      case "movement":
      case "change":
        // These objects belong to many orders or to none. The story shows their partner's state, and operators' actions
        // on them.
        this.named.set(id.replace(/^(card|ruble)[/]/, ""), partnerId);
        return undefined;
    }
  }

  async #addRecord(id: string): Promise<void> {
    if (this.records.has(id)) return;
    const record = (await this.#orGap(id, () => this.#deps.findById(id, ({ db }) => readRecord(db, id))))?.found;
    if (record === undefined || this.#isForeign(record)) return;
    this.records.set(id, record);
    const { paymentLinkId, orderId } = madeBy(record);
    if (paymentLinkId !== undefined) await this.#addLink(paymentLinkId, true);
    if (orderId !== undefined) await this.#addBankOrder(orderId);
  }

  async #addLink(id: string, withPayments: boolean): Promise<void> {
    if (this.links.has(id)) return;
    const known = await this.#orGap(id, () => findLink(this.#deps, id));
    if (known === null) return;
    const link = known.found;
    if (this.#isForeign(link)) return;
    this.links.set(id, link);
    if (link.recordId !== null) await this.#addRecord(link.recordId);
    if (withPayments) await this.#addPaymentsOf(link);
  }

  /** Whether the story may not tell of an object: it belongs to another partner, or to none. */
  #isForeign({ partnerId }: { readonly partnerId: string | null }): boolean {
    return this.#deps.onlyOf !== undefined && partnerId !== this.#deps.onlyOf.partnerId;
  }

  /** Payments that were reported, and those that only the processor knows. */
  async #addPaymentsOf({ id, partnerId, environment }: ListedLink): Promise<void> {
    const known = (await askAllDatabases(this.#deps, (db) => paymentsOfLink(db, partnerId, id))).flat();
    for (const { paymentIntentId } of known.slice(0, MAX_PAYMENTS)) {
      if (paymentIntentId !== null) await this.#addPayment(environment, paymentIntentId);
    }
    if (this.#deps.onlyOf !== undefined) return;
    try {
      const now = this.#deps.clock.now();
      const payments = await this.#deps.processor(environment).findPaymentsOfLink(id, now, MAX_PAYMENTS, upstreamCall(this.#deps));
      for (const { checkoutSessionId, paymentIntentId, subscriptionId } of payments) {
        if (paymentIntentId === null && subscriptionId === null) this.checkouts.set(checkoutSessionId, { partnerId, environment });
        if (paymentIntentId !== null) await this.#addPayment(environment, paymentIntentId);
        if (subscriptionId !== null) await this.#addSubscription(subscriptionId, true);
      }
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) throw thrown;
      this.gaps.push(`The processor could not be asked for the payments of ${id}: they may be missing here. Try again.`);
    }
  }

  async #addPayment(environment: Environment, id: string): Promise<void> {
    if (this.payments.has(id)) return;
    const movements = (await askAllDatabases(this.#deps, (db) => movementsOfAnyPayment(db, id))).flat();
    // A payment that was not reported has no owner yet.
    if (this.#deps.onlyOf !== undefined && (movements.length === 0 || movements.some((one) => this.#isForeign(one)))) return;
    this.payments.set(id, environment);
    for (const movement of movements) this.movements.set(movement.id, movement);
    const disputed = (await inEachCell(this.#deps, (db) => disputesOfPayment(db, id))).flatMap(({ row }) => row);
    for (const dispute of disputed) this.disputes.set(dispute.id, dispute);
    const { paymentLinkId, recordId } = await originOfPayment(this.#deps, environment, id);
    if (paymentLinkId !== null) await this.#addLink(paymentLinkId, false);
    if (recordId !== null) await this.#addRecord(recordId);
    const subscriptionId = movements.map((movement) => movement.subscriptionId).find((one) => one !== null);
    if (subscriptionId !== undefined && subscriptionId !== null) await this.#addSubscription(subscriptionId, false);
  }

  async #addSubscription(id: string, withPayments: boolean): Promise<void> {
    const known = this.subscriptions.get(id);
    const found = known ?? (await askAllDatabases(this.#deps, (db) => findSubscription(db, id))).find((row) => row !== undefined);
    if (found === undefined || this.#isForeign(found)) return;
    this.subscriptions.set(id, found);
    const { partnerId, environment, paymentLinkId } = found;
    // A payment leads to its subscription, and a subscription to all its payments, which lead back to it.
    if (!withPayments || partnerId === null || this.#followed.has(id)) return;
    this.#followed.add(id);
    const isBounded = this.#deps.onlyOf !== undefined;
    if (isBounded && paymentLinkId === null) return;
    const payments = await askAllDatabases(this.#deps, (db) =>
      isBounded ? paymentsOfLink(db, partnerId, paymentLinkId ?? "") : paymentsOfSubscription(db, partnerId, environment, id),
    );
    const own = payments.flat().filter(({ subscriptionId }) => subscriptionId === id);
    for (const { paymentIntentId } of own.slice(0, MAX_PAYMENTS)) {
      if (paymentIntentId !== null) await this.#addPayment(environment, paymentIntentId);
    }
  }

  async #addBankOrder(orderId: string): Promise<void> {
    if (this.bankOrders.has(orderId)) return;
    const found = await this.#orGap(orderId, () => getBankPayment(this.#deps, orderId));
    if (found === null || this.#isForeign({ partnerId: found.payment?.partnerId ?? null })) return;
    const { payment, ...rest } = found;
    this.bankOrders.set(orderId, { payment: payment && withoutUrls(payment), ...rest });
    if (payment !== null) await this.#addRecord(payment.recordId);
  }

  /** The subject of an event leads to the rest of its order. */
  async #addEvent(id: string): Promise<void> {
    const event = (await this.#orGap(id, () => this.#deps.findById(id, async ({ db }) => (await readDeliveries(db, [id]))[0])))?.found;
    if (event === undefined || this.#isForeign(event)) return;
    this.deliveries.set(event.deliveryId, event);
    const { transaction, payment_intent_id: disputed, checkout, Payment } = payloadSchema.safeParse(JSON.parse(event.payload)).data ?? {};
    const paymentId = transaction?.payment_intent_id ?? disputed;
    if (paymentId != null) await this.#addPayment(event.environment, paymentId);
    if (checkout?.session_id != null) this.checkouts.set(checkout.session_id, event);
    if (checkout?.payment_link_id != null) await this.#addLink(checkout.payment_link_id, false);
    if (Payment !== undefined) await this.#addBankOrder(Payment.OrderId);
  }

  /** The object with one of our ids; null also if its cell is unreachable, which the story then mentions. */
  async #orGap<Row>(id: string, look: () => Promise<Row | null>): Promise<Row | null> {
    try {
      return await look();
    } catch (thrown) {
      if (this.#deps.reach === undefined) throw thrown;
      this.#deps.log.error("cell out of reach", { id, ...errorFields(thrown) });
      this.gaps.push(`The cell of ${id} is unreachable: its objects are missing here. Try again.`);
      return null;
    }
  }
}

function withoutUrls({ paymentUrl: _payment, sbpUrl: _sbp, ...rest }: BankPayment): NonNullable<BankOrder["payment"]> {
  return rest;
}

/** The objects that a record's request has created, as far as its result or progress shows them. */
function madeBy({ result, progress }: IdempotencyRecord): z.infer<typeof resultSchema> {
  const made = result === null ? undefined : resultSchema.safeParse(JSON.parse(result)).data;
  if (made?.paymentLinkId !== undefined || made?.orderId !== undefined || progress === "") return made ?? {};
  const step = progressSchema.safeParse(JSON.parse(progress)).data?.steps[LINK_STEP];
  return step === undefined ? {} : { paymentLinkId: step.id };
}
