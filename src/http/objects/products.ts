import * as z from "zod";
import { createCardProduct, createRubleProduct, type IdTaken, moderateProduct } from "../../catalogue/admin/products.ts";
import { findProduct, type Product } from "../../catalogue/admin/store.ts";
import { rejectInput } from "../../core/errors.ts";
import type { Deps } from "../../deps.ts";
import { approveProduct, correctProduct } from "../../moderation/approve-product.ts";
import { pageOf, pageQuery } from "../calls/paging.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { requireLocation, requirePartner } from "./partner-lookup.ts";
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
import { productCallsOfPartners } from "./products-of-partners.ts";
import { pageOfProducts, pageOfWaiting } from "./products-page.ts";

const kind = z.enum(["card", "ruble"]);
const productPath = z.object({ kind, id: z.string().max(100) });

/** @throws CallRefusal 404 */
async function requireProduct({ directory }: Pick<Deps, "directory">, of: z.output<typeof productPath>): Promise<Product> {
  return (await findProduct(directory, of.kind, of.id)) ?? notFound(`There is no ${of.kind} product ${of.id}.`);
}

/**
 * Refuses a terminal that the settings do not have: such a product could not be sold. @throws ServiceFailure
 * `invalid_input`.
 */
function requireTerminal({ settings }: Pick<Deps, "settings">, terminal: string): void {
  const known = [...new Set(Object.values(settings.bank.terminals).flatMap((ofEnvironment) => Object.keys(ofEnvironment)))];
  if (!known.includes(terminal))
    rejectInput(`terminal: must be a terminal of BANK_TERMINALS: ${known.join(", ") || "it has none"}`, "terminal");
}

function orTaken(made: Product | IdTaken): Product {
  return "taken" in made ? conflict(`Another product already has this ${made.taken}.`) : made;
}

const seenField = {
  seen_revision: z
    .int()
    .optional()
    .describe("Only if it still has this `revision`: since it was read, its partner may have changed it, or another operator decided"),
};

/** @throws CallRefusal 409 if the product was changed or decided since it was seen */
function requireSeen({ row }: Product, revision: number | undefined): void {
  // Its partner may have changed it between the look and the decision.
  if (revision === undefined && row.moderation === "in_review" && row.revision > 1)
    conflict(`It was changed since it was added. Say which state you have read: \`--seen_revision ${row.revision}\` is the present one.`);
  if (revision !== undefined && row.revision !== revision)
    conflict(`It was changed since, and is ${row.moderation.replace("_", " ")}. Look at it again.`);
}

/** A partner does not choose what decides its tax regime. @throws CallRefusal 409 for a ruble product that lacks it */
function requireComplete(product: Product): void {
  if (product.kind === "card") return;
  const missing = (["terminal", "vat"] as const).filter((name) => product.row[name] === null);
  if (missing.length > 0) conflict(`It has no ${missing.join(" and no ")} yet. Set it with \`products change\`, and then approve it.`);
}

const operatorsCalls = [
  defineCall({
    command: "products list",
    method: "GET",
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
  defineCall({
    command: "products waiting",
    method: "GET",
    path: "/ops/products",
    role: "any",
    summary: "The products of all partners that wait for moderation, the longest waiting first",
    query: z.object(pageQuery),
    answer: pageOf(productAnswer).extend({ count: z.int().describe("All that wait") }),
    example: "",
    run: ({ deps }, { query }) => pageOfWaiting(deps, query, viewProduct),
  }),
  defineCall({
    command: "products show",
    method: "GET",
    path: "/ops/products/{kind}/{id}",
    role: "any",
    summary: "One product",
    params: productPath,
    answer: productAnswer,
    example: "card prod_0123…",
    run: async ({ deps }, { params }) => viewProduct(await requireProduct(deps, params)),
  }),
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
    answer: z.object({
      product: productAnswer,
      first_link: z.object({ payment_link_id: z.string(), short_url: z.string() }).nullable(),
    }),
    example: "card card_0123…",
    async run({ deps, actor }, { params, body }) {
      const product = await requireProduct(deps, params);
      requireSeen(product, body.seen_revision);
      requireComplete(product);
      const location = await requireLocation(deps, product.row.partnerId);
      const approved = await approveProduct(deps, product, location, body.first_link, actor);
      if (approved === "link_disabled") {
        conflict("Its first link at this price is disabled. `payment-links enable` enables it.");
      }
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
  defineCall({
    command: "products reject",
    method: "POST",
    path: "/ops/products/{kind}/{id}/reject",
    role: "moderation",
    summary: "Rejects a product, or ends the sale of an approved one; its links stay until they are disabled",
    params: productPath,
    body: z.strictObject({
      reason: z
        .string()
        .trim()
        .min(1, "must not be empty")
        .max(500)
        .optional()
        .describe("Why, in words that its partner reads; without a reason, an earlier one is dropped"),
      ...seenField,
    }),
    answer: productAnswer,
    example: 'card card_0123… --reason "The name does not say what is sold."',
    async run({ deps, actor }, { params, body: { reason = null, seen_revision } }) {
      const product = await requireProduct(deps, params);
      requireSeen(product, seen_revision);
      return viewProduct(await moderateProduct(deps, product, "rejected", actor, { rejectionReason: reason }));
    },
  }),
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
export const productCalls = [
  ...productCallsOfPartners.map((partner) => ({ partner })),
  ...operatorsCalls.map((operator) => ({ operator })),
];
