import { listBalanceTransactions } from "./balance-transactions.ts";
import { findPaymentsOfBuyer, findPaymentsOfLink } from "./buyers.ts";
import { listEventDestinations } from "./destinations.ts";
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
import { retrieveFacts } from "./payments.ts";
import { changeProduct, createProduct, productOfPrice } from "./products.ts";
import { createCoupon, createPromotionCode, deactivatePromotionCode, deleteCoupon, findCoupon, findPromotionCode } from "./promotions.ts";
import { findMissingRights } from "./rights.ts";
import { listSubscriptions, setCancelAtPeriodEnd } from "./subscriptions.ts";

/** All calls of the processor, each on one account of it. Each is described where it is defined. */
export const calls = {
  createPaymentLink,
  findPaymentLink,
  deactivatePaymentLink,
  countCheckouts,
  limitPaymentLink,
  activatePaymentLink,
  createProduct,
  changeProduct,
  productOfPrice,
  listLinkItems,
  createCoupon,
  findCoupon,
  deleteCoupon,
  createPromotionCode,
  findPromotionCode,
  deactivatePromotionCode,
  setCancelAtPeriodEnd,
  retrieve: retrieveFacts,
  findPaymentsOfBuyer,
  findPaymentsOfLink,
  listBalanceTransactions,
  listSubscriptions,
  listEvents,
  findMissingRights,
  listEventDestinations,
};
