import * as z from "zod";
import { takenFromSale } from "../../catalogue/store.ts";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { toMajorUnits } from "../../core/money.ts";
import { linkStates, stateOfLink } from "../../core/object-states.ts";
import { sumsInParts } from "../../core/sums.ts";
import type { Deps } from "../../deps.ts";
import { linksOfReference, paidThrough } from "../../ledger/movements/paid-through.ts";
import { joinSold, soldThrough } from "../../ledger/movements/sold-through.ts";
import { disableLink, enableLink, findLink, type ListedLink } from "../../links/admin/links.ts";
import { linkSelections } from "../../links/list-links.ts";
import { costOf, linesIn } from "../../links/store.ts";
import { opensOfLinks } from "../../opens/store.ts";
import { namesOfItems } from "../../orders/items.ts";
import { type LinkFacts, linkForCustomer, summaryOfLink } from "../../summaries/of-link.ts";
import { toldReason } from "../calls/call.ts";
import { searchText } from "../calls/lists.ts";
import { conflict } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { holderField } from "./holder.ts";
import { BY_NUMBER, defineList } from "./list.ts";
import { orderItems, viewItems } from "./order-view.ts";
import { atProcessor, viewAtProcessor } from "./processor-url.ts";
import { allRows, customerField, missing, ownDeps, ownerField, seenBy, seesMoney, summaryField, zoneOf } from "./rows.ts";

/** A payment link in a list. */
const linkView = z.object({
  payment_link_id: z.string(),
  environment: environmentSchema,
  short_url: z.string().nullable().describe("What customers get; null until it is issued: repeat the creation"),
  source: z.enum(["moderation", "product", "cart"]).describe("What the link was made for; `moderation`: the first link of a product"),
  mode: z.enum(["one_time", "subscription"]),
  currency: z.string(),
  created_at: z.string(),
  disabled_at: z.string().nullable().describe("Since when a person has disabled it"),
  completed_sessions: z.int().nullable().describe("After how many payments it closes; null for no such limit"),
  closes_at: z.string().nullable().describe("Until when it takes payments; null for no end"),
  closed_at: z.string().nullable().describe("When it had all its payments; null before, and without such a limit"),
  state: z.enum(linkStates),
  holder: holderField,
  items: orderItems.describe("What it sells; empty while the processor has not listed it"),
  amount: z.number().nullable().describe("What one purchase costs, or one period, in major units; null while it is not known"),
  interval: z.string().nullable().describe("The unit of a subscription's period"),
  interval_count: z.int().nullable(),
  sold: z
    .array(
      z.object({
        currency: z.string().describe("The settlement currency"),
        orders: z.int().describe("Paid orders"),
        net: z.number().describe("What is left after refunds, disputes and fees, in major units"),
        pending: z.number().describe("The part of `net` of payments that are under way, which are no orders yet"),
      }),
    )
    .nullable()
    .describe(
      `Null without \`balance_view\`, or if more than ${limits.sums.movements.toLocaleString("en")} movements came through it, or through few links together`,
    ),
  sold_orders: z.int().nullable().describe("Paid orders in all currencies; null where `sold` is"),
  last_sold_at: z.string().nullable(),
  opened: z
    .int()
    .nullable()
    .describe("How often customers opened its short link, without robots and previews; null where this service does not count"),
});

/** A payment link with what it sells and what was paid through it. */
export const linkDetail = linkView.extend({
  summary: summaryField,
  product_ids: z.array(z.string()),
  disabled_by: z.enum(["partner", "support"]).nullable().describe("A partner enables only what it disabled itself"),
  disabled_reason: z.string().nullable().describe("Why support disabled it"),
  paid: z
    .array(
      z.object({
        type: z.string().nullable().describe("As in a movement"),
        status: z.string(),
        currency: z.string().describe("The settlement currency"),
        count: z.int(),
        amount: z.number().describe("In major units, signed"),
      }),
    )
    .nullable()
    .describe("What came through it, with refunds and disputes; null without `balance_view`"),
  is_complete: z
    .boolean()
    .describe(`False if more than ${limits.sums.movements.toLocaleString("en")} movements came through it: \`paid\` has the newest`),
});

const ofOperators = linkDetail.extend(ownerField).extend(atProcessor).extend({ to_customer: customerField });

const NO_LINK = {
  partner: "You have no such payment link. `GET /partner/links` lists your links.",
  operator: "There is no payment link with this id. `find <address>` takes a short address.",
};

const fieldsOf = wire(linkView.extend(ownerField).omit({ completed_sessions: true }));

function viewLink({ settings, clock }: Pick<Deps, "settings" | "clock">, row: ListedLink) {
  const lines = linesIn(row.items);
  return {
    ...fieldsOf(row),
    payment_link_id: row.id,
    short_url: row.slug === null ? null : `${settings.shortLinkOrigin}/${row.slug}`,
    completed_sessions: row.maxPayments,
    state: stateOfLink(row, clock.now()),
    items: viewItems(lines),
    amount: lines.length === 0 ? null : toMajorUnits(costOf(lines), row.currency),
  };
}

/** What was sold through some links, as their rows show it. */
async function soldOf(asker: Asker, partner: string | undefined, links: readonly string[]) {
  if (!seesMoney(asker)) return () => ({ sold: null, sold_orders: null, last_sold_at: null });
  const sums = await sumsInParts(links, async (some) =>
    joinSold((await allRows(asker, partner, (data, partnerId) => soldThrough(data, partnerId, some))).flat()),
  );
  return (link: string) => {
    const own = sums.get(link) ?? null;
    const last = Math.max(0, ...(own ?? []).map((one) => one.last ?? 0));
    return {
      sold:
        own?.map(({ currency, orders, net, pending }) => ({
          currency,
          orders,
          net: toMajorUnits(net, currency),
          pending: toMajorUnits(pending, currency),
        })) ?? null,
      sold_orders: own?.reduce((sum, { orders }) => sum + orders, 0) ?? null,
      last_sold_at: last === 0 ? null : isoTime(last),
    };
  };
}

/** How often some links were opened, by link. */
async function openedOf(asker: Asker, partner: string | undefined, links: readonly string[]) {
  if (asker.deps.readOpens === null) return () => ({ opened: null });
  const rows = links.length === 0 ? [] : await allRows(asker, partner, (data) => data.each(({ db }) => opensOfLinks(db, links)));
  const counts = Map.groupBy(rows.flat(2), ({ link }) => link);
  return (link: string) => ({ opened: (counts.get(link) ?? []).reduce((sum, { opens }) => sum + opens, 0) });
}

/** What is said of a link in sentences. */
function factsOfLink(
  link: ListedLink,
  { sold_orders: orders, last_sold_at }: Awaited<ReturnType<Awaited<ReturnType<typeof soldOf>>>>,
  now: number,
): LinkFacts {
  const lines = linesIn(link.items);
  return {
    ...link,
    state: stateOfLink(link, now),
    sold: namesOfItems(lines),
    amount: lines.length === 0 ? null : costOf(lines),
    hasShortUrl: link.slug !== null,
    disabledBy: link.disabledBy === "partner" ? "partner" : "support",
    orders,
    lastSoldAt: last_sold_at === null ? null : Date.parse(last_sold_at),
  };
}

/** What support says of a link that was found by a search, without its sales. */
export function saidOfLink(link: ListedLink, now: number, zone: string) {
  const facts = factsOfLink(link, { sold: null, sold_orders: null, last_sold_at: null }, now);
  return { summary: summaryOfLink(facts, zone), to_customer: linkForCustomer(facts, zone) };
}

export async function viewDetail(asker: Asker, link: ListedLink) {
  const { data } = await ownDeps(asker, link.partnerId);
  const [{ sums, isComplete }, sold, opened] = await Promise.all([
    paidThrough(data, link.partnerId, link.id),
    soldOf(asker, link.partnerId, [link.id]),
    openedOf(asker, link.partnerId, [link.id]),
  ]);
  const by = link.disabledBy === "partner" ? ("partner" as const) : ("support" as const);
  const own = sold(link.id);
  const facts = factsOfLink(link, own, asker.deps.clock.now());
  const zone = await zoneOf(asker, link.partnerId);
  return {
    ...viewLink(asker.deps, link),
    ...viewAtProcessor(asker.deps.settings, link.environment, link.id),
    ...own,
    summary: summaryOfLink(facts, zone),
    // A partner's answer has it not: its schema takes it out.
    to_customer: linkForCustomer(facts, zone),
    ...opened(link.id),
    product_ids: [...new Set(linesIn(link.items).map(({ productId }) => productId))].toSorted(),
    disabled_by: link.disabledAt === null ? null : by,
    disabled_reason: link.disabledReason,
    paid: seesMoney(asker) ? sums.map(({ amount, ...sum }) => ({ ...sum, amount: toMajorUnits(amount, sum.currency) })) : null,
    is_complete: isComplete,
  };
}

/** The link, if the asker may see it. @throws CallRefusal 404 */
export async function requireLink(asker: Asker, id: string) {
  const known = await findLink(asker.deps, id);
  seenBy(asker, known?.found, NO_LINK);
  return known ?? missing(asker, NO_LINK);
}

/** The links through which an order reference was paid; undefined for any. @throws ServiceFailure `invalid_input` from an operator without a partner. */
async function idsOfReference(asker: Asker, reference: string | undefined, partner: string | undefined) {
  if (reference === undefined) return undefined;
  const partnerId =
    asker.partner?.caller.partnerId ?? partner ?? rejectInput("reference: needs `partner`, because every partner has its own", "reference");
  return linksOfReference((await ownDeps(asker, partnerId)).data, partnerId, reference);
}

/** Keeps a partner from opening a link again that sells what moderation has taken from sale. @throws CallRefusal 409 */
export async function requireSold({ deps, partner }: Asker, { items, disabledAt, closedAt, closesAt }: ListedLink): Promise<void> {
  if (partner === null || stateOfLink({ disabledAt, closedAt, closesAt }, deps.clock.now()) === "open") return;
  const taken = await takenFromSale(deps.directory, [...new Set(linesIn(items).map(({ productId }) => productId))]);
  if (taken.length > 0) conflict(`This link sells what was taken from sale: ${taken.join(", ")}. \`GET /partner/products\` says why.`);
}

/**
 * Disables or enables a link for the asker. @throws CallRefusal 404; 409 for a link without a short link, one that support disabled, or a
 * partner's that would sell a rejected product again.
 */
async function change(asker: Asker, id: string, verb: "disable" | "enable", reason?: string) {
  const { found, cell } = await asker.deps.pullToCurrentCell("payment_links", id, await requireLink(asker, id));
  if (verb === "enable") await requireSold(asker, found);
  const by = asker.partner === null ? "operator" : "partner";
  const changed = await (verb === "enable"
    ? enableLink(cell, found, by, asker.actor)
    : disableLink(cell, found, { by, reason: reason ?? null }, asker.actor));
  if (changed !== null) return viewDetail(asker, changed);
  if (verb === "enable") return conflict(`Support disabled this link: only support can enable it. ${found.disabledReason ?? "Ask why."}`);
  return conflict(NO_SHORT_LINK[by]);
}

export const NO_SHORT_LINK = {
  operator: "This link has no short link yet. `short-links complete` creates it; then disable it.",
  partner: "This link has no short link yet, so no customer has it. Repeat its creation first.",
};

/** The query fields by which links are searched. */
const linkSearch = {
  state: z.enum(linkStates).optional().describe("Only links in this state"),
  product: searchText.describe("Only links that sell this product: `prod_…`"),
  reference: searchText.describe("Only links through which this order reference was paid"),
};

/** The links with what was sold and how often each was opened. */
async function viewLinks(asker: Asker, rows: readonly ListedLink[], partner: string | undefined) {
  const shown = rows.map(({ id }) => id);
  const [sold, opened] = await Promise.all([soldOf(asker, partner, shown), openedOf(asker, partner, shown)]);
  return rows.map((row) => ({ ...viewLink(asker.deps, row), ...sold(row.id), ...opened(row.id) }));
}

export const linkList = defineList({
  of: linkSelections,
  search: linkSearch,
  usual: "-created_at",
  about: BY_NUMBER,
  view: linkView,
  owned: linkView.extend(ownerField),
  filterOf: async (asker, { state, product, reference }, partner) => ({
    state: state && { wanted: state, now: asker.deps.clock.now() },
    productId: product,
    ids: await idsOfReference(asker, reference, partner),
  }),
  viewRows: viewLinks,
  partner: {
    command: "links list",
    path: "/partner/links",
    permission: "products_view",
    forAgents: {
      tool: "list-partner-payment-links",
      hint: "Use it for links, also disabled ones, by product or order reference. What can be sold: list-partner-products.",
      without: ["sort"],
    },
    summary: "Your payment links, of carts too, newest first",
    example: "--environment test --state open",
  },
  operator: {
    command: "payment-links list",
    path: "/ops/payment-links",
    summary: "Payment links, newest first: of a partner, or of all",
    example: "--partner acme --state open",
  },
});

export const linkCalls = [
  linkList.calls,
  defineForBoth({
    partner: {
      command: "links show",
      path: "/partner/links/{link}",
      permission: "products_view",
      forAgents: {
        tool: "get-partner-payment-link",
        hint: "Use it for what was paid through one link, with refunds and disputes. Never add up different currencies.",
      },
      summary: "A payment link, and what was paid through it",
      answer: linkDetail,
      example: "plink_0123…",
    },
    operator: {
      command: "payment-links show",
      path: "/ops/payment-links/{link}",
      role: "any",
      summary: "A payment link, its products, and what was paid through it",
      answer: ofOperators,
    },
    run: async (asker, { params: { link } }) => viewDetail(asker, (await requireLink(asker, link)).found),
  }),
  {
    partner: definePartnerCall({
      method: "POST",
      command: "links disable",
      path: "/partner/links/{link}/disable",
      permission: "product_create",
      summary: "Disables a payment link: it takes no payments, and its short link stops working within two minutes",
      answer: linkDetail,
      example: "plink_0123…",
      run: (partner, { params: { link } }) => change({ deps: partner.deps, actor: partner.actor, partner }, link, "disable"),
    }),
    operator: defineCall({
      method: "POST",
      command: "payment-links disable",
      path: "/ops/payment-links/{link}/disable",
      role: "moderation",
      summary: "Disables a link, at the processor too; its short link stops working within two minutes",
      body: z.strictObject({ reason: toldReason.optional() }),
      answer: ofOperators,
      example: 'plink_0123… --reason "It sells what moderation has not seen."',
      run: ({ deps, actor }, { params: { link }, body: { reason } }) => change({ deps, actor, partner: null }, link, "disable", reason),
    }),
  },
  defineForBoth({
    method: "POST",
    partner: {
      command: "links enable",
      path: "/partner/links/{link}/enable",
      permission: "product_create",
      summary: "Enables a payment link that you disabled",
      answer: linkDetail,
      example: "plink_0123…",
    },
    operator: {
      command: "payment-links enable",
      path: "/ops/payment-links/{link}/enable",
      role: "moderation",
      summary: "Enables a disabled link",
      answer: ofOperators,
    },
    run: (asker, { params: { link } }) => change(asker, link, "enable"),
  }),
];
