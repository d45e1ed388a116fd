import type { Environment } from "../core/environment.ts";
import { listBalanceTransactions } from "./balance-transactions.ts";
import { readCallsUntil } from "./calls.ts";
import { createStripeClient } from "./client.ts";
import { livemodeOf } from "./environment.ts";
import { listEvents } from "./events.ts";
import { createPaymentLink, findPaymentLink, listLinkItems } from "./links.ts";
import { retrievePayment } from "./payments.ts";
import type { Processor } from "./port.ts";
import { createCoupon, createPromotionCode, deactivatePromotionCode, deleteCoupon, findCoupon, findPromotionCode } from "./promotions.ts";
import { findPaymentLinkOfSubscription, retrieveSubscription, setCancelAtPeriodEnd } from "./subscriptions.ts";

/** The processor adapter on the official client, with the key of one environment. It opens no connection itself. */
export function createProcessor(base: string, key: string, environment: Environment): Processor {
  const stripe = createStripeClient(base, key);
  const livemode = livemodeOf(environment);
  return {
    createPaymentLink: (link, call) => createPaymentLink(stripe, livemode, link, call),
    findPaymentLink: (metadata, call) => findPaymentLink(stripe, metadata, call),
    listLinkItems: (paymentLinkId, call) => listLinkItems(stripe, paymentLinkId, call),
    createCoupon: (coupon, call) => createCoupon(stripe, livemode, coupon, call),
    findCoupon: (metadata, call) => findCoupon(stripe, metadata, call),
    deleteCoupon: (couponId, call) => deleteCoupon(stripe, couponId, call),
    createPromotionCode: (code, call) => createPromotionCode(stripe, livemode, code, call),
    findPromotionCode: (code, metadata, call) => findPromotionCode(stripe, code, metadata, call),
    deactivatePromotionCode: (id, call) => deactivatePromotionCode(stripe, id, call),
    retrieveSubscription: (subscriptionId, call) => retrieveSubscription(stripe, readCallsUntil(call.deadline), subscriptionId),
    setCancelAtPeriodEnd: (subscriptionId, wanted, call) => setCancelAtPeriodEnd(stripe, subscriptionId, wanted, call),
    findPaymentLinkOfSubscription: (subscriptionId, call) => findPaymentLinkOfSubscription(stripe, subscriptionId, call),
    retrievePayment: (source, call) => retrievePayment(stripe, source, call),
    listBalanceTransactions: (from, to, limit, call) => listBalanceTransactions(stripe, from, to, limit, call),
    listEvents: (types, from, to, limit, call) => listEvents(stripe, types, from, to, limit, call),
  };
}
