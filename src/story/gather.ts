import * as z from "zod";
import { getBankPayment } from "../bank-payments/admin.ts";
import type { CellCode } from "../core/cell-code.ts";
import { SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import { askEverywhere, askPlace } from "../db/everywhere.ts";
import { type IdempotencyRecord, readRecord } from "../idempotency/store.ts";
import { movementsOfAnyPayment, originOfPayment } from "../ledger/history.ts";
import { paymentsOfSubscription } from "../ledger/known-payments.ts";
import type { Movement } from "../ledger/movement.ts";
import type { SnapshotDeps } from "../ledger/snapshots.ts";
import { findLink, type ListedLink } from "../links/admin/links.ts";
import { LINK_STEP } from "../links/make-link.ts";
import { allHomes, type Home } from "../partners/store.ts";
import { readSubscription } from "../subscriptions/store.ts";
import { readDeliveries } from "../webhooks/admin/store.ts";
import { bankPaymentSucceeded } from "../webhooks/outbox/events/bank-payment-succeeded.ts";
import { checkoutEventId } from "../webhooks/outbox/events/checkout-completed.ts";
import type { Recipient } from "../webhooks/outbox/events/define-event.ts";
import { paymentMethodRefused } from "../webhooks/outbox/events/payment-method-refused.ts";
import { subscriptionEvents } from "../webhooks/outbox/events/subscription-events.ts";
import { transactionEvents } from "../webhooks/outbox/events/transaction-events.ts";
import type { FindDeps, Found } from "./find.ts";

export interface StoryDeps extends FindDeps, SnapshotDeps {
  readonly log: Log;
  readonly findById: Parameters<typeof getBankPayment>[0]["findById"];
  readonly inFirstCellOf: Parameters<typeof getBankPayment>[0]["inFirstCellOf"];
}

type FoundOrder = NonNullable<Awaited<ReturnType<typeof getBankPayment>>>;

/** Without the addresses at which it can be paid. */
interface BankOrder {
  readonly payment: Omit<NonNullable<FoundOrder["payment"]>, "paymentUrl" | "sbpUrl"> | null;
  readonly notifications: FoundOrder["notifications"];
}
type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];

/** All that is known of an order. */
export interface Gathered {
  readonly records: ReadonlyMap<string, IdempotencyRecord>;
  readonly links: ReadonlyMap<string, ListedLink>;
  readonly movements: ReadonlyMap<string, Movement>;
  readonly subscriptions: ReadonlyMap<string, NonNullable<Awaited<ReturnType<typeof readSubscription>>>>;
  readonly bankOrders: ReadonlyMap<string, BankOrder>;
  readonly deliveries: ReadonlyMap<string, Delivery>;
  /** What could not be asked, in words. */
  readonly gaps: readonly string[];
}

/** Payments of one link or subscription that are followed. */
const MAX_PAYMENTS = 20;

const resultSchema = z.object({ paymentLinkId: z.string().optional(), orderId: z.string().optional() });
const progressSchema = z.object({ steps: z.object({ [LINK_STEP]: z.object({ id: z.string() }).optional() }) });
const payloadSchema = z.object({
  transaction: z.object({ payment_intent_id: z.string().nullish() }).optional(),
  checkout: z.object({ payment_link_id: z.string().nullish() }).optional(),
  Payment: z.object({ OrderId: z.string() }).optional(),
});

/** Follows what was found to all that belongs to it: from a request to its link, its payments, their events, and back. */
export async function gather(deps: StoryDeps, found: readonly Found[]): Promise<Gathered> {
  const gatherer = new Gatherer(deps);
  for (const one of found) await gatherer.follow(one);
  await gatherer.addEvents();
  return gatherer;
}

class Gatherer implements Gathered {
  readonly records = new Map<string, IdempotencyRecord>();
  readonly links = new Map<string, ListedLink>();
  readonly movements = new Map<string, Movement>();
  readonly subscriptions = new Map<string, NonNullable<Awaited<ReturnType<typeof readSubscription>>>>();
  readonly bankOrders = new Map<string, BankOrder>();
  readonly deliveries = new Map<string, Delivery>();
  readonly gaps: string[] = [];
  readonly #deps: StoryDeps;
  readonly #payments = new Set<string>();
  readonly #followed = new Set<string>();
  /** Checkouts without a payment, by the session. */
  readonly #checkouts = new Map<string, Recipient>();

  constructor(deps: StoryDeps) {
    this.#deps = deps;
  }

  async follow({ kind, id, environment }: Found): Promise<void> {
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
      case "promotion_code":
        // They have no story of their own: their calls show them, and the audit log what was changed.
        return undefined;
    }
  }

  async #addRecord(id: string): Promise<void> {
    if (this.records.has(id)) return;
    const record = (await this.#orGap(id, () => this.#deps.findById(id, ({ db }) => readRecord(db, id))))?.found;
    if (record === undefined) return;
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
    this.links.set(id, link);
    if (link.recordId !== null) await this.#addRecord(link.recordId);
    if (withPayments) await this.#addPaymentsOf(link);
  }

  /** Which payments came through a link, only the processor can tell. */
  async #addPaymentsOf({ id, partnerId, environment }: ListedLink): Promise<void> {
    const { clock } = this.#deps;
    const call = { deadline: new Deadline(clock, limits.upstream.seconds * SECOND) };
    try {
      const payments = await this.#deps.processor(environment).findPaymentsOfLink(id, clock.now(), MAX_PAYMENTS, call);
      for (const { checkoutSessionId, paymentIntentId, subscriptionId } of payments) {
        if (paymentIntentId === null && subscriptionId === null) this.#checkouts.set(checkoutSessionId, { partnerId, environment });
        if (paymentIntentId !== null) await this.#addPayment(environment, paymentIntentId);
        if (subscriptionId !== null) await this.#addSubscription(subscriptionId, true);
      }
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) throw thrown;
      this.gaps.push(`The processor could not be asked for the payments of ${id}: they may be missing here. Ask again.`);
    }
  }

  async #addPayment(environment: Environment, id: string): Promise<void> {
    if (this.#payments.has(id)) return;
    this.#payments.add(id);
    const movements = (await askEverywhere(this.#deps, (db) => movementsOfAnyPayment(db, id))).flat();
    for (const movement of movements) this.movements.set(movement.id, movement);
    const { paymentLinkId, recordId } = await originOfPayment(this.#deps, environment, id);
    if (paymentLinkId !== null) await this.#addLink(paymentLinkId, false);
    if (recordId !== null) await this.#addRecord(recordId);
    const subscriptionId = movements.map((movement) => movement.subscriptionId).find((one) => one !== null);
    if (subscriptionId !== undefined && subscriptionId !== null) await this.#addSubscription(subscriptionId, false);
  }

  async #addSubscription(id: string, withPayments: boolean): Promise<void> {
    const known = this.subscriptions.get(id);
    const found = known ?? (await askEverywhere(this.#deps, (db) => readSubscription(db, id))).find((row) => row !== undefined);
    if (found === undefined) return;
    this.subscriptions.set(id, found);
    const { partnerId, environment } = found;
    // A payment leads to its subscription, and a subscription to all its payments, which lead back to it.
    if (!withPayments || partnerId === null || this.#followed.has(id)) return;
    this.#followed.add(id);
    const payments = await askEverywhere(this.#deps, (db) => paymentsOfSubscription(db, partnerId, environment, id));
    for (const { paymentIntentId } of payments.flat().slice(0, MAX_PAYMENTS)) {
      if (paymentIntentId !== null) await this.#addPayment(environment, paymentIntentId);
    }
  }

  async #addBankOrder(orderId: string): Promise<void> {
    if (this.bankOrders.has(orderId)) return;
    const found = await this.#orGap(orderId, () => getBankPayment(this.#deps, orderId));
    if (found === null) return;
    this.bankOrders.set(orderId, { payment: found.payment && withoutUrls(found.payment), notifications: found.notifications });
    if (found.payment !== null) await this.#addRecord(found.payment.recordId);
  }

  /** What an event is about leads to the rest of its order. */
  async #addEvent(id: string): Promise<void> {
    const event = (await this.#orGap(id, () => this.#deps.findById(id, async ({ db }) => (await readDeliveries(db, [id]))[0])))?.found;
    if (event === undefined) return;
    this.deliveries.set(id, event);
    const { transaction, checkout, Payment } = payloadSchema.safeParse(JSON.parse(event.payload)).data ?? {};
    if (transaction?.payment_intent_id != null) await this.#addPayment(event.environment, transaction.payment_intent_id);
    if (checkout?.payment_link_id != null) await this.#addLink(checkout.payment_link_id, false);
    if (Payment !== undefined) await this.#addBankOrder(Payment.OrderId);
  }

  /** The ids of events follow from what they are about, so they are read by their ids. */
  async addEvents(): Promise<void> {
    const homes = await allHomes(this.#deps.directory);
    const wanted = new Map<CellCode, { readonly db: Cell; readonly ids: string[] }>();
    const want = (home: Home, ids: readonly string[]) => {
      for (const { place, db } of this.#deps.ofPartner(home).data.cells) {
        wanted.set(place, { db, ids: [...(wanted.get(place)?.ids ?? []), ...ids] });
      }
    };
    for (const movement of this.movements.values()) {
      const { partnerId } = movement;
      const home = partnerId === null ? undefined : homes.get(partnerId);
      if (partnerId === null || home === undefined) continue;
      const ids = Object.values(transactionEvents).map((event) => event.idOf(home.idCode, { ...movement, partnerId, discount: null }));
      want(home, await Promise.all(ids));
    }
    for (const { id, partnerId, environment, updatedAt, ...rest } of this.subscriptions.values()) {
      const home = partnerId === null ? undefined : homes.get(partnerId);
      if (partnerId === null || home === undefined) continue;
      // An id needs no items.
      const facts = { ...rest, id, partnerId, environment, items: [] };
      const { started, updated, ended } = subscriptionEvents;
      // Each update has an event of its own; the last one is known by its time.
      const last = updated.idOf(home.idCode, { ...facts, discriminator: String(updatedAt) });
      const once = [started, ended].map((event) => event.idOf(home.idCode, { ...facts, discriminator: null }));
      want(home, await Promise.all([last, ...once]));
    }
    for (const { id, partnerId, environment } of this.links.values()) {
      const home = homes.get(partnerId);
      const facts = { partnerId, environment, paymentLinkId: id, refusedMethods: [] };
      if (home !== undefined) want(home, [await paymentMethodRefused.idOf(home.idCode, facts)]);
    }
    for (const [sessionId, recipient] of this.#checkouts) {
      const home = homes.get(recipient.partnerId);
      if (home !== undefined) want(home, [await checkoutEventId(home.idCode, recipient, sessionId)]);
    }
    for (const { payment } of this.bankOrders.values()) {
      const home = payment === null ? undefined : homes.get(payment.partnerId);
      if (payment !== null && home !== undefined)
        want(home, [await bankPaymentSucceeded.idOf(home.idCode, { ...payment, paymentId: payment.id })]);
    }
    for (const [place, { db, ids }] of wanted) {
      const deliveries = await askPlace(this.#deps, place, () => readDeliveries(db, ids));
      for (const delivery of deliveries ?? []) this.deliveries.set(delivery.eventId, delivery);
    }
  }

  /** What an id of ours names; null also if its cell is out of reach, which the story then says. */
  async #orGap<Row>(id: string, look: () => Promise<Row | null>): Promise<Row | null> {
    try {
      return await look();
    } catch (thrown) {
      if (this.#deps.reach === undefined) throw thrown;
      this.#deps.log.error("cell out of reach", { id, ...errorFields(thrown) });
      this.gaps.push(`The cell that has ${id} is out of reach: what belongs to it is missing here. Ask again.`);
      return null;
    }
  }
}

function withoutUrls({ paymentUrl: _payment, sbpUrl: _sbp, ...rest }: NonNullable<FoundOrder["payment"]>) {
  return rest;
}

/** What a record's request has made, as far as its result or its progress says it. */
function madeBy({ result, progress }: IdempotencyRecord): z.infer<typeof resultSchema> {
  const made = result === null ? undefined : resultSchema.safeParse(JSON.parse(result)).data;
  if (made?.paymentLinkId !== undefined || made?.orderId !== undefined || progress === "") return made ?? {};
  const step = progressSchema.safeParse(JSON.parse(progress)).data?.steps[LINK_STEP];
  return step === undefined ? {} : { paymentLinkId: step.id };
}
