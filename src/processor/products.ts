import Stripe from "stripe";
import type { CallBudget } from "../core/call-budget.ts";
import { callProcessor, nullIfRefused, requireEnvironment } from "./calls.ts";
import type { ChangedProduct, NewProduct } from "./port.ts";

/**
 * {@link Processor.createProduct}. The id is ours, so a repeat after a lost answer finds its own product, however late
 * it comes.
 */
export async function createProduct(
  stripe: Stripe,
  livemode: boolean,
  { id, name, description }: NewProduct,
  { budget }: { budget: CallBudget },
): Promise<void> {
  const params = { id, name, ...(description === null ? {} : { description }) };
  try {
    const made = await callProcessor(budget, (timeout) => stripe.products.create(params, { timeout }));
    requireEnvironment(made, livemode);
  } catch (thrown) {
    if (!existsAlready(thrown)) throw thrown;
    // An earlier call created it, perhaps with an earlier name.
    await changeProduct(stripe, { id, name, description }, { budget });
  }
}

/** {@link Processor.changeProduct} */
export async function changeProduct(
  stripe: Stripe,
  { id, name, description }: ChangedProduct,
  { budget }: { budget: CallBudget },
): Promise<void> {
  // An empty text removes the description.
  const params = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description: description ?? "" }) };
  await callProcessor(budget, (timeout) => stripe.products.update(id, params, { timeout }));
}

/** {@link Processor.productOfPrice} */
export async function productOfPrice(stripe: Stripe, priceId: string, { budget }: { budget: CallBudget }): Promise<string | null> {
  const found = await nullIfRefused(callProcessor(budget, (timeout) => stripe.prices.retrieve(priceId, {}, { timeout }), 1));
  if (found === null) return null;
  return typeof found.product === "string" ? found.product : found.product.id;
}

function existsAlready(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Stripe.errors.StripeInvalidRequestError && cause.code === "resource_already_exists";
}
