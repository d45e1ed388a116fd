import Stripe from "stripe";
import type { Account } from "./account.ts";
import { callProcessor, nullIfRefused, requireEnvironment } from "./calls.ts";
import type { Call, ChangedProduct, NewProduct } from "./port.ts";

/**
 * Creates a product under the given id. The id is ours, so a repeat after a lost answer finds its own product, however late it comes:
 * a product that exists is no error.
 */
export async function createProduct(account: Account, { id, name, description }: NewProduct, { budget }: Call): Promise<void> {
  const { stripe, livemode } = account;
  const params = { id, name, ...(description === null ? {} : { description }) };
  try {
    const made = await callProcessor(budget, (timeout) => stripe.products.create(params, { timeout }));
    requireEnvironment(made, livemode);
  } catch (thrown) {
    if (!existsAlready(thrown)) throw thrown;
    // An earlier call created it, perhaps with an earlier name.
    await changeProduct(account, { id, name, description }, { budget });
  }
}

/** Changes the customer-visible fields of a product. */
export async function changeProduct({ stripe }: Account, { id, name, description }: ChangedProduct, { budget }: Call): Promise<void> {
  // An empty text removes the description.
  const params = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description: description ?? "" }) };
  await callProcessor(budget, (timeout) => stripe.products.update(id, params, { timeout }));
}

/** The product of a price; null if the price does not exist. For operators. */
export async function productOfPrice({ stripe }: Account, priceId: string, { budget }: Call): Promise<string | null> {
  const found = await nullIfRefused(callProcessor(budget, (timeout) => stripe.prices.retrieve(priceId, {}, { timeout }), 1));
  if (found === null) return null;
  return typeof found.product === "string" ? found.product : found.product.id;
}

function existsAlready(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Stripe.errors.StripeInvalidRequestError && cause.code === "resource_already_exists";
}
