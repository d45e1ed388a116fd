import * as z from "zod";
import { ChangedByAnother } from "../../catalogue/admin/products.ts";
import { countProducts } from "../../catalogue/admin/search.ts";
import { findProduct, type Product } from "../../catalogue/admin/store.ts";
import { countWaitingOf, isChangeable, resubmitProduct, submitCard, submitRuble } from "../../catalogue/submissions.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { toMajorUnits } from "../../core/money.ts";
import { moderationStates } from "../../core/object-states.ts";
import type { Deps } from "../../deps.ts";
import { pageOf, pageQuery } from "../calls/paging.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { definePartnerCall, type PartnerContext } from "../partner/define-call.ts";
import { wire } from "../wire.ts";
import { submissionSchema, submittedCardOf, submittedRubleOf } from "./product-submission.ts";
import { pageOfProducts, productSorts, sortedPageOfProducts } from "./products-page.ts";

/** A product as its partner sells it. */
export const soldView = z.object({
  kind: z.enum(["card", "ruble"]),
  id: z.string().nullable().describe("What an order names: `prod_…` of a card product, a number of a ruble product; null until it is sold"),
  product_id: z.string().describe("By which calls name it, also before it is sold: `card_…`, or the number"),
  environment: environmentSchema.nullable().describe("Null for a ruble product, which is sold in both"),
  name: z.string(),
  description: z.string().nullable(),
  type: z.string().describe("one_time or subscription"),
  interval: z.string().nullable().describe("The unit of a subscription's period"),
  interval_count: z.int().nullable(),
  currency: z.string(),
  amount: z.number().describe("The catalogue price in major units"),
  vat: z.string().nullable().describe("Of a ruble product; null until moderation sets it"),
  moderation: z.enum(moderationStates).describe("Only approved products are sold"),
  rejection_reason: z.string().nullable().describe("Why moderation rejected it"),
  is_changeable: z.boolean().describe("Whether you can change it, and submit it again"),
  created_at: z.string(),
  updated_at: z.string(),
});

const fieldsOf = wire(soldView);

export function viewSold(product: Product): z.input<typeof soldView> {
  const { kind, row } = product;
  const own = {
    product_id: String(row.id),
    amount: toMajorUnits(row.unitAmount, row.currency),
    is_changeable: isChangeable(product),
  };
  if (kind === "card") return { ...fieldsOf(row), kind, id: row.processorProductId, vat: null, ...own };
  const none = { environment: null, description: null, interval: null, interval_count: null };
  return { ...fieldsOf(row), kind, id: own.product_id, type: "one_time", ...none, ...own };
}

/** The product, if it is the caller's. @throws CallRefusal 404 */
async function requireOwn({ deps, caller }: PartnerContext, id: string): Promise<Product> {
  const found = await findProduct(deps.directory, /^\d{1,15}$/.test(id) ? "ruble" : "card", id);
  return found?.row.partnerId === caller.partnerId ? found : notFound("You have no such product. `GET /partner/products` lists them.");
}

type Submission = z.output<typeof submissionSchema>;

/** Adds what a partner submits; null if as many of its products wait as may. */
const submit = (deps: Deps, { caller, actor }: PartnerContext, body: Submission) =>
  body.kind === "card"
    ? submitCard(deps, caller.partnerId, submittedCardOf(body), actor)
    : submitRuble(deps, caller.partnerId, submittedRubleOf(body), actor);

const TOO_MANY = `${limits.submissions.waiting} of your products wait for moderation, which is as many as may.`;

/** The VAT that moderation has set stays, unless the partner says another. */
function changeOf({ kind, row }: Product, body: Submission) {
  if (body.kind === "card") return submittedCardOf(body);
  return { ...submittedRubleOf(body), ...(body.vat === undefined && kind === "ruble" ? { vat: row.vat } : {}) };
}

/** @throws CallRefusal 409 if it is decided by now */
async function resubmit({ deps, actor }: PartnerContext, product: Product, body: Submission): Promise<Product> {
  if (!isChangeable(product)) conflict("It is approved, or was sold before: ask support to change it, or submit another product.");
  if (body.kind !== product.kind) rejectInput(`kind: must stay ${product.kind}`, "kind");
  // Its first link may have been made already: another environment would be another product.
  if (body.kind === "card" && product.kind === "card" && body.environment !== product.row.environment)
    rejectInput(`environment: must stay ${product.row.environment}. Submit another product`, "environment");
  if (product.row.moderation === "rejected" && (await countWaitingOf(deps.directory, product.row.partnerId)) >= limits.submissions.waiting)
    conflict(TOO_MANY);
  try {
    return await resubmitProduct(deps, product, changeOf(product, body), actor);
  } catch (thrown) {
    if (thrown instanceof ChangedByAnother) conflict("It has just been changed or decided. Look at it again.");
    throw thrown;
  }
}

/** What a list of products is searched by, besides the environment. */
export const productSearch = { moderation: z.enum(moderationStates).optional().describe("Only those in this state") };

/** What a partner sees of its products, by the id that an order names, and how it submits further ones. */
export const productCallsOfPartners = [
  definePartnerCall({
    command: "products list",
    path: "/partner/products",
    permission: "products_view",
    summary: "Your products, with the state of their moderation",
    forAgents: {
      tool: "list-partner-products",
      ofOneEnvironment: "own",
      hint: "Use it for what can be sold: the id, price and environment of each product, and why one is not approved. Only an approved one is sold.",
      without: ["sort"],
    },
    query: z.object({
      environment: environmentSchema.optional().describe("Only card products of this environment, and ruble products; left out: all"),
      ...productSearch,
      sort: z.enum(productSorts).optional().describe("With a minus: largest first. Left out: card products first, each by their ids"),
      ...pageQuery,
    }),
    answer: pageOf(soldView).extend({ count: z.int().describe("On all pages") }),
    example: "--environment live --moderation approved",
    async run({ deps, caller }, { query: { environment, moderation, sort, ...page } }) {
      const filter = { partnerId: caller.partnerId, environment, moderation };
      const [found, count] = await Promise.all([
        sort === undefined ? pageOfProducts(deps, filter, page, viewSold) : sortedPageOfProducts(deps, filter, { sort, ...page }, viewSold),
        countProducts(deps.directory, filter),
      ]);
      return { ...found, count };
    },
  }),
  definePartnerCall({
    command: "products show",
    path: "/partner/products/{product}",
    permission: "products_view",
    summary: "One of your products",
    answer: soldView,
    example: "card_0123…",
    run: async (context, { params }) => viewSold(await requireOwn(context, params.product)),
  }),
  definePartnerCall({
    command: "products submit",
    method: "POST",
    path: "/partner/products",
    permission: "product_create",
    summary: `Submits a product for moderation, which approves it for sale; ${limits.submissions.waiting} may wait at one time. An equal one that waits is answered again`,
    body: submissionSchema,
    positional: ["kind"],
    status: 201,
    answer: soldView,
    example: "card --environment test --name Course --type one_time --currency USD --amount 19",
    async run(context, { body }) {
      return viewSold((await submit(context.deps, context, body)) ?? conflict(TOO_MANY));
    },
  }),
  definePartnerCall({
    command: "products resubmit",
    method: "PUT",
    path: "/partner/products/{product}",
    permission: "product_create",
    summary: "Replaces what you submitted of a product that waits or was rejected; moderation decides about it again",
    body: submissionSchema,
    positional: ["kind"],
    answer: soldView,
    example: "card_0123… card --environment test --name Course --type one_time --currency USD --amount 29",
    run: async (context, { params, body }) => viewSold(await resubmit(context, await requireOwn(context, params.product), body)),
  }),
];
