import { z } from "zod";
import { type CartLink, createCartLink } from "../../links/create-cart-link.ts";
import { defineOperation } from "../operation.ts";
import { clientToken, httpsUrl, paymentMethodTypes, productId, refuseRepeated } from "../schemas.ts";

const item = z.object({
  stripe_product_id: productId,
  unit_amount: z.int().min(50).max(99_999_999),
  quantity: z.int().min(1).max(999),
});

const input = z.object({
  items: z.array(item).min(1).max(20).superRefine(refuseRepeated("stripe_product_id")),
  currency: z.enum(["USD", "EUR", "GBP"]).optional(),
  payment_method_types: paymentMethodTypes.optional(),
  allow_promotion_codes: z.boolean().default(false),
  success_url: httpsUrl.optional(),
  client_token: clientToken.optional(),
});

const output = z.object({
  payment_link_id: z.string(),
  short_url: z.string(),
  short_url_id: z.string(),
  currency: z.enum(["USD", "EUR", "GBP"]),
  mode: z.enum(["one_time", "subscription"]),
  interval: z.string().nullable(),
  interval_count: z.int().nullable(),
  line_item_count: z.int(),
  items: z.array(z.object({ processor_product_id: z.string(), processor_price_id: z.string(), quantity: z.int() })),
  duplicate: z.boolean(),
});

/** Operation 8. */
export const createCartPaymentLink = defineOperation("v2", {
  name: "create-partner-processor-cart-payment-link",
  summary: "Create one payment link for a cart of approved products",
  permission: "product_create",
  key: "header",
  input,
  output,
  async run(tools, caller, body) {
    const request = {
      items: body.items.map((line) => ({ productId: line.stripe_product_id, unitAmount: line.unit_amount, quantity: line.quantity })),
      currency: body.currency,
      paymentMethodTypes: body.payment_method_types,
      allowPromotionCodes: body.allow_promotion_codes,
      successUrl: body.success_url,
    };
    const { link, duplicate } = await createCartLink(tools, caller, request, body.client_token);
    return view(link, tools.settings.shortLinkOrigin, duplicate);
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
    items: link.items.map((line) => ({ processor_product_id: line.productId, processor_price_id: line.priceId, quantity: line.quantity })),
    duplicate,
  };
}
