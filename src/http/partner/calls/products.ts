import * as z from "zod";
import type { Product } from "../../../catalogue/admin/store.ts";
import { isoTime } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { pageOf, pageQuery } from "../../calls/paging.ts";
import { productPage } from "../../calls/product-page.ts";
import { definePartnerCall } from "../define-call.ts";

const productAnswer = z.object({
  kind: z.enum(["card", "ruble"]),
  id: z.string().nullable().describe("What an order names: `prod_…` of a card product, a number of a ruble product; null until it is sold"),
  environment: environmentSchema.nullable().describe("Null for a ruble product, which is sold in both"),
  name: z.string(),
  type: z.string().describe("one_time or subscription"),
  currency: z.string(),
  amount: z.number().describe("The catalogue price in major units"),
  moderation: z.enum(["in_review", "approved", "rejected"]).describe("Only approved products are sold"),
  rejection_reason: z.string().nullable().describe("Why moderation rejected it"),
  updated_at: z.string(),
});

export const productCalls = [
  definePartnerCall({
    command: "products list",
    method: "GET",
    path: "/partner/products",
    permission: "products_view",
    summary: "Your products, with the state of their moderation",
    query: z.object(pageQuery),
    answer: pageOf(productAnswer),
    example: "",
    run: ({ deps, caller }, { query }) => productPage(deps, { partnerId: caller.partnerId }, query, viewProduct),
  }),
];

function viewProduct(product: Product): z.input<typeof productAnswer> {
  const { row } = product;
  const common = {
    name: row.name,
    currency: row.currency,
    amount: toMajorUnits(row.unitAmount, row.currency),
    moderation: row.moderation,
    rejection_reason: row.rejectionReason,
    updated_at: isoTime(row.updatedAt),
  };
  if (product.kind === "ruble") return { kind: "ruble", id: String(product.row.id), environment: null, type: "one_time", ...common };
  const { processorProductId, environment, type } = product.row;
  return { kind: "card", id: processorProductId, environment, type, ...common };
}
