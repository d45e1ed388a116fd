import * as z from "zod";
import { createCardProduct, createRubleProduct, type IdTaken, moderateProduct } from "../../catalogue/admin/products.ts";
import { findProduct, listCardProducts, listRubleProducts, type Product, type ProductFilter } from "../../catalogue/admin/store.ts";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { toMajorUnits } from "../../core/money.ts";
import type { Deps } from "../../deps.ts";
import { approveProduct, correctProduct } from "../../moderation/approve-product.ts";
import { cutPage, keyIn, pageOf, pageQuery } from "../calls/paging.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { definePartnerCall } from "../partner/define-call.ts";
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

const listKey = z.union([z.tuple([z.literal("card"), z.string()]), z.tuple([z.literal("ruble"), z.int()])]);

/** A page of products: card products first, then ruble products, each in the order of their ids. */
async function pageOfProducts<View>(
  { directory }: Pick<Deps, "directory">,
  filter: ProductFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  view: (product: Product) => View,
) {
  const [from, after] = keyIn(cursor, listKey) ?? ["card", ""];
  const cards = from === "card" ? await listCardProducts(directory, filter, after, limit + 1) : [];
  const room = limit + 1 - cards.length;
  const rubles = room > 0 ? await listRubleProducts(directory, filter, from === "ruble" ? after : 0, room) : [];
  const found: Product[] = [
    ...cards.map((row) => ({ kind: "card" as const, row })),
    ...rubles.map((row) => ({ kind: "ruble" as const, row })),
  ];
  return cutPage(found, limit, view, (product) => [product.kind, product.row.id]);
}

/** A product as its partner sells it. */
const soldView = z.object({
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

function viewSold(product: Product): z.input<typeof soldView> {
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

const expectedField = {
  expected: z.enum(["in_review", "approved", "rejected"]).optional().describe("Only if it is in this state: a queue may be old"),
};

/** @throws CallRefusal 409 if another operator has decided about the product since */
function requireState({ row }: Product, expected: string | undefined): void {
  if (expected !== undefined && row.moderation !== expected)
    conflict(`It is ${row.moderation.replace("_", " ")} by now: another operator has decided. Look at it again.`);
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
    summary: "The products of all partners that wait for moderation",
    query: z.object(pageQuery),
    answer: pageOf(productAnswer),
    example: "",
    run: ({ deps }, { query }) => pageOfProducts(deps, { moderation: "in_review" }, query, viewProduct),
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
      ...expectedField,
    }),
    answer: z.object({
      product: productAnswer,
      first_link: z.object({ payment_link_id: z.string(), short_url: z.string() }).nullable(),
    }),
    example: "card card_0123…",
    async run({ deps, actor }, { params, body }) {
      const product = await requireProduct(deps, params);
      requireState(product, body.expected);
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
      ...expectedField,
    }),
    answer: productAnswer,
    example: 'card card_0123… --reason "The name does not say what is sold."',
    async run({ deps, actor }, { params, body: { reason = null, expected } }) {
      const product = await requireProduct(deps, params);
      requireState(product, expected);
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

const partnersCalls = [
  definePartnerCall({
    command: "products list",
    method: "GET",
    path: "/partner/products",
    permission: "products_view",
    summary: "Your products, with the state of their moderation",
    forAgents: {
      tool: "list-partner-products",
      hint: "Use it for what can be sold: the id, price and environment of each product, and why one is not approved. A product in_review or rejected cannot be sold.",
    },
    query: z.object(pageQuery),
    answer: pageOf(soldView),
    example: "",
    run: ({ deps, caller }, { query }) => pageOfProducts(deps, { partnerId: caller.partnerId }, query, viewSold),
  }),
];

/**
 * A partner sees what it sells, by the id that an order names; operators see the catalogue's own rows, which they moderate. The two share
 * the page of a list.
 */
export const productCalls = [...partnersCalls.map((partner) => ({ partner })), ...operatorsCalls.map((operator) => ({ operator }))];
