import Stripe from "stripe";
import type { Deadline } from "../core/deadline.ts";
import { isAttributedTo } from "./attribution.ts";
import { callProcessor, requireEnvironment } from "./calls.ts";
import { type CreatedPaymentLink, type LinkItem, MethodRefused, type NewPaymentLink, type ProcessorCall } from "./port.ts";

/** The processor's limit on lines of a link, and so one page of them. */
const MOST_LINES = 20;

/** How many of the newest links are looked at for one of ours: far more than are made while one call is tried. */
const NEWEST_LINKS = 100;

/** {@link Processor.createPaymentLink} */
export async function createPaymentLink(
  stripe: Stripe,
  livemode: boolean,
  link: NewPaymentLink,
  call: ProcessorCall,
): Promise<CreatedPaymentLink> {
  const params = toParams(link);
  try {
    const created = await callProcessor(call.deadline, (timeout) =>
      stripe.paymentLinks.create(params, { idempotencyKey: call.key, timeout }),
    );
    requireEnvironment(created, livemode);
    return { id: created.id, url: created.url };
  } catch (thrown) {
    const method = refusedMethod(thrown instanceof Error ? thrown.cause : undefined, link.paymentMethodTypes);
    throw method === null ? thrown : new MethodRefused(method);
  }
}

/** {@link Processor.findPaymentLink} */
export async function findPaymentLink(
  stripe: Stripe,
  metadata: Readonly<Record<string, string>>,
  { deadline }: { deadline: Deadline },
): Promise<CreatedPaymentLink | null> {
  const newest = await callProcessor(deadline, (timeout) => stripe.paymentLinks.list({ limit: NEWEST_LINKS }, { timeout }));
  const found = newest.data.find((link) => isAttributedTo(link.metadata, metadata));
  return found === undefined ? null : { id: found.id, url: found.url };
}

/** {@link Processor.listLinkItems} */
export async function listLinkItems(stripe: Stripe, paymentLinkId: string, { deadline }: { deadline: Deadline }): Promise<LinkItem[]> {
  const lines = await callProcessor(deadline, (timeout) =>
    stripe.paymentLinks.listLineItems(paymentLinkId, { limit: MOST_LINES }, { timeout }),
  );
  return lines.data.map(({ price, quantity }) => {
    if (price === null || quantity === null) throw new Error("a line of a payment link has no price or quantity");
    return { productId: typeof price.product === "string" ? price.product : price.product.id, priceId: price.id, quantity };
  });
}

function toParams(link: NewPaymentLink): Stripe.PaymentLinkCreateParams {
  const metadata = { ...link.metadata };
  // The processor takes no trial of 0 days.
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
    // The library lists the names of its own release; which exist is the processor's business, so any is passed on.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    payment_method_types: link.paymentMethodTypes as Stripe.PaymentLinkCreateParams.PaymentMethodType[],
    allow_promotion_codes: link.allowPromotionCodes,
    ...(link.successUrl === null ? {} : { after_completion: { type: "redirect", redirect: { url: link.successUrl } } }),
    metadata,
    ...(recurring ? { subscription_data: { metadata, ...trial } } : { payment_intent_data: { metadata } }),
  };
}

/**
 * The one method that the processor names when it refuses a link for it, or null for any other failure. Its code is
 * not documented for this, so the sentence is read, then the index in `param`, and only a method that we sent counts.
 */
function refusedMethod(thrown: unknown, sent: readonly string[]): string | null {
  if (!(thrown instanceof Stripe.errors.StripeInvalidRequestError) || thrown.param?.startsWith("payment_method_types") !== true)
    return null;
  const named = /type provided:\s*([a-z0-9_]+)/.exec(thrown.message) ?? /Payments with ([a-z0-9_]+) support/.exec(thrown.message);
  const index = /payment_method_types\[(\d+)\]/.exec(thrown.param);
  const method = named?.[1] ?? (index?.[1] === undefined ? undefined : sent[Number(index[1])]);
  return method !== undefined && sent.includes(method) ? method : null;
}
