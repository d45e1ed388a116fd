import * as z from "zod";
import { namesOfProducts } from "../../catalogue/store.ts";
import { environmentSchema } from "../../core/environment.ts";
import { parseJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { toMajorUnits } from "../../core/money.ts";
import { codeStates, stateOfCode } from "../../core/object-states.ts";
import { sumsInParts } from "../../core/sums.ts";
import type { Deps } from "../../deps.ts";
import { type CodeUses, joinUses, usesOfCodes } from "../../orders/of-codes.ts";
import type { RowOf } from "../../partners/list-of-all.ts";
import { deactivatePromotionCode, findPromotionCodeRow } from "../../promotions/deactivate.ts";
import { codeSelections } from "../../promotions/list-codes.ts";
import { codeForCustomer, summaryOfCode } from "../../summaries/of-code.ts";
import { toldReason } from "../calls/call.ts";
import { conflict } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { holderField } from "./holder.ts";
import { defineList } from "./list.ts";
import { atProcessor, viewAtProcessor } from "./processor-url.ts";
import { allRows, customerField, ownerField, requireRow, seesMoney, summaryField, zoneOf } from "./rows.ts";

const productIds = z.array(z.string());

const codeView = z.object({
  promotion_code_id: z.string(),
  environment: environmentSchema,
  code: z.string().describe("What customers enter"),
  state: z.enum(codeStates).describe("Whether customers can enter it"),
  product_ids: productIds,
  products: z.array(z.string()).describe("Their names now, in the same order; the id of one that is no longer known"),
  percent_off: z.int(),
  duration: z.enum(["once", "forever", "repeating"]),
  duration_in_months: z.int().nullable(),
  max_redemptions: z.int().nullable().describe("Null: no limit"),
  expires_at: z.string().nullable().describe("Null: never"),
  created_at: z.string(),
  deactivated_at: z.string().nullable().describe("Since when customers cannot enter it"),
  deactivated_reason: z.string().nullable().describe("Why support stopped it"),
  holder: holderField,
  used: z
    .int()
    .nullable()
    .describe(
      `Paid orders with it, without renewals; null without \`balance_view\`, or if more than ${limits.sums.movements.toLocaleString("en")} orders have it, or few codes together`,
    ),
  discounts: z
    .array(z.object({ currency: z.string(), amount: z.number().describe("In major units") }))
    .nullable()
    .describe("What customers were let off in them; null where `used` is"),
});

const owned = codeView.extend(ownerField);
const shown = codeView.extend({ summary: summaryField });
const ofOperators = owned.extend({ summary: summaryField, to_customer: customerField, ...atProcessor });

type Row = Omit<RowOf<typeof codeSelections>, "recordId" | "value">;

type ViewDeps = Pick<Deps, "clock" | "directory">;

/** The codes with the names of their products. One D1 round trip. */
async function viewCodes(deps: ViewDeps, rows: readonly Row[]) {
  const codes = rows.map((row) => ({ row, ids: parseJson(productIds, row.productIds) }));
  const names = await namesOfProducts(deps.directory, [...new Set(codes.flatMap(({ ids }) => ids))]);
  return codes.map(({ row, ids }) => viewCode(deps, row, ids, names));
}

/** The codes with what customers did with them. */
async function viewUsed(asker: Asker, rows: readonly Row[], partner: string | undefined) {
  const ids = rows.map(({ id }) => id);
  const mayRead = seesMoney(asker) && ids.length > 0;
  const [views, uses] = await Promise.all([
    viewCodes(asker.deps, rows),
    mayRead
      ? sumsInParts(ids, async (some) => joinUses((await allRows(asker, partner, (data, owner) => usesOfCodes(data, owner, some))).flat()))
      : null,
  ]);
  return views.map((view) => ({ ...view, ...viewUses(uses?.get(view.promotion_code_id) ?? null) }));
}

const viewUses = (uses: readonly CodeUses[] | null) => ({
  used: uses?.reduce((sum, { orders }) => sum + orders, 0) ?? null,
  discounts: uses?.map(({ currency, discounts }) => ({ currency, amount: toMajorUnits(discounts, currency) })) ?? null,
});

/** What support says of a code, to its partner and to a customer. `products`: their names; `used`: null where it is not known. */
function sayOfCode(row: Row, products: readonly string[], used: number | null, now: number, zone: string) {
  const facts = { ...row, used, months: row.durationInMonths, state: stateOfCode(row, now), products };
  return { summary: summaryOfCode(facts, zone), to_customer: codeForCustomer(facts, zone) };
}

/** The same of a code that was found by a search. One D1 round trip. */
export async function saidOfCode(deps: ViewDeps, row: Row, zone: string) {
  const [view] = await viewCodes(deps, [row]);
  return sayOfCode(row, view?.products ?? [], null, deps.clock.now(), zone);
}

async function viewOne(asker: Asker, row: Row) {
  const { deps } = asker;
  const [view] = await viewUsed(asker, [row], row.partnerId);
  if (view === undefined) throw new Error("one code has one view");
  const there = viewAtProcessor(deps.settings, row.environment, row.id);
  // A partner's answer has `to_customer` not: its schema takes it out.
  return { ...view, ...there, ...sayOfCode(row, view.products, view.used, deps.clock.now(), await zoneOf(asker, row.partnerId)) };
}

const fieldsOf = wire(owned.omit({ used: true, discounts: true }));

const viewCode = ({ clock }: Pick<Deps, "clock">, row: Row, ids: readonly string[], names: ReadonlyMap<string | null, string>) => ({
  ...fieldsOf(row),
  promotion_code_id: row.id,
  state: stateOfCode(row, clock.now()),
  product_ids: [...ids],
  products: ids.map((id) => names.get(id) ?? id),
});

const NO_CODE = {
  partner: "You have no such promotion code. `GET /partner/promotion-codes` lists your codes.",
  operator: "There is no promotion code with this id. `find <code>` takes what customers type.",
};

/** The code, if the asker may see it. @throws CallRefusal 404 */
const requireCode = (asker: Asker, id: string) =>
  requireRow(asker, ({ db }) => findPromotionCodeRow(db, id), asker.deps.findAnywhere, NO_CODE);

/** The query fields by which promotion codes are searched. */
const codeSearch = { state: z.enum(codeStates).optional().describe("Only codes in this state") };

export const codeList = defineList({
  of: codeSelections,
  search: codeSearch,
  usual: "-created_at",
  view: codeView,
  owned,
  filterOf: (asker, { state }) => ({ state: state && { wanted: state, now: asker.deps.clock.now() } }),
  viewRows: viewUsed,
  partner: {
    command: "promotion-codes list",
    path: "/partner/promotion-codes",
    permission: "products_view",
    summary: "Your promotion codes, newest first",
    forAgents: {
      tool: "list-partner-promotion-codes",
      hint: "Use it for which codes there are, what they give, how often they were used, and whether they still work.",
      without: ["sort"],
    },
    example: "--environment test",
  },
  operator: { summary: "Promotion codes, newest first: of a partner, or of all", example: "--partner acme" },
});

export const promotionCodeCalls = [
  codeList.calls,
  defineForBoth({
    partner: {
      command: "promotion-codes show",
      path: "/partner/promotion-codes/{code}",
      permission: "products_view",
      summary: "One promotion code, by its id",
      answer: shown,
      example: "promo_0123…",
    },
    operator: { role: "any", summary: "One promotion code", answer: ofOperators },
    run: async (asker, { params: { code } }) => viewOne(asker, (await requireCode(asker, code)).found),
  }),
  defineCall({
    command: "promotion-codes deactivate",
    method: "POST",
    path: "/ops/promotion-codes/{code}/deactivate",
    role: "moderation",
    summary: "Deactivates a promotion code, at the processor too",
    irreversible: "A deactivated code cannot be used again.",
    body: z.strictObject({ reason: toldReason.optional() }),
    answer: ofOperators,
    example: 'promo_0123… --reason "It was published by mistake."',
    async run({ deps, actor }, { params: { code }, body: { reason = null } }) {
      const asker = { deps, actor, partner: null };
      const known = await requireCode(asker, code);
      const { found, cell } = await deps.pullToCurrentCell("promotion_codes", code, known);
      // In the current cell of a partner that was split, an active code may have its text.
      if ((await findPromotionCodeRow(cell.db, code)) === undefined)
        conflict(`Customers cannot enter it any more: another code with the text ${found.code} took its place.`);
      return viewOne(asker, await deactivatePromotionCode(cell, found, reason, actor));
    },
  }),
];
