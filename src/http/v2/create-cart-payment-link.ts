import * as z from "zod";
import { environmentsOfOwn } from "../../catalogue/card-products.ts";
import { selectCardProducts } from "../../catalogue/store.ts";
import { environmentSchema } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { billingIntervals, cartCurrencies } from "../../core/money.ts";
import { type CartLink, cartLinkWorkflow, createCartLink } from "../../links/create-cart-link.ts";
import { processorItemSchema, viewProcessorItem } from "../../views/processor-item.ts";
import { defineOperation } from "../operation.ts";
import {
  allowPromotionCodes,
  clientTokenOf,
  httpsUrl,
  isRepeat,
  paymentMethodTypes,
  productId,
  refuseRepeated,
  shortLink,
} from "../schemas.ts";
import { v2 } from "./generation.ts";

/** A line of the cart (interface 8.2). */
const item = z
  .object({
    stripe_product_id: productId,
    unit_amount: z
      .int()
      .min(limits.cart.minUnitAmount)
      .max(limits.cart.maxUnitAmount)
      .describe("Minor units for one unit, and per period of a subscription: 1900 is 19.00"),
    quantity: z.int().min(1).max(limits.cart.quantity),
  })
  .meta({ title: "CartLine" });

/** A cart lists each product once (interface 8.1). */
const input = z.object({
  items: z.array(item).min(1).max(limits.cart.items).superRefine(refuseRepeated("stripe_product_id")).describe("Each product once"),
  currency: z.enum(cartCurrencies).optional().describe("Must be the currency of all products. Default: taken from them"),
  payment_method_types: paymentMethodTypes.optional(),
  allow_promotion_codes: allowPromotionCodes,
  success_url: httpsUrl.optional().describe("Where the customer goes after paying, an https URL. Default: the processor's own page"),
  client_token: clientTokenOf("order").optional(),
});

const output = z.object({
  payment_link_id: z.string(),
  ...shortLink,
  currency: z.enum(cartCurrencies),
  mode: z.enum(["one_time", "subscription"]),
  interval: z.enum(billingIntervals).nullable().describe("Null for a one-time cart, as is interval_count"),
  interval_count: z.int().nullable(),
  line_item_count: z.int(),
  items: z.array(processorItemSchema),
  environment: environmentSchema.describe("That of the products"),
  payment_method_types: z.array(z.string()).describe("The payment methods of the link, without those that the processor refused"),
  duplicate: isRepeat,
});

/** Operation 8. */
export const createCartPaymentLink = defineOperation(v2, {
  name: cartLinkWorkflow.operation,
  title: "Create a cart link",
  method: "links.createForCart",
  summary: "Create one payment link for a cart of approved products",
  description: `Several approved products on one checkout. All one-time: one payment. All subscriptions of one period: one subscription. One-time and subscription, different periods, currencies, or live and test cannot be mixed. With a client_token a repeat gives the same link; without one, the same cart within ${limits.replay.hours} hours does.`,
  hint: "Use it to sell approved products at prices that the person has named. Creating a link charges no customer: a customer who opens short_url and pays is charged. With live products the money is real, so show products, prices and currency to the person before, and the link afterwards. Product ids come from list-partner-products or from the person; never invent one.",
  permission: "product_create",
  key: "header",
  effect: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input,
  insteadOf: {
    client_reference_id: "add it to the short link that you give the customer: <short_url>?client_reference_id=<your order>",
    environment: "the products decide whether the cart is live or test",
    interval: "the products decide the period",
    trial_days: "a cart has no trial",
  },
  wireNames: { "items[].productId": "items[].stripe_product_id" },
  output,
  fails: [
    "product_not_found",
    "product_not_approved",
    "product_of_another_partner",
    "product_damaged",
    "key_reused_with_different_payload",
    "previous_attempt_failed",
    "operation_in_progress",
    "short_link_unavailable",
    "upstream_timeout",
    "upstream_failed",
  ],
  example: {
    request: {
      items: [
        { stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 },
        { stripe_product_id: "prod_acmeTestUsd2", unit_amount: 2900, quantity: 2 },
      ],
      success_url: "https://shop.example/thanks",
      client_token: "example-cart",
    },
    response: {
      payment_link_id: "plink_1NoPq5",
      short_url: "https://pay.example.com/x7Kp2mQ9",
      short_url_id: "x7Kp2mQ9",
      currency: "USD",
      mode: "one_time",
      interval: null,
      interval_count: null,
      line_item_count: 2,
      items: [
        { processor_product_id: "prod_acmeTestUsd1", processor_price_id: "price_1NoPq6", quantity: 1 },
        { processor_product_id: "prod_acmeTestUsd2", processor_price_id: "price_1NoPq7", quantity: 2 },
      ],
      environment: "test",
      payment_method_types: ["card", "link"],
      duplicate: false,
    },
  },
  prefetch: (directory, body) =>
    selectCardProducts(
      directory,
      body.items.map((line) => line.stripe_product_id),
    ),
  environmentsOf: (_body, caller, products) => environmentsOfOwn(products, caller.partnerId),
  environmentOfAnswer: ({ environment }) => environment,
  hasDryRun: true,
  async run(deps, caller, body, products) {
    const request = {
      items: body.items.map((line) => ({ productId: line.stripe_product_id, unitAmount: line.unit_amount, quantity: line.quantity })),
      currency: body.currency,
      paymentMethodTypes: body.payment_method_types,
      allowPromotionCodes: body.allow_promotion_codes,
      successUrl: body.success_url,
    };
    const made = await createCartLink(deps, caller, request, body.client_token, products);
    return view(made.link, deps.settings.shortLinkOrigin, made.duplicate);
  },
});

function view(link: CartLink, shortLinkOrigin: string, duplicate: boolean): z.input<typeof output> {
  return {
    payment_link_id: link.paymentLinkId,
    short_url: `${shortLinkOrigin}/${link.slug}`,
    short_url_id: link.slug,
    currency: link.currency,
    mode: link.recurring === null ? "one_time" : "subscription",
    interval: link.recurring?.interval ?? null,
    interval_count: link.recurring?.intervalCount ?? null,
    line_item_count: link.items.length,
    items: link.items.map(viewProcessorItem),
    environment: link.environment,
    payment_method_types: link.paymentMethodTypes,
    duplicate,
  };
}
