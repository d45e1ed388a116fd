import { z } from "zod";
import { readBuyer } from "../../bank-payments/buyer.ts";
import { type BankPaymentResult, createBankPayment } from "../../bank-payments/create-bank-payment.ts";
import { toMajorUnits } from "../../core/money.ts";
import { defineOperation } from "../operation.ts";
import { clientToken, httpsUrl, refuseRepeated } from "../schemas.ts";

/** The bank's own bound of an address on a receipt. */
const LONGEST_EMAIL = 64;

const item = z.object({
  product_id: z.int("must be the numeric id of a ruble product").positive("must be the numeric id of a ruble product"),
  quantity: z.int().min(1).max(9999),
  unit_amount: z.int().min(1).max(1_000_000_000).optional(),
});

const input = z.object({
  items: z.array(item).min(1).max(100).superRefine(refuseRepeated("product_id")),
  customer_email: z.email("must be an e-mail address").max(LONGEST_EMAIL, `must be at most ${LONGEST_EMAIL} characters`).optional(),
  customer_phone: z.string().max(40, "must be at most 40 characters").optional(),
  external_order_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -")
    .optional(),
  success_url: httpsUrl.optional(),
  fail_url: httpsUrl.optional(),
  environment: z.enum(["live", "test"], "must be live or test").default("live"),
  client_token: clientToken.optional(),
  description: z.undefined("is not accepted: the receipt always bears the catalogue's names").optional(),
});

const output = z.object({
  payment_id: z.int(),
  payment_url: z.string(),
  sbp_url: z.string().nullable(),
  order_id: z.string(),
  amount_rub: z.number(),
  amount_kopecks: z.int(),
  status: z.literal("NEW"),
  line_item_count: z.int(),
  items: z.array(z.object({ product_id: z.int(), product_name: z.string(), unit_amount: z.int(), quantity: z.int(), amount: z.int() })),
  duplicate: z.boolean(),
});

/** Operation 9. */
export const createBankCartPayment = defineOperation("v2", {
  name: "create-partner-bank-cart-payment",
  summary: "Create one ruble bank payment with a fiscal receipt for a cart of catalogue products",
  permission: "bank_payment",
  key: "header",
  input,
  output,
  async run(tools, caller, body) {
    const request = {
      items: body.items.map(({ product_id, quantity, unit_amount }) => ({ productId: product_id, quantity, unitAmount: unit_amount })),
      buyer: readBuyer(body.customer_email, body.customer_phone),
      externalOrderId: body.external_order_id ?? null,
      successUrl: body.success_url ?? null,
      failUrl: body.fail_url ?? null,
      environment: body.environment,
    };
    const { payment, duplicate } = await createBankPayment(tools, caller, request, body.client_token);
    return view(payment, duplicate);
  },
});

/** The status is that of the creation, also in a repeat: what became of the payment is told by its event. */
function view(payment: BankPaymentResult, duplicate: boolean): z.input<typeof output> {
  return {
    payment_id: payment.paymentId,
    payment_url: payment.paymentUrl,
    sbp_url: payment.sbpUrl,
    order_id: payment.orderId,
    amount_rub: toMajorUnits(payment.amount, "RUB"),
    amount_kopecks: payment.amount,
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
