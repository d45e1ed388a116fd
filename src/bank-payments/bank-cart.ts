import * as z from "zod";
import type { RubleProduct } from "../catalogue/ruble-products.ts";
import { type Environment, environmentSchema } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { type Preview, previewOf } from "../core/preview.ts";
import { receiptMethods, receiptSubjects } from "../core/receipts.ts";
import type { Buyer } from "./buyer.ts";

/** A partner's ruble cart request after schema validation. Amounts in kopecks. */
export interface BankCartRequest {
  readonly items: readonly {
    readonly productId: number;
    readonly quantity: number;
    /** Undefined: the catalogue price. */
    readonly unitAmount: number | undefined;
  }[];
  readonly buyer: Buyer;
  readonly externalOrderId: string | null;
  readonly successUrl: string | null;
  readonly failUrl: string | null;
  readonly environment: Environment;
}

/** A line of the cart and of the receipt. `amount` is `unitAmount` times `quantity`, in kopecks. */
const lineSchema = z.object({
  productId: z.int(),
  productName: z.string(),
  unitAmount: z.int(),
  quantity: z.int(),
  amount: z.int(),
  vat: z.string(),
  /** What the receipt says of the line, where the product says it. */
  subject: z.enum(receiptSubjects).optional(),
  method: z.enum(receiptMethods).optional(),
  unit: z.string().optional(),
});

/** The resolved bank payment. It is complete before the payment is opened. */
export const bankCartPlanSchema = z.object({
  environment: environmentSchema,
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

/** The path of an item's product in the request, for error messages. */
export const productField = (index: number) => `items[${index}].productId`;

/**
 * Resolves a ruble cart to a plan (interface 9.7). Names and default prices come from the catalogue. All
 * products must use one terminal. A line is at most 10^9 kopecks times 9999, so integer sums are exact.
 * @param products the products of the items, in the order of the items.
 * @throws ServiceFailure `invalid_input` for products of different terminals, or a total out of range.
 */
export function planBankCart(request: BankCartRequest, products: readonly RubleProduct[]): BankCartPlan {
  const [first] = products;
  if (first === undefined) rejectInput("a cart needs at least one item", "items");
  const lines = products.map((product, index) => {
    if (product.terminal !== first.terminal) {
      rejectInput(
        `a cart sells through one bank terminal: product ${product.id} has another tax regime than ${first.id}`,
        productField(index),
      );
    }
    const { quantity = 0, unitAmount = product.unitAmount } = request.items[index] ?? {};
    const { id: productId, name: productName, vat } = product;
    return { productId, productName, unitAmount, quantity, amount: unitAmount * quantity, vat, ...receiptOf(product) };
  });
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  if (amount < limits.bankCart.minTotal || amount > limits.bankCart.maxTotal) {
    rejectInput(
      `the total must be 1 to 10,000,000 rubles (${limits.bankCart.minTotal} to ${limits.bankCart.maxTotal} kopecks), and is ${amount} kopecks`,
      "items",
    );
  }
  const { environment, buyer, externalOrderId, successUrl, failUrl } = request;
  return { environment, terminal: first.terminal, lines, amount, buyer: { ...buyer }, externalOrderId, successUrl, failUrl };
}

/** What the customer pays, and the lines of the receipt. Nothing of the customer. */
export function previewOfBankCart({ environment, amount, lines, successUrl, failUrl, externalOrderId }: BankCartPlan): Preview {
  return previewOf({
    kind: "ruble_payment",
    environments: [environment],
    price: { amount, currency: "RUB", every: null, trialDays: 0 },
    checkout: { paymentMethods: [], allowPromotionCodes: false, successUrl, failUrl, reference: externalOrderId },
    lines: lines.map((line) => ({
      productId: String(line.productId),
      name: line.productName,
      quantity: line.quantity,
      unitAmount: line.unitAmount,
      amount: line.amount,
    })),
  });
}

/** What a product says of its line on the receipt. */
const receiptOf = ({ receiptSubject, receiptMethod, measurementUnit }: RubleProduct) => ({
  ...(receiptSubject === null ? {} : { subject: receiptSubject }),
  ...(receiptMethod === null ? {} : { method: receiptMethod }),
  ...(measurementUnit === null ? {} : { unit: measurementUnit }),
});

/**
 * The request of a cart with a token (interface 9.10): as sent, so that a new catalogue price changes nothing. The order of items
 * is not compared.
 */
export function requestOfBankCart({ successUrl, failUrl, ...cart }: BankCartRequest): object {
  return { ...contentOfBankCart(cart), successUrl, failUrl };
}

/** The content that identifies a cart without a token (interface 9.10): what is sold, to whom, for which order. */
export function contentOfBankCart({ items, buyer, externalOrderId, environment }: Omit<BankCartRequest, "successUrl" | "failUrl">): object {
  const lines = items.map(({ productId, unitAmount = null, quantity }) => ({ productId, unitAmount, quantity }));
  return { items: lines.toSorted((left, right) => left.productId - right.productId), buyer, externalOrderId, environment };
}

/** Whether the lines of a payment have every price that a request names. */
export function hasPrices(
  lines: readonly Pick<BankCartPlan["lines"][number], "productId" | "unitAmount">[],
  { items }: BankCartRequest,
): boolean {
  const isNamed = (item: BankCartRequest["items"][number]) => item.unitAmount !== undefined && item.unitAmount !== null;
  return items
    .filter(isNamed)
    .every((item) => lines.some((line) => line.productId === item.productId && line.unitAmount === item.unitAmount));
}

/** Whether a request names a price. */
export const namesPrices = ({ items }: BankCartRequest): boolean => items.some(({ unitAmount }) => unitAmount !== undefined);

/** A request that names no price. */
export const withoutPrices = (request: BankCartRequest): BankCartRequest => ({
  ...request,
  items: request.items.map((item) => ({ ...item, unitAmount: undefined })),
});

/**
 * A request without the prices that the catalogue has: in a cart without a token, naming such a price is the same as leaving it
 * out. A price that is left out stays so, whatever becomes of the catalogue: then a repeat is the same request.
 */
export function withoutListPrices(request: BankCartRequest, own: readonly Pick<RubleProduct, "id" | "unitAmount">[]): BankCartRequest {
  const listed = (item: BankCartRequest["items"][number]) =>
    own.some(({ id, unitAmount }) => id === item.productId && unitAmount === item.unitAmount);
  return { ...request, items: request.items.map((item) => (listed(item) ? { ...item, unitAmount: undefined } : item)) };
}
