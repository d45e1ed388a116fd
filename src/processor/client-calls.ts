import type { Environment } from "../core/environment.ts";
import type { Send } from "../core/fetch-sandbox.ts";
import { listBalanceTransactions } from "./balance-transactions.ts";
import { findPaymentsOfBuyer, findPaymentsOfLink } from "./buyers.ts";
import { createStripeClient } from "./client.ts";
import { listEventDestinations } from "./destinations.ts";
import { livemodeOf } from "./environment.ts";
import { listEvents } from "./events.ts";
import {
  activatePaymentLink,
  countCheckouts,
  createPaymentLink,
  deactivatePaymentLink,
  findPaymentLink,
  limitPaymentLink,
  listLinkItems,
} from "./links.ts";
import type { ReportMisfit } from "./misfits.ts";
import { retrieveFacts } from "./payments.ts";
import type { Processor } from "./port.ts";
import { changeProduct, createProduct, productOfPrice } from "./products.ts";
import { createCoupon, createPromotionCode, deactivatePromotionCode, deleteCoupon, findCoupon, findPromotionCode } from "./promotions.ts";
import { findMissingRights } from "./rights.ts";
import { listSubscriptions, setCancelAtPeriodEnd } from "./subscriptions.ts";

/** The calls of the port on the official client, with the key of one environment. */
export function openProcessor(base: string, key: string, environment: Environment, send: Send, report: ReportMisfit): Processor {
  const stripe = createStripeClient(base, key, send);
  const livemode = livemodeOf(environment);
  return {
    createPaymentLink: (...given) => createPaymentLink(stripe, livemode, ...given),
    findPaymentLink: (...given) => findPaymentLink(stripe, ...given),
    deactivatePaymentLink: (...given) => deactivatePaymentLink(stripe, ...given),
    countCheckouts: (...given) => countCheckouts(stripe, ...given),
    limitPaymentLink: (...given) => limitPaymentLink(stripe, ...given),
    activatePaymentLink: (...given) => activatePaymentLink(stripe, ...given),
    createProduct: (...given) => createProduct(stripe, livemode, ...given),
    changeProduct: (...given) => changeProduct(stripe, ...given),
    productOfPrice: (...given) => productOfPrice(stripe, ...given),
    listLinkItems: (...given) => listLinkItems(stripe, ...given),
    createCoupon: (...given) => createCoupon(stripe, livemode, ...given),
    findCoupon: (...given) => findCoupon(stripe, ...given),
    deleteCoupon: (...given) => deleteCoupon(stripe, ...given),
    createPromotionCode: (...given) => createPromotionCode(stripe, livemode, ...given),
    findPromotionCode: (...given) => findPromotionCode(stripe, ...given),
    deactivatePromotionCode: (...given) => deactivatePromotionCode(stripe, ...given),
    setCancelAtPeriodEnd: (...given) => setCancelAtPeriodEnd(stripe, ...given),
    retrieve: (...given) => retrieveFacts(stripe, report, ...given),
    findPaymentsOfBuyer: (...given) => findPaymentsOfBuyer(stripe, ...given),
    findPaymentsOfLink: (...given) => findPaymentsOfLink(stripe, ...given),
    listBalanceTransactions: (...given) => listBalanceTransactions(stripe, ...given),
    listSubscriptions: (...given) => listSubscriptions(stripe, ...given),
    listEvents: (...given) => listEvents(stripe, report, ...given),
    findMissingRights: (...given) => findMissingRights(stripe, ...given),
    listEventDestinations: (...given) => listEventDestinations(stripe, ...given),
  };
}
