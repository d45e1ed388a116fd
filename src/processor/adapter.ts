import type { Environment } from "../core/environment.ts";
import type { Send } from "../core/fetch-sandbox.ts";
import { lazyAsync } from "../core/lazy.ts";
import { livemodeOf } from "./environment.ts";
import type { ReportMisfit } from "./misfits.ts";
import type { Processor } from "./port.ts";

/**
 * The processor adapter on the official client, with the key of one environment. The library is loaded with the first
 * call. `report` gets fields of the processor's answers that do not fit their shapes.
 */
export function createProcessor(base: string, key: string, environment: Environment, send: Send, report: ReportMisfit): Processor {
  const livemode = livemodeOf(environment);
  const open = lazyAsync(async () => {
    const calls = await import("./client-calls.ts");
    return { calls, stripe: calls.createStripeClient(base, key, send) };
  });
  const ask = async <Result>(call: (opened: Awaited<ReturnType<typeof open>>) => Promise<Result>) => call(await open());
  return {
    createPaymentLink: (link, call) => ask(({ calls, stripe }) => calls.createPaymentLink(stripe, livemode, link, call)),
    findPaymentLink: (metadata, range, call) => ask(({ calls, stripe }) => calls.findPaymentLink(stripe, metadata, range, call)),
    deactivatePaymentLink: (id, call) => ask(({ calls, stripe }) => calls.deactivatePaymentLink(stripe, id, call)),
    activatePaymentLink: (id, call) => ask(({ calls, stripe }) => calls.activatePaymentLink(stripe, id, call)),
    createProduct: (product, call) => ask(({ calls, stripe }) => calls.createProduct(stripe, livemode, product, call)),
    changeProduct: (product, call) => ask(({ calls, stripe }) => calls.changeProduct(stripe, product, call)),
    productOfPrice: (priceId, call) => ask(({ calls, stripe }) => calls.productOfPrice(stripe, priceId, call)),
    listLinkItems: (paymentLinkId, call) => ask(({ calls, stripe }) => calls.listLinkItems(stripe, paymentLinkId, call)),
    createCoupon: (coupon, call) => ask(({ calls, stripe }) => calls.createCoupon(stripe, livemode, coupon, call)),
    findCoupon: (metadata, called, call) => ask(({ calls, stripe }) => calls.findCoupon(stripe, metadata, called, call)),
    deleteCoupon: (couponId, call) => ask(({ calls, stripe }) => calls.deleteCoupon(stripe, couponId, call)),
    createPromotionCode: (code, call) => ask(({ calls, stripe }) => calls.createPromotionCode(stripe, livemode, code, call)),
    findPromotionCode: (code, metadata, call) => ask(({ calls, stripe }) => calls.findPromotionCode(stripe, code, metadata, call)),
    deactivatePromotionCode: (id, call) => ask(({ calls, stripe }) => calls.deactivatePromotionCode(stripe, id, call)),
    setCancelAtPeriodEnd: (subscriptionId, wanted, call) =>
      ask(({ calls, stripe }) => calls.setCancelAtPeriodEnd(stripe, subscriptionId, wanted, call)),
    retrieve: (source, call) => ask(({ calls, stripe }) => calls.retrieveFacts(stripe, report, source, call)),
    listBalanceTransactions: (from, to, limit, call) =>
      ask(({ calls, stripe }) => calls.listBalanceTransactions(stripe, from, to, limit, call)),
    listSubscriptions: (from, to, limit, call) => ask(({ calls, stripe }) => calls.listSubscriptions(stripe, from, to, limit, call)),
    findPaymentsOfBuyer: (email, until, limit, call) =>
      ask(({ calls, stripe }) => calls.findPaymentsOfBuyer(stripe, email, until, limit, call)),
    findPaymentsOfLink: (id, until, limit, call) => ask(({ calls, stripe }) => calls.findPaymentsOfLink(stripe, id, until, limit, call)),
    findMissingRights: (call) => ask(({ calls, stripe }) => calls.findMissingRights(stripe, call)),
    listEventDestinations: (call) => ask(({ calls, stripe }) => calls.listEventDestinations(stripe, call)),
    listEvents: (types, from, to, limit, call) =>
      ask(({ calls, stripe }) => calls.listEvents(stripe, report, types, from, to, limit, call)),
  };
}
