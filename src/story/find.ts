import {
  bankOrders,
  cardProducts,
  changesOfRequest,
  codesNamed,
  endpointsById,
  eventsById,
  grantsById,
  keysByHint,
  keysById,
  linksById,
  linksBySlug,
  partnersNamed,
  pastedKeys,
  platformTransactions,
  productImports,
  productsByName,
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

/** A transaction of the processor: its payment, or one between the processor and us. */
const transactions: Finder = async (deps, id) => {
  const payments = await paymentsOfTransaction(deps, id);
  return payments.length > 0 ? payments : platformTransactions(deps, id);
};

/** Id prefixes, with the search for each. */
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
  [/^(processor:)?txn_/, transactions],
  [/^bf_/, platformTransactions],
  // Only the processor knows the payment of a charge, a refund, a dispute, a checkout or an invoice.
  [/^(ch|py|re|pyr|du|dp|cs|in)_/, paymentsOfObject],
];

/** Searches for texts that are no id of ours or of the processor, or only look like one. */
const OTHER_FINDERS: readonly Finder[] = [
  pastedKeys,
  partnersNamed,
  linksBySlug,
  bankOrders,
  paymentsNamed,
  checkoutsNamed,
  requestsByKey,
  requestsById,
  changesOfRequest,
  codesNamed,
  rubleProducts,
];

/**
 * Finds the objects that a text names: an id of any kind (ours, the processor's, the bank's), an address of the
 * processor's dashboard, a slug or a short URL, an order reference, a client token or an idempotency key, a promotion
 * code or its coupon, a partner's or a product's name, or a buyer's e-mail address. Bounded queries,
 * each by an index, except for names.
 * @throws ServiceFailure from the processor, for an e-mail address or for an object that only it knows.
 */
export async function findNamed(deps: FindDeps, text: string): Promise<Found[]> {
  const found = await findExactly(deps, searchedText(text));
  const quoted = withoutQuotes(text);
  return found.length > 0 || quoted === text.trim() ? found : findExactly(deps, searchedText(quoted));
}

const BEFORE = new Set(["(", "[", "<", '"', "'", "«", "“", "„", "`"]);
const AFTER = new Set([")", "]", ">", '"', "'", "»", "”", "“", "`", ".", ",", ";", ":", "!", "?"]);

/** A text without the quotes, brackets and stops of the sentence from which it was copied. */
function withoutQuotes(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && (BEFORE.has(text.charAt(from)) || text.charAt(from) === " ")) from += 1;
  while (to > from && (AFTER.has(text.charAt(to - 1)) || text.charAt(to - 1) === " ")) to -= 1;
  return text.slice(from, to);
}

async function findExactly(deps: FindDeps, wanted: string): Promise<Found[]> {
  if (wanted === "") return [];
  if (wanted.includes("@")) return paymentsOfBuyer(deps, wanted);
  const byPrefix = FINDERS.find(([pattern]) => pattern.test(wanted));
  const named = byPrefix === undefined ? [] : await byPrefix[1](deps, wanted);
  if (named.length > 0) return named;
  // A partner's own token or order number may look like one of our ids.
  const found = [];
  for (const find of OTHER_FINDERS) found.push(...(await find(deps, wanted)));
  if (found.length > 0) return found;
  // What has the text as its id goes before keys that end with it, and products that have it in their names.
  return [...(await keysByHint(deps, wanted)), ...(await productsByName(deps, wanted))];
}

/** The prefix of an id. Behind it, the processor's ids have letters of both cases that count, and our events small ones alone. */
const PREFIX = /^(?:processor:)?[a-z]{2,6}_/i;

/** What a search looks for: without blanks around it, without the address before it, an id's prefix in small letters. */
export function searchedText(text: string): string {
  // A product's id is shown with its kind, a short address without its host.
  const wanted = lastSegment(text.trim().replace(/^(?:(?:card|ruble)?[/])/, ""));
  return OWN_EVENT.test(wanted) ? wanted.toLowerCase() : wanted.replace(PREFIX, (prefix) => prefix.toLowerCase());
}

const OWN_EVENT = /^evt_[0-9a-z]{2}[0-9a-f]{30}$/i;

/**
 * A URL is searched by its last segment: a slug, or an id in the processor's dashboard. Its beginning may be missing.
 */
function lastSegment(text: string): string {
  const [host = "", ...path] = text.split("/");
  if (!/^https?:\/\//i.test(text) && (!/\.|^localhost(:|$)/.test(host) || path.length === 0)) return text;
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(address) ? (new URL(address).pathname.split("/").findLast((part) => part !== "") ?? "") : text;
}
