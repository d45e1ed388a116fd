import type { Database, Statement } from "../db/client.ts";
import { countLinkPayment } from "../links/limits.ts";
import { storedItems } from "../orders/items.ts";
import { type OrderFacts, upsertOrder } from "../orders/store.ts";
import type { Refresh } from "./look-up.ts";
import { sumsOfFreeCheckout, sumsOfPayment } from "./movements/order-sums.ts";

/**
 * The rows of the order that a look shows: of a payment with a known owner, whatever became of it, or of a checkout with nothing
 * to pay. A renewal is an order of its own. None without either.
 */
export function orderRows(db: Database, { environment, asOf, facts, attribution, linkLines }: Refresh): Statement[] {
  if (attribution.partnerId === null) return [];
  const { charge, freeCheckout, paymentIntentId, discount, buyer } = facts;
  const items = linkLines.length === 0 ? null : storedItems(linkLines);
  const common = {
    environment,
    partnerId: attribution.partnerId,
    clientReferenceId: facts.clientReferenceId,
    paymentLinkId: facts.paymentLinkId,
    subscriptionId: facts.subscriptionId,
    email: buyer?.email ?? null,
    customerName: buyer?.name ?? null,
    items,
    updatedAt: asOf,
  };
  if (charge !== null && paymentIntentId !== null) {
    const order: OrderFacts = {
      ...common,
      id: paymentIntentId,
      createdAt: charge.created,
      unpaid: charge.status === "failed" ? "failed" : "pending",
      method: charge.method?.type ?? null,
      methodLabel: charge.method?.label ?? null,
      promotionCode: discount?.promotionCode ?? null,
      promotionCodeId: discount?.promotionCodeId ?? null,
      discount: discount?.amount ?? 0,
      currency: charge.currency,
    };
    return upsertOrder(db, order, sumsOfPayment(paymentIntentId));
  }
  if (freeCheckout === null) return [];
  const order: OrderFacts = {
    ...common,
    id: freeCheckout.id,
    createdAt: freeCheckout.created,
    unpaid: "pending",
    method: null,
    methodLabel: null,
    promotionCode: freeCheckout.promotionCode,
    promotionCodeId: freeCheckout.promotionCodeId,
    discount: freeCheckout.discount,
    currency: freeCheckout.currency,
  };
  return upsertOrder(db, order, sumsOfFreeCheckout(freeCheckout.created));
}

/** A subscription in one of these has not had its first payment. */
const NOT_BEGUN: ReadonlySet<string> = new Set(["incomplete", "incomplete_expired"]);

/** Counts what a look shows as a payment of its link, as the processor counts completed checkouts: what is pending, free or a trial counts too. */
export function linkPaymentRows(db: Database, { facts, attribution }: Refresh, now: number): readonly Statement[] {
  const { paymentLinkId, clientReferenceId, subscriptionReferenceId, charge } = facts;
  const id = completedId(facts);
  if (attribution.partnerId === null || paymentLinkId === null || id === null) return [];
  const reference = clientReferenceId ?? subscriptionReferenceId;
  const receipt = charge?.status === "succeeded" ? charge.receiptUrl : null;
  const beganAt = charge?.created ?? facts.freeCheckout?.created ?? null;
  return countLinkPayment(db, paymentLinkId, { id, reference, receipt, beganAt }, now);
}

function completedId({ charge, freeCheckout, paymentIntentId, subscriptionId, subscription }: Refresh["facts"]): string | null {
  if (freeCheckout !== null) return freeCheckout.id;
  if (charge !== null) return charge.status === "failed" ? null : (subscriptionId ?? paymentIntentId);
  return subscription === null || NOT_BEGUN.has(subscription.status) ? null : subscription.id;
}
