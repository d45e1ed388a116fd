import { refundNames } from "../bank-payments/money.ts";
import { receiptsOf } from "../bank-payments/receipts.ts";
import { noticeStages } from "../disputes/store.ts";
import { allLocations } from "../partners/location-store.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import { bankPaymentRefunded } from "../webhooks/outbox/events/bank-payment-refunded.ts";
import { bankPaymentSucceeded } from "../webhooks/outbox/events/bank-payment-succeeded.ts";
import { bankReceiptRegistered } from "../webhooks/outbox/events/bank-receipt-registered.ts";
import { checkoutEventId } from "../webhooks/outbox/events/checkout-completed.ts";
import { disputeEvidenceDue } from "../webhooks/outbox/events/dispute-evidence-due.ts";
import { paymentMethodRefused } from "../webhooks/outbox/events/payment-method-refused.ts";
import { subscriptionEvents } from "../webhooks/outbox/events/subscription-events.ts";
import { transactionEvents } from "../webhooks/outbox/events/transaction-events.ts";
import type { FindDeps } from "./found.ts";
import type { Followed } from "./order-history.ts";

/**
 * The ids of the events that an order may have. Event ids are derived from their causes, so the events are read by id.
 */
export async function eventIdsOf({ directory, onlyOf }: Pick<FindDeps, "directory" | "onlyOf">, order: Followed) {
  const locations = onlyOf === undefined ? await allLocations(directory) : new Map([[onlyOf.partnerId, onlyOf]]);
  const all = [
    ...ofMovements(order),
    ...ofDisputes(order),
    ...ofSubscriptions(order),
    ...ofLinks(order),
    ...ofCheckouts(order),
    ...ofBank(order),
  ];
  const wanted = all.flatMap(({ partnerId, idsIn }) => {
    const location = locations.get(partnerId);
    return location === undefined ? [] : [Promise.all(idsIn(location)).then((ids) => ({ location, ids }))];
  });
  return Promise.all(wanted);
}

/** The events of one object of a partner. */
interface EventsOf {
  readonly partnerId: string;
  readonly idsIn: (location: PartnerLocation) => readonly Promise<string>[];
}

function ofMovements({ movements }: Followed): EventsOf[] {
  return [...movements.values()].flatMap((movement) => {
    const { partnerId } = movement;
    if (partnerId === null) return [];
    const facts = { ...movement, partnerId, discount: null, dispute: null };
    return [
      { partnerId, idsIn: ({ idCode }: PartnerLocation) => Object.values(transactionEvents).map((event) => event.idOf(idCode, facts)) },
    ];
  });
}

function ofDisputes({ disputes }: Followed): EventsOf[] {
  return [...disputes.values()].flatMap((dispute) => {
    const { partnerId, evidenceDueBy } = dispute;
    if (evidenceDueBy === null) return [];
    const facts = { ...dispute, evidenceDueBy, now: 0 };
    return [
      {
        partnerId,
        idsIn: ({ idCode }: PartnerLocation) => noticeStages.map((stage) => disputeEvidenceDue.idOf(idCode, { ...facts, stage })),
      },
    ];
  });
}

function ofSubscriptions({ subscriptions }: Followed): EventsOf[] {
  return [...subscriptions.values()].flatMap(({ id, partnerId, environment, updatedAt, ...rest }) => {
    if (partnerId === null) return [];
    // The id does not depend on the items.
    const facts = { ...rest, id, partnerId, environment, items: [] };
    const { started, updated, ended } = subscriptionEvents;
    const idsIn = ({ idCode }: PartnerLocation) => [
      // Each update has its own event. The last one follows from its time; earlier ones are searched for.
      updated.idOf(idCode, { ...facts, discriminator: String(updatedAt) }),
      ...[started, ended].map((event) => event.idOf(idCode, { ...facts, discriminator: null })),
    ];
    return [{ partnerId, idsIn }];
  });
}

function ofLinks({ links }: Followed): EventsOf[] {
  return [...links.values()].map(({ id, partnerId, environment }) => ({
    partnerId,
    idsIn: ({ idCode }) => [
      paymentMethodRefused.idOf(idCode, { partnerId, environment, paymentLinkId: id, refusedMethods: [], coveredBy: {} }),
    ],
  }));
}

function ofCheckouts({ checkouts }: Followed): EventsOf[] {
  return [...checkouts].map(([sessionId, recipient]) => ({
    partnerId: recipient.partnerId,
    idsIn: ({ idCode }) => [checkoutEventId(idCode, recipient, sessionId)],
  }));
}

function ofBank({ bankOrders }: Followed): EventsOf[] {
  return [...bankOrders.values()].flatMap(({ payment, notifications, refunds: booked }) => {
    if (payment === null) return [];
    const facts = { ...payment, paymentId: payment.id };
    // A notification is kept for weeks, what it booked for good.
    const refunds = [...new Set([...booked, ...refundNames(notifications.map(({ id }) => id))])];
    const idsIn = ({ idCode }: PartnerLocation) => [
      bankPaymentSucceeded.idOf(idCode, facts),
      ...receiptsOf(payment.receipts).map((receipt) => bankReceiptRegistered.idOf(idCode, { ...facts, receipt })),
      ...refunds.map((movement) => bankPaymentRefunded.idOf(idCode, { ...facts, movement, status: "REFUNDED" })),
    ];
    return [{ partnerId: payment.partnerId, idsIn }];
  });
}
