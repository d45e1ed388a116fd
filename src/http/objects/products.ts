import * as z from "zod";
import { createCardProduct, createRubleProduct, type IdTaken } from "../../catalogue/admin/products.ts";
import type { Product } from "../../catalogue/admin/store.ts";
import { rejectInput } from "../../core/errors.ts";
import type { Deps } from "../../deps.ts";
import { approveProduct, correctProduct } from "../../moderation/approve-product.ts";
import { pageOf, pageQuery } from "../calls/paging.ts";
import { conflict } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { requireLocation, requirePartner } from "./partner-lookup.ts";
import { productLinkCalls } from "./product-links.ts";
import { LINK_DISABLED, productPath, requireProduct, requireSeen, seenField, terminalFault } from "./product-lookup.ts";
import {
  cardChangeOf,
  cardValuesOf,
  newProductSchema,
  productAnswer,
  productChange,
  rubleChangeOf,
  rubleValuesOf,
  viewProduct,
} from "./product-schemas.ts";
import { productSearchCalls } from "./product-search.ts";
import { productCallsOfPartners } from "./products-of-partners.ts";
import { pageOfProducts } from "./products-page.ts";

/**
 * Refuses a terminal that the settings do not have: such a product could not be sold. @throws ServiceFailure
 * `invalid_input`.
 */
function requireTerminal(deps: Pick<Deps, "settings">, terminal: string): void {
  const wrong = terminalFault(deps, terminal);
  if (wrong !== null) rejectInput(wrong, "terminal");
}

function orTaken(made: Product | IdTaken): Product {
  return "taken" in made ? conflict(`Another product already has this ${made.taken}.`) : made;
}

/** A partner does not choose what decides its tax regime. @throws CallRefusal 409 for a ruble product that lacks it, or that no terminal sells */
function requireComplete(deps: Pick<Deps, "settings">, product: Product): void {
  if (product.kind === "card") return;
  const missing = (["terminal", "vat"] as const).filter((name) => product.row[name] === null);
  if (missing.length > 0) conflict(`It has no ${missing.join(" and no ")} yet. Set it with \`products change\`, and then approve it.`);
  const wrong = terminalFault(deps, product.row.terminal ?? "");
  if (wrong !== null) conflict(`${wrong}. Set another with \`products change\`.`);
}

const operatorsCalls = [
  defineCall({
    command: "products list",
    path: "/ops/partners/{partner}/products",
    role: "any",
    summary: "The products of a partner, in any state",
    query: z.object(pageQuery),
    answer: pageOf(productAnswer),
    example: "acme",
    async run({ deps }, { params, query }) {
      const partner = await requirePartner(deps, params.partner);
      return pageOfProducts(deps, { partnerId: partner.id }, query, viewProduct);
    },
  }),
  ...productSearchCalls,
  defineCall({
    command: "products create",
    method: "POST",
    path: "/ops/partners/{partner}/products",
    role: "moderation",
    summary: "Adds a product, which is not sold until it is approved",
    body: newProductSchema,
    positional: ["kind"],
    status: 201,
    answer: productAnswer,
    example: "acme card --environment test --name Course --type one_time --currency USD --unit_amount 1900",
    async run({ deps, actor }, { params, body }) {
      if (body.kind === "ruble") requireTerminal(deps, body.terminal);
      const partner = await requirePartner(deps, params.partner);
      const made =
        body.kind === "card"
          ? await createCardProduct(deps, partner.id, cardValuesOf(body), actor)
          : await createRubleProduct(deps, partner.id, body.id, rubleValuesOf(body), actor);
      return viewProduct(orTaken(made));
    },
  }),
  defineCall({
    command: "products approve",
    method: "POST",
    path: "/ops/products/{kind}/{id}/approve",
    role: "moderation",
    summary: "Approves a product for sale; a card product is created at the processor and gets its first link",
    params: productPath,
    body: z.strictObject({
      first_link: z.boolean().default(true).describe("Whether a card product gets its first link, at the catalogue price"),
      ...seenField,
    }),
    answer: z.object({ product: productAnswer, first_link: z.object({ payment_link_id: z.string(), short_url: z.string() }).nullable() }),
    example: "card card_0123…",
    async run({ deps, actor }, { params, body }) {
      const product = await requireProduct(deps, params);
      await requireSeen(deps, product, body.seen_revision);
      requireComplete(deps, product);
      const location = await requireLocation(deps, product.row.partnerId);
      const approved = await approveProduct(deps, product, location, body.first_link, actor);
      if (approved === "link_disabled") conflict(LINK_DISABLED);
      const { firstLink } = approved;
      return {
        product: viewProduct(approved.product),
        first_link:
          firstLink === null
            ? null
            : { payment_link_id: firstLink.paymentLinkId, short_url: `${deps.settings.shortLinkOrigin}/${firstLink.slug}` },
      };
    },
  }),
  ...productLinkCalls,
  defineCall({
    command: "products change",
    method: "PATCH",
    path: "/ops/products/{kind}/{id}",
    role: "moderation",
    summary: "Changes a product; existing links keep their price",
    params: productPath,
    body: z.looseObject({}),
    describedBody: productChange,
    answer: productAnswer,
    example: "card card_0123… --unit_amount 2900",
    async run({ deps, actor }, { params, body }) {
      const product = await requireProduct(deps, params);
      const change = product.kind === "card" ? cardChangeOf(product.row, body) : rubleChangeOf(body);
      if ("terminal" in change && change.terminal !== undefined) requireTerminal(deps, change.terminal);
      if (Object.keys(change).length === 0) rejectInput("give at least one field to change");
      return viewProduct(orTaken(await correctProduct(deps, product, change, actor)));
    },
  }),
];

/**
 * A partner sees what it sells, by the id that an order names; operators see the catalogue's own rows, which they moderate. The two share
 * the page of a list.
 */
export const productCalls = [...productCallsOfPartners, ...operatorsCalls];
