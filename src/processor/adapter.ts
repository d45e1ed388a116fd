import type { Environment } from "../core/environment.ts";
import { openStripe } from "./client.ts";
import { createPaymentLink, findPaymentLink, listLinkItems } from "./links.ts";
import { listBalanceTransactions, retrieveCharge } from "./payments.ts";
import type { Processor } from "./port.ts";

/** The processor behind its official client, for one environment's key. Opens no connection by itself. */
export function openProcessor(base: string, key: string, environment: Environment): Processor {
  const stripe = openStripe(base, key);
  return {
    createPaymentLink: (link, call) => createPaymentLink(stripe, environment === "live", link, call),
    findPaymentLink: (metadata, call) => findPaymentLink(stripe, metadata, call),
    listLinkItems: (paymentLinkId, call) => listLinkItems(stripe, paymentLinkId, call),
    retrieveCharge: (chargeId, call) => retrieveCharge(stripe, chargeId, call),
    listBalanceTransactions: (from, to, limit, call) => listBalanceTransactions(stripe, from, to, limit, call),
  };
}
