import * as z from "zod";
import { isoTime, isoTimeOrNull, SECOND } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { toMajorUnits, toMinorUnits } from "../../core/money.ts";
import { endOfSubscription, hasEnded, nextChargeOf, stateOfSubscription } from "../../core/object-states.ts";
import type { CellDeps } from "../../deps.ts";
import { namesIn, termsOfLinks } from "../../links/store.ts";
import { joinPaid, type PaidSubscription, paidOfSubscriptions } from "../../orders/of-subscriptions.ts";
import { personsCancelPermission, requirePermission } from "../../partners/authenticate.ts";
import { admitChange } from "../../partners/change-counts.ts";
import { setCancelAtPeriodEnd } from "../../subscriptions/cancel-at-period-end.ts";
import { monthlyOf, nameOf, pricesIn } from "../../subscriptions/items.ts";
import { findSubscription, type SubscriptionRow, subscriptionSelections } from "../../subscriptions/list-subscriptions.ts";
import { summaryOfSubscription } from "../../summaries/of-subscription.ts";
import { searchText } from "../calls/lists.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { subscriptionId } from "../schemas.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { defineList } from "./list.ts";
import { orderItems, viewItems } from "./order-view.ts";
import { atProcessor, viewAtProcessor } from "./processor-url.ts";
import { allRows, customerField, missing, requireRow, summaryField, zoneOf } from "./rows.ts";
import { factsOfSubscription } from "./subscription-facts.ts";

const subscriptionView = z.object({
  subscription_id: z.string(),
  environment: environmentSchema,
  status: z.string().describe("The processor's status, such as active, past_due or canceled"),
  state: z.string().describe("The status, or `ending` if its end is scheduled"),
  ends_at: z.string().nullable().describe("When a subscription that goes on will end; null without a scheduled end"),
  has_ended: z.boolean().describe("Whether it is over: it is never charged again"),
  ended_at: z.string().nullable().describe("When it ended"),
  cancel_at_period_end: z.boolean(),
  cancel_at: z.string().nullable(),
  current_period_end: z.string().nullable(),
  collection_paused: z.boolean().describe("Whether no payments are collected for it now"),
  payment_link_id: z.string().nullable().describe("The link that started it"),
  client_reference_id: z.string().nullable().describe("The order reference from its checkout"),
  next_charge_at: z.string().nullable().describe("When it is charged next; null if it ends or is paused before"),
  items: orderItems.describe("What is subscribed to; empty if it is not known"),
  currency: z.string().nullable(),
  amount: z.number().nullable().describe("The price of one period in major units, before a discount; null if it is not known"),
  interval: z.string().nullable().describe("The unit of its period"),
  interval_count: z.int().nullable(),
  customer: z.object({ email: z.string().nullable(), name: z.string().nullable() }).nullable(),
  paid: z
    .object({
      orders: z.int().describe("Periods that were paid"),
      charged: z.number(),
      kept: z.number().describe("Less what was refunded or disputed"),
    })
    .describe("In major units of `currency`"),
  started_at: z.string().describe("When the processor made it, with a trial too"),
  updated_at: z.string().describe("When the processor last reported its state"),
});

const owned = subscriptionView.extend({ partner_id: z.string().nullable().describe("Null while its owner is not known") });

const NOTHING_PAID = { currency: null, orders: 0, charged: 0, kept: 0, email: null, customerName: null } as const;

/** The rows with what is subscribed to, by whom, and what was paid. Two more D1 round trips to each cell. */
async function viewSubscriptions(asker: Asker, rows: readonly SubscriptionRow[], partner: string | undefined) {
  const ids = rows.map(({ id }) => id);
  const links = [...new Set(rows.flatMap(({ paymentLinkId }) => paymentLinkId ?? []))];
  const found =
    rows.length === 0
      ? []
      : await allRows(asker, partner, (data, owner) => Promise.all([termsOfLinks(data, links), paidOfSubscriptions(data, owner, ids)]));
  const names = new Map(found.flatMap(([ofLinks]) => [...namesIn(ofLinks)]));
  const paid = joinPaid(found.flatMap(([, ofIds]) => ofIds));
  return rows.map((row) => viewSubscription(row, names, paid.get(row.id) ?? NOTHING_PAID));
}

const fieldsOf = wire(owned);

function viewSubscription(
  row: SubscriptionRow,
  names: ReadonlyMap<string, string | null>,
  paid: PaidSubscription | typeof NOTHING_PAID,
): z.input<typeof owned> {
  const items = pricesIn(row.items).flatMap(({ unitAmount, ...item }) =>
    unitAmount === null ? [] : [{ ...item, name: nameOf({ ...item, unitAmount }, names), unitAmount }],
  );
  const currency = row.currency ?? paid.currency;
  const major = (minor: number) => (currency === null ? 0 : toMajorUnits(minor, currency));
  return {
    ...fieldsOf(row),
    subscription_id: row.id,
    state: stateOfSubscription(row),
    ends_at: isoTimeOrNull(endOfSubscription(row)),
    has_ended: hasEnded(row),
    next_charge_at: isoTimeOrNull(nextChargeOf(row)),
    items: viewItems(items),
    currency,
    amount: row.amount === null ? null : major(row.amount),
    customer: paid.email === null && paid.customerName === null ? null : { email: paid.email, name: paid.customerName },
    paid: { orders: paid.orders, charged: major(paid.charged), kept: major(paid.kept) },
  };
}

const NO_SUBSCRIPTION = {
  partner: "You have no such subscription. `GET /partner/subscriptions` lists them.",
  operator: "There is no such subscription here. `ledger refresh` asks the processor for it.",
};

/** The end of a subscription as the processor answers it, in Unix seconds. */
const changedSchema = z.object({ cancel_at: z.int().nullable() });

/** Only partners change subscriptions: an operator's change would name no person of the partner. */
const cancelCall = definePartnerCall({
  command: "subscriptions cancel",
  method: "PUT",
  path: "/partner/subscriptions/{subscription}/cancel-at-period-end",
  permission: "signed_in",
  // It is counted once the person's permission is known.
  isBounded: true,
  summary: "Schedules the end of a subscription at the end of its paid period, or cancels that schedule",
  params: z.object({ subscription: subscriptionId }),
  body: z.strictObject({ cancel_at_period_end: z.boolean() }),
  answer: z.object({
    subscription_id: z.string(),
    cancel_at_period_end: z.boolean(),
    cancel_at: z.string().nullable(),
    changed_at: z.string(),
  }),
  async run({ deps, own, caller, actor }, { params, body }) {
    const change = { subscriptionId: params.subscription, cancelAtPeriodEnd: body.cancel_at_period_end };
    requirePermission(caller, personsCancelPermission(caller), "person");
    await admitChange(deps, caller);
    const changed = await setCancelAtPeriodEnd(own, caller, change, actor);
    const { cancel_at } = changedSchema.parse(changed);
    return {
      subscription_id: params.subscription,
      cancel_at_period_end: body.cancel_at_period_end,
      cancel_at: cancel_at === null ? null : isoTime(cancel_at * SECOND),
      changed_at: isoTime(own.clock.now()),
    };
  },
});

type Sold = Pick<Awaited<ReturnType<typeof viewSubscriptions>>[number], "items" | "amount" | "currency">;

/** What support says of a subscription with what it sells. One lookup of the partner's time zone for operators. */
async function sayOf(asker: Asker, row: SubscriptionRow, { items, amount, currency }: Sold) {
  const sold = items.length === 0 ? null : items.map(({ name, product_id }) => name ?? product_id).join(", ");
  const minor = amount === null || currency === null ? null : toMinorUnits(amount, currency);
  return summaryOfSubscription(
    { ...factsOfSubscription(row), sold, amount: minor, currency },
    await zoneOf(asker, row.partnerId ?? undefined),
  );
}

/** The same of a subscription that was found by a search. While a cell of its partner is out of reach, without what it sells. */
export async function saidOfSubscription(asker: Asker, row: SubscriptionRow) {
  const view = await viewSubscriptions(asker, [row], row.partnerId ?? undefined).then(
    ([one]) => one,
    (thrown: unknown) => {
      if (asker.deps.reach === undefined) throw thrown;
      return undefined;
    },
  );
  const nothing = { items: [], amount: null, currency: null };
  return sayOf(asker, row, view ?? nothing);
}

/** The query fields by which subscriptions are searched. */
const subscriptionSearch = {
  status: searchText.describe("Only with this status of the processor"),
  state: searchText.describe("Only in this state: the status, or `ending`"),
};

export const subscriptionList = defineList({
  of: subscriptionSelections,
  search: subscriptionSearch,
  usual: "-started_at",
  about: ". `amount`: by the number of one period, whatever the currency; `next_at`: by the next charge, or the end",
  which: "current",
  view: subscriptionView,
  owned,
  filterOf: (_asker, { status, state }) => ({ status, state }),
  viewRows: viewSubscriptions,
  sum: {
    subscriptions: z.int(),
    monthly: z.number().describe("What active and past due ones bring a month, also those that end, at list price"),
  },
  viewSum: ({ count, sums: { yearly } }, major) => ({ subscriptions: count, monthly: major(monthlyOf(yearly)) }),
  partner: {
    command: "subscriptions list",
    path: "/partner/subscriptions",
    permission: "balance_view",
    summary: "Your subscriptions with their status, the one that began last first",
    forAgents: {
      tool: "list-partner-subscriptions",
      hint: "Use it for who is subscribed to what; state past_due: a charge failed, ending: who leaves.",
      without: ["sort", "status"],
    },
    example: "--environment test --status active",
  },
  operator: {
    summary: "Subscriptions with their status, the one that began last first: of a partner, or of all",
    example: "--partner acme --status past_due",
  },
});

export const subscriptionCalls = [
  subscriptionList.calls,
  cancelCall,
  defineForBoth({
    partner: {
      command: "subscriptions show",
      path: "/partner/subscriptions/{subscription}",
      permission: "balance_view",
      summary: "One subscription",
      forAgents: {
        tool: "get-partner-subscription",
        hint: "Use it for one subscription by its id, sub_….",
      },
      answer: subscriptionView.extend({ summary: summaryField }),
      example: "sub_0123…",
    },
    operator: { role: "any", answer: owned.extend({ summary: summaryField, to_customer: customerField, ...atProcessor }) },
    async run(asker, { params: { subscription } }) {
      const find = async ({ db }: Pick<CellDeps, "db">) => {
        const row = await findSubscription(db, subscription);
        return row === undefined ? undefined : { row, partnerId: row.partnerId ?? "" };
      };
      const { found } = await requireRow(asker, find, asker.deps.findAnywhere, NO_SUBSCRIPTION);
      const [view] = await viewSubscriptions(asker, [found.row], found.row.partnerId ?? undefined);
      if (view === undefined) return missing(asker, NO_SUBSCRIPTION);
      const summary = await sayOf(asker, found.row, view);
      return {
        ...view,
        summary,
        // A partner's answer has it not: its schema takes it out. A customer hears the same.
        to_customer: summary,
        ...viewAtProcessor(asker.deps.settings, view.environment, subscription),
      };
    },
  }),
];
