import {
  bankOrders,
  cardProducts,
  codesNamed,
  endpointsById,
  eventsById,
  grantsById,
  keysById,
  linksById,
  linksBySlug,
  partnersNamed,
  productImports,
  productsOfPrice,
  promotionCodes,
  requestsById,
  requestsByKey,
  rubleProducts,
} from "./find-others.ts";
import {
  checkoutsNamed,
  paymentsByIntent,
  paymentsNamed,
  paymentsOfBuyer,
  paymentsOfObject,
  paymentsOfTransaction,
  subscriptionsById,
} from "./find-payments.ts";
import type { FindDeps, Finder, Found } from "./found.ts";

/** What ids begin with, and how they are looked for. */
const FINDERS: readonly (readonly [RegExp, Finder])[] = [
  [/^plink_/, linksById],
  [/^pi_/, paymentsByIntent],
  [/^sub_/, subscriptionsById],
  [/^evt_/, eventsById],
  [/^(card|prod)_/, cardProducts],
  [/^price_/, productsOfPrice],
  [/^imp_/, productImports],
  [/^promo_/, promotionCodes],
  [/^key_/, keysById],
  [/^grant_/, grantsById],
  [/^ep_/, endpointsById],
  [/^(processor:)?txn_/, paymentsOfTransaction],
  // Which payment a charge, a refund, a dispute, a checkout or an invoice belongs to, only the processor can tell.
  [/^(ch|py|re|pyr|du|dp|cs|in)_/, paymentsOfObject],
];

/** What a text may name that is no id of ours or of the processor's, or that only looks like one. */
const OTHER_FINDERS: readonly Finder[] = [
  partnersNamed,
  linksBySlug,
  bankOrders,
  paymentsNamed,
  checkoutsNamed,
  requestsByKey,
  requestsById,
  codesNamed,
  rubleProducts,
];

/**
 * What a text belongs to: an id of any kind (ours, the processor's, the bank's), an address of the processor's dashboard, a slug or a
 * short URL, an order reference, a client token or an idempotency key, a promotion code or its coupon, a partner's name, or a buyer's
 * address, which only the processor knows. Bounded queries, each by an index, except that of the partners' names.
 * @throws ServiceFailure from the processor, for an address or for an object that it alone knows.
 */
export async function findNamed(deps: FindDeps, text: string): Promise<Found[]> {
  const wanted = lastSegment(text.trim());
  if (wanted === "") return [];
  if (wanted.includes("@")) return paymentsOfBuyer(deps, wanted);
  const byPrefix = FINDERS.find(([pattern]) => pattern.test(wanted));
  const named = byPrefix === undefined ? [] : await byPrefix[1](deps, wanted);
  if (named.length > 0) return named;
  // A partner's own token or order number may begin like one of our ids.
  const found = [];
  for (const find of OTHER_FINDERS) found.push(...(await find(deps, wanted)));
  return found;
}

/** An address is looked for by its last segment: a slug of ours, or an id in the processor's dashboard. It may lack its beginning. */
function lastSegment(text: string): string {
  const [host = "", ...path] = text.split("/");
  if (!/^https?:\/\//i.test(text) && (!/\.|^localhost(:|$)/.test(host) || path.length === 0)) return text;
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(address) ? (new URL(address).pathname.split("/").findLast((part) => part !== "") ?? "") : text;
}
