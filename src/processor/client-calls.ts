/** The calls of the adapter. They and the client's library are evaluated with the first call, because the library is large. */
export { listBalanceTransactions } from "./balance-transactions.ts";
export { findPaymentsOfBuyer, findPaymentsOfLink } from "./buyers.ts";
export { createStripeClient } from "./client.ts";
export { listEventDestinations } from "./destinations.ts";
export { listEvents } from "./events.ts";
export { activatePaymentLink, createPaymentLink, deactivatePaymentLink, findPaymentLink, listLinkItems } from "./links.ts";
export { retrieveFacts } from "./payments.ts";
export { changeProduct, createProduct, productOfPrice } from "./products.ts";
export { createCoupon, createPromotionCode, deactivatePromotionCode, deleteCoupon, findCoupon, findPromotionCode } from "./promotions.ts";
export { findMissingRights } from "./rights.ts";
export { listSubscriptions, setCancelAtPeriodEnd } from "./subscriptions.ts";
