import { z } from "zod";
import { toMajorUnits } from "../../core/money.ts";
import { listLiveLinks } from "../../links/list-live-links.ts";
import { defineOperation } from "../operation.ts";

const output = z.object({
  products: z.array(
    z.object({
      product_name: z.string(),
      price: z.number(),
      unit_amount: z.int(),
      currency: z.string(),
      description: z.string().nullable(),
      payment_link_short: z.string(),
      processor_product_id: z.string(),
    }),
  ),
  count: z.int(),
});

/** Operation 7. */
export const listLivePaymentLinks = defineOperation("v2", {
  name: "list-partner-live-processor-payment-links",
  summary: "List your live payment links with their short links",
  permission: "products_view",
  key: "header_or_body",
  input: z.object({}),
  bodyless: true,
  output,
  async run(tools, caller) {
    const links = await listLiveLinks(tools, caller);
    return {
      products: links.map(({ productId, productName, description, unitAmount, currency, slug }) => ({
        product_name: productName,
        price: toMajorUnits(unitAmount, currency),
        unit_amount: unitAmount,
        currency,
        description,
        payment_link_short: `${tools.settings.shortLinkOrigin}/${slug}`,
        processor_product_id: productId,
      })),
      count: links.length,
    };
  },
});
