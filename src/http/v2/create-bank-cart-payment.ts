import * as z from "zod";
import { readBuyer } from "../../bank-payments/buyer.ts";
import { type BankPaymentResult, bankPaymentWorkflow, createBankPayment } from "../../bank-payments/create-bank-payment.ts";
import { selectRubleProducts } from "../../catalogue/store.ts";
import { type Environment, environmentSchema } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { toMajorUnits } from "../../core/money.ts";
import { defineOperation } from "../operation.ts";
import { clientTokenOf, httpsUrl, isRepeat, refuseRepeated } from "../schemas.ts";
import { v2 } from "./generation.ts";

const PRODUCT = "must be the numeric id of a ruble product";

/** A line of the cart (interface 9.2). */
const item = z
  .object({
    product_id: z.int(PRODUCT).positive(PRODUCT).describe("The number of one of your approved ruble products"),
    quantity: z.int().min(1).max(limits.bankCart.quantity),
    unit_amount: z
      .int()
      .min(1)
      .max(limits.bankCart.maxUnitAmount)
      .optional()
      .describe("Kopecks for one unit. Default: the catalogue's price"),
  })
  .meta({ title: "BankCartLine" });

/** The cart, the buyer and the optional settings of the payment (interface 9.4, 9.5, 9.6). */
const input = z.object({
  items: z
    .array(item)
    .min(1)
    .max(limits.bankCart.items)
    .superRefine(refuseRepeated("product_id"))
    .describe("Each product once, all with one tax regime"),
  customer_email: z
    .string()
    .max(limits.buyer.emailCharacters, `must be at most ${limits.buyer.emailCharacters} characters`)
    .optional()
    .describe("The address for the receipt; this, the phone, or both"),
  customer_phone: z
    .string()
    .max(limits.buyer.phoneCharacters, `must be at most ${limits.buyer.phoneCharacters} characters`)
    .optional()
    .describe("Best as +79031234567"),
  external_order_id: z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{1,${limits.externalOrderId.characters}}$`),
      `must be 1 to ${limits.externalOrderId.characters} letters, digits, _ and -`,
    )
    .optional()
    .describe("Your order number; it comes back in the event as Payment.Data.ep_order"),
  success_url: httpsUrl.optional().describe("Where the customer goes after paying, an https URL"),
  fail_url: httpsUrl.optional().describe("Where the customer goes when the payment failed, an https URL"),
  environment: environmentSchema.default("live"),
  client_token: clientTokenOf("order").optional(),
  description: z
    .never("is not accepted: the receipt always has the catalogue's names")
    .optional()
    .describe("Refused: the receipt always has the catalogue's names"),
});

const output = z.object({
  payment_id: z.int(),
  payment_url: z.string().describe("The bank's payment page"),
  sbp_url: z.string().nullable().describe("Fast-payment-system link: prefer it; null if the bank provides none"),
  order_id: z.string(),
  amount_rub: z.number(),
  amount_kopecks: z.int(),
  environment: environmentSchema.describe("The request's environment; default live"),
  status: z.literal("NEW").describe("The status at creation, also in a repeat; events report later changes"),
  line_item_count: z.int(),
  items: z
    .array(
      z
        .object({ product_id: z.int(), product_name: z.string(), unit_amount: z.int(), quantity: z.int(), amount: z.int() })
        .meta({ title: "ReceiptLine" }),
    )
    .describe("The lines of the receipt; amounts in kopecks"),
  duplicate: isRepeat,
});

/** Operation 9. */
export const createBankCartPayment = defineOperation(v2, {
  name: bankPaymentWorkflow.operation,
  title: "Create a ruble payment",
  method: "bankPayments.create",
  summary: "Create one ruble bank payment with a fiscal receipt for a cart of catalogue products",
  description:
    "One one-time payment at the ruble bank, each product a line of the customer's fiscal receipt under its catalogue name. We add up the total: 1 to 10,000,000 rubles. Repeating it with the same client_token, or with the same content and none, gives the same payment.",
  hint: "Use it only for customers who pay in rubles and need a Russian fiscal receipt. Creating it charges no customer; the customer who pays is charged and gets a receipt under the products' names. The address or phone must be the customer's own. Product numbers and prices come from the person. environment is live unless you set test.",
  permission: "bank_payment",
  key: "header",
  effect: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input,
  wireNames: { email: "customer_email", phone: "customer_phone" },
  output,
  fails: [
    "product_not_found",
    "product_damaged",
    "key_reused_with_different_payload",
    "operation_in_progress",
    "upstream_timeout",
    "upstream_failed",
  ],
  example: {
    request: {
      items: [
        { product_id: 1001, quantity: 1 },
        { product_id: 1002, quantity: 2, unit_amount: 120_000 },
      ],
      customer_email: "buyer@example.com",
      external_order_id: "order-2041",
      environment: "test",
      client_token: "example-ruble-cart",
    },
    response: {
      payment_id: 481_516_234_210_042,
      payment_url: "https://pay.bank.example/n8Xw3k",
      sbp_url: "https://qr.bank.example/AD10004K",
      order_id: "010c1e7b9a3d4c62818e0b2d4f6a8c1e",
      amount_rub: 2900,
      amount_kopecks: 290_000,
      environment: "test",
      status: "NEW",
      line_item_count: 2,
      items: [
        { product_id: 1001, product_name: "Consultation", unit_amount: 50_000, quantity: 1, amount: 50_000 },
        { product_id: 1002, product_name: "Course", unit_amount: 120_000, quantity: 2, amount: 240_000 },
      ],
      duplicate: false,
    },
  },
  prefetch: (directory, body) =>
    selectRubleProducts(
      directory,
      body.items.map((line) => line.product_id),
    ),
  environmentsOf: ({ environment }) => [environment],
  hasDryRun: true,
  async run(deps, caller, body, products) {
    const request = {
      items: body.items.map(({ product_id, quantity, unit_amount }) => ({ productId: product_id, quantity, unitAmount: unit_amount })),
      buyer: await readBuyer(body.customer_email, body.customer_phone),
      externalOrderId: body.external_order_id ?? null,
      successUrl: body.success_url ?? null,
      failUrl: body.fail_url ?? null,
      environment: body.environment,
    };
    const made = await createBankPayment(deps, caller, request, body.client_token, products);
    return view(made.payment, body.environment, made.duplicate);
  },
});

/** The status at creation, also in a repeat (interface 9.9). The partner event reports later changes. */
function view(payment: BankPaymentResult, environment: Environment, duplicate: boolean): z.input<typeof output> {
  return {
    payment_id: payment.paymentId,
    payment_url: payment.paymentUrl,
    sbp_url: payment.sbpUrl,
    order_id: payment.orderId,
    amount_rub: toMajorUnits(payment.amount, "RUB"),
    amount_kopecks: payment.amount,
    environment,
    status: "NEW",
    line_item_count: payment.lines.length,
    items: payment.lines.map(({ productId, productName, unitAmount, quantity, amount }) => ({
      product_id: productId,
      product_name: productName,
      unit_amount: unitAmount,
      quantity,
      amount,
    })),
    duplicate,
  };
}
