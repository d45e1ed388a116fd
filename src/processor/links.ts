import Stripe from "stripe";
import type { Period } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { Account } from "./account.ts";
import { callProcessor, callWithKey, isMissing, isWithoutBeginning, requireEnvironment } from "./calls.ts";
import { findAttributed, type SearchRange } from "./find-attributed.ts";
import { FinalKeyFailure } from "./next-key.ts";
import { listCreatedBetween } from "./pages.ts";
import {
  type Call,
  type CreatedPaymentLink,
  type LinkItem,
  type Metadata,
  type NewPaymentLink,
  PaymentMethodsRefused,
  type ProcessorCall,
} from "./port.ts";

/**
 * The payment methods for which the processor refuses a link; empty for any other failure. It may refuse one because of
 * the mode, the account, the country, the currency, or because it does not know it. None of these sentences is
 * documented, and `param` may be missing. So this looks, in this order, for: a refusal of everything sent; the position
 * in `param` or in the message; a method in quotation marks; a method as a word of the message. Only a method that we
 * sent counts. A refusal about payment methods that names none counts for all of them.
 */
function refusedMethods(thrown: unknown, sent: readonly string[]): readonly string[] {
  if (!(thrown instanceof Stripe.errors.StripeInvalidRequestError)) return [];
  const { message, param = "", code = "" } = thrown;
  // A list of accepted methods follows in the message. These methods were not refused.
  const [complaint = ""] = message.split(/must be one of|supported types are/i);
  const quoted = sent.filter((method) => [`\`${method}\``, `'${method}'`, `"${method}"`].some((name) => complaint.includes(name)));
  const isAboutMethods =
    param.startsWith(FIELD) || code.startsWith("payment_method_") || /payment[ _]method|\btypes? provided\b/i.test(message);
  if (!isAboutMethods) return quoted;
  if (/^All types provided\b/i.test(message)) return sent;
  const position = /payment_method_types\[(\d+)\]/.exec(`${param} ${message}`)?.[1];
  const indexed = position === undefined ? undefined : sent[Number(position)];
  if (indexed !== undefined) return [indexed];
  if (quoted.length > 0) return quoted;
  const words = new Set(complaint.split(NOT_A_NAME));
  const typed = /type provided:\s*([a-z0-9_]+)/.exec(complaint)?.[1] ?? "";
  const named = sent.filter((method) => method === typed || (words.has(method) && !ENGLISH.has(method)));
  return named.length > 0 || !isAboutAll(param) ? named : sent;
}

/** Methods whose names are ordinary words in a sentence about a card link. */
const ENGLISH: ReadonlySet<string> = new Set(["card", "link"]);

/** A refusal of another field that mentions payment methods does not concern all methods. */
function isAboutAll(param: string): boolean {
  return param === "" || param === FIELD;
}

const FIELD = "payment_method_types";
const NOT_A_NAME = /[^a-z0-9_]+/;

/**
 * Creates a payment link with its prices in one call. Repeated calls with one `call.key` create only one link.
 * @throws ServiceFailure `upstream_failed`, `upstream_timeout`; {@link PaymentMethodsRefused}; `FinalKeyFailure`.
 */
export async function createPaymentLink(
  { stripe, livemode }: Account,
  link: NewPaymentLink,
  call: ProcessorCall,
): Promise<CreatedPaymentLink> {
  const params = toParams(link);
  try {
    const created = await callWithKey(call, (options) => stripe.paymentLinks.create(params, options));
    requireEnvironment(created, livemode);
    return { id: created.id, url: created.url };
  } catch (thrown) {
    if (thrown instanceof FinalKeyFailure) throw thrown;
    const methods = refusedMethods(thrown instanceof Error ? thrown.cause : undefined, link.paymentMethodTypes);
    throw methods.length === 0 || !(thrown instanceof ServiceFailure) ? thrown : new PaymentMethodsRefused(methods, thrown);
  }
}

/**
 * The link with all of this metadata, if any. It shows the result of a call with an inconclusive answer. Payment
 * links have no creation time at the processor, so the search starts at the id of a link that is known to be older.
 */
export async function findPaymentLink(
  { stripe }: Account,
  metadata: Metadata,
  range: SearchRange,
  { budget }: Call,
): Promise<CreatedPaymentLink | null> {
  const search = (from: SearchRange) =>
    findAttributed(metadata, from, (page) => callProcessor(budget, (timeout) => stripe.paymentLinks.list(page, { timeout })));
  const found = await search(range).catch((thrown: unknown) => {
    // The account no longer has the older link, for example a test account whose data was deleted.
    if (isWithoutBeginning(thrown)) return search({ ...range, after: null });
    throw thrown;
  });
  return found === null ? null : { id: found.id, url: found.url };
}

/** Deactivates a link: customers can no longer pay through it. */
export async function deactivatePaymentLink({ stripe }: Account, id: string, { budget }: Call): Promise<void> {
  try {
    await callProcessor(budget, (timeout) => stripe.paymentLinks.update(id, { active: false }, { timeout }));
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

/** Sets after how many completed checkouts a link closes (null: never), and whether customers can pay through it now. */
export async function limitPaymentLink(
  { stripe }: Account,
  id: string,
  { atMost, isActive }: { readonly atMost: number | null; readonly isActive: boolean },
  { budget }: Call,
): Promise<void> {
  // An empty text takes the restriction away.
  const restrictions = atMost === null ? "" : { completed_sessions: { limit: atMost } };
  try {
    await callProcessor(budget, (timeout) => stripe.paymentLinks.update(id, { restrictions, active: isActive }, { timeout }));
  } catch (thrown) {
    // No customer pays through a link that is gone.
    if (isActive || !isMissing(thrown)) throw thrown;
  }
}

/** How many checkouts customers began through a link in a period; at most `atMost`, newest first. */
export async function countCheckouts(
  { stripe }: Account,
  id: string,
  { from, to }: Period,
  atMost: number,
  { budget }: Call,
): Promise<number> {
  const found = await listCreatedBetween({ from, to: to - 1, limit: atMost, budget }, (params, timeout) =>
    stripe.checkout.sessions.list({ ...params, payment_link: id }, { timeout }),
  );
  return found.length;
}

/** Activates a link that was deactivated. */
export async function activatePaymentLink({ stripe }: Account, id: string, { budget }: Call): Promise<void> {
  await callProcessor(budget, (timeout) => stripe.paymentLinks.update(id, { active: true }, { timeout }));
}

/** The lines of a link, in order. A cart has no more items than one page of the processor, so one call is enough. */
export async function listLinkItems({ stripe }: Account, paymentLinkId: string, { budget }: Call): Promise<LinkItem[]> {
  return toLinkItems(await callProcessor(budget, (timeout) => listLines(stripe, paymentLinkId, { timeout })));
}

/** Requests the lines of a link. They always fit on one page. */
export function listLines(stripe: Stripe, paymentLinkId: string, options: { readonly timeout: number }) {
  return stripe.paymentLinks.listLineItems(paymentLinkId, { limit: limits.cart.items }, options);
}

/** The ids in the answer of {@link listLines}. */
export function toLinkItems({ data }: { readonly data: readonly Stripe.LineItem[] }): LinkItem[] {
  return data.map(({ price, quantity }) => {
    if (price === null || quantity === null) throw new Error("a line of a payment link has no price or quantity");
    return { productId: typeof price.product === "string" ? price.product : price.product.id, priceId: price.id, quantity };
  });
}

function toParams(link: NewPaymentLink): Stripe.PaymentLinkCreateParams {
  const metadata = { ...link.metadata };
  // The processor does not accept a trial of 0 days.
  const trial = link.trialDays === 0 ? {} : { trial_period_days: link.trialDays };
  const recurring = link.recurring && { interval: link.recurring.interval, interval_count: link.recurring.intervalCount };
  return {
    line_items: link.items.map((item) => ({
      price_data: {
        product: item.productId,
        currency: link.currency.toLowerCase(),
        unit_amount: item.unitAmount,
        ...(recurring ? { recurring } : {}),
      },
      quantity: item.quantity,
    })),
    // The library's type only lists the methods of its own release. The processor decides which exist, so any name is
    // passed on.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    payment_method_types: link.paymentMethodTypes as Stripe.PaymentLinkCreateParams.PaymentMethodType[],
    allow_promotion_codes: link.allowPromotionCodes,
    ...(link.successUrl === null ? {} : { after_completion: { type: "redirect", redirect: { url: link.successUrl } } }),
    metadata,
    ...(recurring ? { subscription_data: { metadata, ...trial } } : { payment_intent_data: { metadata } }),
  };
}
