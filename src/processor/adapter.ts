import type { Environment } from "../core/environment.ts";
import type { Send } from "../core/fetch-sandbox.ts";
import { listBalanceTransactions } from "./balance-transactions.ts";
import { findPaymentsOfBuyer, findPaymentsOfLink } from "./buyers.ts";
import { createStripeClient } from "./client.ts";
import { listEventDestinations } from "./destinations.ts";
import { livemodeOf } from "./environment.ts";
import { listEvents } from "./events.ts";
import { activatePaymentLink, createPaymentLink, deactivatePaymentLink, findPaymentLink, listLinkItems } from "./links.ts";
import type { ReportMisfit } from "./misfits.ts";
import { retrieveFacts } from "./payments.ts";
import type { Processor } from "./port.ts";
import { changeProduct, createProduct, productOfPrice } from "./products.ts";
import { createCoupon, createPromotionCode, deactivatePromotionCode, deleteCoupon, findCoupon, findPromotionCode } from "./promotions.ts";
import { findMissingRights } from "./rights.ts";
import { listSubscriptions, setCancelAtPeriodEnd } from "./subscriptions.ts";

/**
 * The processor adapter on the official client, with the key of one environment. It opens no connection itself.
 * `report` gets fields of the processor's answers that do not fit their shapes.
 */
export function createProcessor(base: string, key: string, environment: Environment, send: Send, report: ReportMisfit): Processor {
  const stripe = createStripeClient(base, key, send);
  const livemode = livemodeOf(environment);
  return {
    createPaymentLink: (link, call) => createPaymentLink(stripe, livemode, link, call),
    findPaymentLink: (metadata, range, call) => findPaymentLink(stripe, metadata, range, call),
    deactivatePaymentLink: (id, call) => deactivatePaymentLink(stripe, id, call),
    activatePaymentLink: (id, call) => activatePaymentLink(stripe, id, call),
    createProduct: (product, call) => createProduct(stripe, livemode, product, call),
    changeProduct: (product, call) => changeProduct(stripe, product, call),
    productOfPrice: (priceId, call) => productOfPrice(stripe, priceId, call),
    listLinkItems: (paymentLinkId, call) => listLinkItems(stripe, paymentLinkId, call),
    createCoupon: (coupon, call) => createCoupon(stripe, livemode, coupon, call),
    findCoupon: (metadata, called, call) => findCoupon(stripe, metadata, called, call),
    deleteCoupon: (couponId, call) => deleteCoupon(stripe, couponId, call),
    createPromotionCode: (code, call) => createPromotionCode(stripe, livemode, code, call),
    findPromotionCode: (code, metadata, call) => findPromotionCode(stripe, code, metadata, call),
    deactivatePromotionCode: (id, call) => deactivatePromotionCode(stripe, id, call),
    setCancelAtPeriodEnd: (subscriptionId, wanted, call) => setCancelAtPeriodEnd(stripe, subscriptionId, wanted, call),
    retrieve: (source, call) => retrieveFacts(stripe, report, source, call),
    listBalanceTransactions: (from, to, limit, call) => listBalanceTransactions(stripe, from, to, limit, call),
    listSubscriptions: (from, to, limit, call) => listSubscriptions(stripe, from, to, limit, call),
    findPaymentsOfBuyer: (email, until, limit, call) => findPaymentsOfBuyer(stripe, email, until, limit, call),
    findPaymentsOfLink: (id, until, limit, call) => findPaymentsOfLink(stripe, id, until, limit, call),
    findMissingRights: (call) => findMissingRights(stripe, call),
    listEventDestinations: (call) => listEventDestinations(stripe, call),
    listEvents: (types, from, to, limit, call) => listEvents(stripe, report, types, from, to, limit, call),
  };
}
