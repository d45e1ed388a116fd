import * as z from "zod";
import { lastEntriesOf } from "../../audit/audit-log.ts";
import { flagsOf, productFlags } from "../../catalogue/admin/flags.ts";
import {
  countProducts,
  type Neighbour,
  neighbourOf,
  neighboursOf,
  type ProductSearch,
  placeOf,
  searchProducts,
} from "../../catalogue/admin/search.ts";
import type { Product } from "../../catalogue/admin/store.ts";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { moderationStates } from "../../core/object-states.ts";
import type { Deps } from "../../deps.ts";
import { flagField } from "../calls/call.ts";
import { amountField, currencyField, minorOf } from "../calls/money-fields.ts";
import { cutPage, encodeCursor, keyIn, pageOf, pageQuery } from "../calls/paging.ts";
import { defineCall } from "../ops/define-call.ts";
import { atProcessor, viewAtProcessor } from "./processor-url.ts";
import { productPath, requireProduct } from "./product-lookup.ts";
import { productWith, viewProduct } from "./product-schemas.ts";
import { soldView, viewSold } from "./products-of-partners.ts";

/** A product with what a decision about it needs. */
const judged = {
  flags: z
    .array(z.object({ flag: z.enum(productFlags), says: z.string().describe("Why") }))
    .describe(
      "Of one in review: another of its partner has its name; its price is ten times above or below the usual one; of a ruble product: no terminal, no VAT, or another VAT than those of its terminal",
    ),
  decided_by: z.string().nullable().describe("Who approved or rejected it last"),
  decided_at: z.string().nullable(),
};

const judgedProduct = productWith(judged);

type Query = z.output<z.ZodObject<typeof searchQuery>>;

const searchQuery = {
  name: z.string().trim().min(1, "must not be empty").max(250).optional().describe("A part of the name, in any case"),
  partner: z.string().optional().describe("Only this partner's"),
  moderation: z
    .enum([...moderationStates, "decided"])
    .optional()
    .describe("Only those in this state; `decided`: approved or rejected"),
  flagged: flagField.describe("Only those in review with a flag"),
  kind: productPath.shape.kind.optional(),
  environment: environmentSchema.optional().describe("Only card products of this environment, and ruble products"),
  currency: currencyField,
  amount_from: amountField.describe("Priced at least this much, in major units; with `currency`"),
  amount_to: amountField.describe("Priced at most this much, in major units; with `currency`"),
  ...pageQuery,
};

const LOOKED_AT_ONCE = 100;
/** Pages that one search for flags looks at. Behind them, its own page is short. */
const MOST_PAGES = 5;

/** The products in review that have a flag, from a place on. Flags come from the other products of a partner, so each is judged. */
async function flaggedPage({ directory }: Pick<Deps, "directory">, query: Query) {
  if (query.moderation !== undefined && query.moderation !== "in_review")
    rejectInput("flagged: only products in review have flags", "flagged");
  const search = { ...searchOf(query), moderation: "in_review" as const };
  const neighbours = new Map<string, readonly Neighbour[]>();
  const found: Product[] = [];
  let after: ReturnType<typeof placeOf> | undefined = keyIn(query.cursor, placeKey);
  let isEnd = false;
  for (let pages = 0; pages < MOST_PAGES && !isEnd && found.length <= query.limit; pages += 1) {
    const products = await searchProducts(directory, search, after, LOOKED_AT_ONCE);
    const unknown = [...new Set(products.map(({ row }) => row.partnerId))].filter((id) => !neighbours.has(id));
    const read = unknown.length === 0 ? [] : await neighboursOf(directory, unknown);
    for (const id of unknown)
      neighbours.set(
        id,
        read.filter(({ partnerId }) => partnerId === id),
      );
    found.push(...products.filter((product) => flagsOf(neighbourOf(product), neighbours.get(product.row.partnerId) ?? []).length > 0));
    const last = products.at(-1);
    isEnd = products.length < LOOKED_AT_ONCE || last === undefined;
    if (last !== undefined) after = placeOf(last);
  }
  const { data, next } = cutPage(found, query.limit, (product) => product, placeOf);
  const goesOn = isEnd || after === undefined ? null : encodeCursor(after);
  return { data: await viewJudged({ directory }, data), next: next ?? goesOn, count: null };
}

function searchOf({ name, partner, moderation, kind, environment, currency, amount_from, amount_to }: Query): ProductSearch {
  return {
    name,
    partnerId: partner,
    moderation,
    kind,
    environment,
    currency,
    amountFrom: minorOf("amount_from", amount_from, currency),
    amountTo: minorOf("amount_to", amount_to, currency),
  };
}

/** The views of products, with their flags and their last decisions. Two D1 round trips. */
async function viewJudged({ directory }: Pick<Deps, "directory">, products: readonly Product[]) {
  const waiting = products.filter(({ row }) => row.moderation === "in_review").map(({ row }) => row.partnerId);
  const decided = products.filter(({ row }) => row.moderation !== "in_review").map(({ kind, row }) => `${kind}/${row.id}`);
  const [neighbours, entries] = await Promise.all([
    waiting.length === 0 ? [] : neighboursOf(directory, [...new Set(waiting)]),
    decided.length === 0 ? [] : lastEntriesOf(directory, decided, ["product.approve", "product.reject"]),
  ]);
  const lastOf = new Map(entries.map((entry) => [entry.target, entry]));
  return products.map((product) => {
    const { kind, row } = product;
    const decision = lastOf.get(`${kind}/${row.id}`);
    return {
      ...viewProduct(product),
      flags: row.moderation === "in_review" ? flagsOf(neighbourOf(product), neighbours) : [],
      decided_by: decision?.actor ?? null,
      decided_at: decision === undefined ? null : isoTime(decision.at),
    };
  });
}

const placeKey = z.tuple([z.number(), z.string()]);

export const productSearchCalls = [
  defineCall({
    command: "products search",
    path: "/ops/products",
    role: "any",
    summary: "Products of all partners: those in review with the longest waiting first, others with the last changed one first",
    query: z.object(searchQuery),
    answer: pageOf(judgedProduct).extend({ count: z.int().nullable().describe("All that are found; null with `flagged`") }),
    example: "--moderation in_review",
    async run({ deps }, { query }) {
      if (query.flagged) return flaggedPage(deps, query);
      const search = searchOf(query);
      const { directory } = deps;
      const [found, count] = await Promise.all([
        searchProducts(directory, search, keyIn(query.cursor, placeKey), query.limit + 1),
        countProducts(directory, search),
      ]);
      const { data, next } = cutPage(found, query.limit, (product) => product, placeOf);
      return { data: await viewJudged(deps, data), next, count };
    },
  }),
  defineCall({
    command: "products show",
    path: "/ops/products/{kind}/{id}",
    role: "any",
    summary: "One product, with what its partner sees of it",
    params: productPath,
    answer: productWith({ ...judged, ...atProcessor, for_partner: soldView.describe("As its partner sees it") }),
    example: "card prod_0123…",
    async run({ deps }, { params }) {
      const product = await requireProduct(deps, params);
      const [seen] = await viewJudged(deps, [product]);
      if (seen === undefined) throw new Error("one product has one view");
      const there =
        product.kind === "card"
          ? viewAtProcessor(deps.settings, product.row.environment, product.row.processorProductId)
          : { processor_url: null };
      return { ...seen, ...there, for_partner: viewSold(product) };
    },
  }),
];
