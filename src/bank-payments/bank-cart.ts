import { z } from "zod";
import type { RubleProduct } from "../catalogue/ruble-products.ts";
import type { Environment } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import type { Buyer } from "./buyer.ts";

/** A ruble cart as a partner asks for it, its shape already checked. Amounts in kopecks. */
export interface BankCartRequest {
  readonly items: readonly {
    readonly productId: number;
    readonly quantity: number;
    /** Undefined: what the catalogue says. */
    readonly unitAmount: number | undefined;
  }[];
  readonly buyer: Buyer;
  readonly externalOrderId: string | null;
  readonly successUrl: string | null;
  readonly failUrl: string | null;
  readonly environment: Environment;
}

/** A line of the cart, which is a line of the receipt: `amount` is `unitAmount` times `quantity`, in kopecks. */
const lineSchema = z.object({
  productId: z.int(),
  productName: z.string(),
  unitAmount: z.int(),
  quantity: z.int(),
  amount: z.int(),
  vat: z.string(),
});

/** Everything that is settled about a bank payment before it is opened. */
export const bankCartPlanSchema = z.object({
  environment: z.enum(["live", "test"]),
  terminal: z.string(),
  lines: z.array(lineSchema).min(1),
  /** The sum of the lines, in kopecks. */
  amount: z.int(),
  buyer: z.object({ email: z.string().nullable(), phone: z.string().nullable() }),
  externalOrderId: z.string().nullable(),
  successUrl: z.string().nullable(),
  failUrl: z.string().nullable(),
});

export type BankCartPlan = z.infer<typeof bankCartPlanSchema>;

/** In kopecks: 1 and 10,000,000 rubles (interface, "Limits"). */
const LEAST_TOTAL = 100;
const GREATEST_TOTAL = 1_000_000_000;

/** Where an item's product stands in the request. */
export const productField = (index: number) => `items[${index}].product_id`;

/**
 * Settles a ruble cart against the catalogue (interface, operation 9): names and default prices from there, one
 * terminal, the total by integers. A line is at most 10^9 kopecks times 9999, so every sum is exact.
 * @param products of the items, in their order.
 * @throws ServiceFailure `invalid_input` for another terminal, or a total out of range.
 */
export function planBankCart(request: BankCartRequest, products: readonly RubleProduct[]): BankCartPlan {
  const [first] = products;
  if (first === undefined) rejectInput("a cart needs at least one item", "items");
  const lines = products.map((product, index) => {
    if (product.terminal !== first.terminal) {
      rejectInput(
        `a cart sells through one bank terminal: product ${product.id} is of another tax regime than ${first.id}`,
        productField(index),
      );
    }
    const { quantity = 0, unitAmount = product.unitAmount } = request.items[index] ?? {};
    return { productId: product.id, productName: product.name, unitAmount, quantity, amount: unitAmount * quantity, vat: product.vat };
  });
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  if (amount < LEAST_TOTAL || amount > GREATEST_TOTAL) {
    rejectInput(
      `the total must be 1 to 10,000,000 rubles (${LEAST_TOTAL} to ${GREATEST_TOTAL} kopecks), and is ${amount} kopecks`,
      "items",
    );
  }
  const { environment, buyer, externalOrderId, successUrl, failUrl } = request;
  return { environment, terminal: first.terminal, lines, amount, buyer: { ...buyer }, externalOrderId, successUrl, failUrl };
}

/**
 * What makes two carts without a token the same request (interface, operation 9): composition, prices as they apply,
 * quantities, buyer and order number, and the environment. The order of items is not part of it, nor is where the
 * customer goes afterwards.
 */
export function contentOfBankCart({ lines, buyer, externalOrderId, environment }: BankCartPlan): object {
  const items = lines.map(({ productId, unitAmount, quantity }) => ({ productId, unitAmount, quantity }));
  return { items: byProduct(items), buyer, externalOrderId, environment };
}

/** What must be the same under one token: all of the request as it was made, so that a new catalogue price changes nothing. */
export function payloadOfBankCart({ items, ...rest }: BankCartRequest): object {
  const asSent = items.map(({ productId, unitAmount = null, quantity }) => ({ productId, unitAmount, quantity }));
  return { items: byProduct(asSent), ...rest };
}

function byProduct<Item extends { readonly productId: number }>(items: readonly Item[]): Item[] {
  return items.toSorted((left, right) => left.productId - right.productId);
}
