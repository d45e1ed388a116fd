import * as z from "zod";
import { toMajorUnits } from "../../core/money.ts";
import { type LiveLink, liveLinkPages } from "../../links/list-live-links.ts";
import { withFurtherPages } from "../list-stream.ts";
import { defineOperation, READ_ONLY } from "../operation.ts";
import { v2 } from "./generation.ts";

/** `price` is in major units, `unit_amount` in minor units (interface 7.2). */
const output = z.object({
  products: z.array(
    z
      .object({
        product_name: z.string(),
        price: z.number().describe("In major units"),
        unit_amount: z.int().describe("In minor units"),
        currency: z.string().describe("USD, EUR, GBP or BRL"),
        description: z.string().nullable(),
        payment_link_short: z.string(),
        processor_product_id: z.string(),
      })
      .meta({ title: "LivePaymentLink" }),
  ),
  count: z.int(),
});

/** Operation 7. */
export const listLivePaymentLinks = defineOperation(v2, {
  name: "list-partner-live-processor-payment-links",
  title: "List live links",
  method: "links.listLive",
  summary: "List your live payment links with their short links",
  description:
    "Your live links of single products that have a short link. Carts are not listed, nor are test links. There are no filters and no pages.",
  hint: "Use it to find the live links of products, with ids (processor_product_id) and prices. list-partner-products has every product.",
  permission: "products_view",
  key: "header_or_body",
  effect: READ_ONLY,
  input: z.object({}),
  bodyless: true,
  output,
  fails: [],
  example: {
    request: {},
    response: {
      products: [
        {
          product_name: "Course",
          price: 19,
          unit_amount: 1900,
          currency: "USD",
          description: null,
          payment_link_short: "https://pay.example.com/x7Kp2mQ9",
          processor_product_id: "prod_acmeLiveUsd1",
        },
      ],
      count: 1,
    },
  },
  environmentsOf: () => ["live"],
  async run(deps, caller) {
    const { shortLinkOrigin } = deps.settings;
    const pages = liveLinkPages(deps, caller);
    const { links = [], isLast = true } = (await pages.next()).value ?? {};
    const products = links.map((link) => view(link, shortLinkOrigin));
    const answer = { products, count: products.length };
    return isLast ? answer : withFurtherPages(answer, { field: "products", pages: viewed(pages, shortLinkOrigin) });
  },
});

async function* viewed(pages: ReturnType<typeof liveLinkPages>, origin: string): AsyncGenerator<readonly object[], undefined> {
  for await (const { links } of pages) yield links.map((link) => view(link, origin));
  return undefined;
}

const view = ({ productId, productName, description, unitAmount, currency, slug }: LiveLink, shortLinkOrigin: string) => ({
  product_name: productName,
  price: toMajorUnits(unitAmount, currency),
  unit_amount: unitAmount,
  currency,
  description,
  payment_link_short: `${shortLinkOrigin}/${slug}`,
  processor_product_id: productId,
});
