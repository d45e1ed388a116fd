import * as z from "zod";
import { movementsOfOrder } from "../../bank-payments/money.ts";
import { isRefundedIn } from "../../books/refunded.ts";
import { isoTime } from "../../core/clock.ts";
import { toMajorUnits } from "../../core/money.ts";
import { orderStates } from "../../core/object-states.ts";
import { disputesOfPayment } from "../../disputes/store.ts";
import { movementsOfPayment } from "../../ledger/movements/store.ts";
import { findOrder, type OrderFilter, orderSelections } from "../../orders/list.ts";
import type { OrderRow } from "../../orders/store.ts";
import { collectOrder } from "../../story/collect-order.ts";
import { ownStory } from "../../story/own-story.ts";
import { toTimeline } from "../../story/timeline.ts";
import { factsOfOrder } from "../../summaries/facts-of-order.ts";
import { summaryForCustomer } from "../../summaries/for-customer.ts";
import { summaryOfOrder } from "../../summaries/of-order.ts";
import { transactionSchema, viewTransaction } from "../../views/transaction.ts";
import { checkoutEventId } from "../../webhooks/outbox/events/checkout-completed.ts";
import { searchText } from "../calls/lists.ts";
import { type AskedPeriod, momentField, periodOf } from "../calls/moments.ts";
import { amountField, currencyField, minorOf } from "../calls/money-fields.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { deliveryView, viewDelivery } from "./deliveries.ts";
import { listedDispute, viewListedDispute } from "./disputes.ts";
import { defineList } from "./list.ts";
import { orderSum, orderView, viewOrder } from "./order-view.ts";
import { requireLocation } from "./partner-lookup.ts";
import { atProcessor, viewAtProcessor } from "./processor-url.ts";
import { customerField, type Missing, ownDeps, ownerField, requireRow, summaryField, zoneOf } from "./rows.ts";
import { storyEntryAnswer, viewStoryEntry } from "./story.ts";
import { storyDeps } from "./story-deps.ts";

/** The query fields by which orders are searched. */
const orderSearch = {
  status: z.enum(orderStates).optional(),
  reference: searchText.describe("Only orders with this order reference"),
  email: searchText.describe("Only orders of the customer with this address; letter case is immaterial"),
  product: searchText.describe("Only orders with this product: `prod_…`, or the number of a ruble product"),
  link: searchText.describe("Only orders through this link: `plink_…`"),
  promotion_code: searchText.describe("Only orders with this promotion code, in any letter case"),
  promotion_code_id: searchText.describe("Only orders with this promotion code, by its id: codes may follow one another with one text"),
  subscription: searchText.describe("Only orders of this subscription: `sub_…`"),
  currency: currencyField.describe("Only orders that were charged in this currency"),
  paid_since: momentField.optional().describe("Only orders that were paid from this time or date on"),
  paid_until: momentField.optional().describe("Only orders that were paid before this time, or up to this date"),
  refunded_since: momentField.optional().describe("Only orders of which something was given back from this time or date on"),
  refunded_until: momentField.optional().describe("Only orders of which something was given back before this time, or up to this date"),
  settled_in: currencyField.describe("Only orders that the account was credited for in this currency"),
  method: searchText.describe("Only orders that were paid so: `card`, or as it is shown, such as Visa ···· 4242"),
  amount_from: amountField.describe("Charged at least this much, in major units; with `currency`"),
  amount_to: amountField.describe("Charged at most this much, in major units; with `currency`"),
};

type AskedFilter = z.output<z.ZodObject<typeof orderSearch>>;

/** The search that a query asks for. `zone`: of its days. @throws ServiceFailure `invalid_input` for an amount without a currency. */
function orderFilterOf(
  {
    amount_from,
    amount_to,
    promotion_code,
    promotion_code_id,
    paid_since,
    paid_until,
    refunded_since,
    refunded_until,
    settled_in,
    ...wanted
  }: AskedFilter,
  zone: string,
): OrderFilter {
  const within = ({ since, until }: AskedPeriod) =>
    since === undefined && until === undefined ? undefined : periodOf({ since, until }, zone);
  const refunded = within({ since: refunded_since, until: refunded_until });
  return {
    ...wanted,
    paid: within({ since: paid_since, until: paid_until }),
    isRefunded: refunded && isRefundedIn(refunded),
    settledIn: settled_in,
    promotionCode: promotion_code,
    promotionCodeId: promotion_code_id,
    amountFrom: minorOf("amount_from", amount_from, wanted.currency),
    amountTo: minorOf("amount_to", amount_to, wanted.currency),
  };
}

const NO_ORDER: Missing = {
  partner: "You have no such order. `GET /partner/orders` lists them. A new payment may take a moment to appear.",
  operator:
    "There is no order with this id. A payment that was just reported has one once it was looked up: `story <id>` says what waits. `find <text>` takes a reference, an address, or any other id.",
};

const orderDetail = orderView.extend({
  summary: summaryField,
  movements: z.array(transactionSchema).describe("The card processor's, oldest first"),
  bank_movements: z
    .array(z.object({ type: z.string(), amount: z.number().describe("In rubles, signed"), transaction_date: z.string() }))
    .describe("The ruble bank's, oldest first"),
  disputes: z.array(listedDispute).describe("Its disputes and inquiries, oldest first"),
  deliveries: z.array(deliveryView).describe("The deliveries of its events, oldest first: to each webhook, the chat, and by e-mail"),
  timeline: z.array(storyEntryAnswer).describe("Its whole story, oldest first"),
});

export const orderList = defineList({
  of: orderSelections,
  search: orderSearch,
  usual: "-created_at",
  about: ". `charged`: by the number",
  view: orderView,
  owned: orderView.extend(ownerField),
  // Days are those of the partner's zone.
  filterOf: async (asker, wanted, partner) => orderFilterOf(wanted, await zoneOf(asker, partner)),
  viewRows: (_asker, rows) => rows.map(viewOrder),
  sum: orderSum,
  viewSum: ({ count, sums: { charged, refunded, disputed, discounts } }, major) => ({
    orders: count,
    charged: major(charged),
    refunded: major(refunded),
    disputed: major(disputed),
    kept: major(charged - refunded - disputed),
    discounts: major(discounts),
  }),
  partner: {
    command: "orders list",
    path: "/partner/orders",
    permission: "balance_view",
    forAgents: {
      tool: "list-partner-orders",
      hint: "Use it for who bought what, by customer, reference, product, status or day; count and sums are of all. It has customers' addresses: show what is asked for.",
      without: ["promotion_code_id"],
    },
    summary: "Your orders, newest first: who bought what, how it was paid, what was given back, and what you keep",
    example: "--status refunded --since 2026-10-01 --until 2026-10-31",
  },
  operator: { summary: "Orders, newest first: of a partner, or of all", example: "--partner acme --status failed" },
});

export const orderCalls = [
  orderList.calls,
  defineForBoth({
    partner: {
      command: "orders show",
      path: "/partner/orders/{order}",
      permission: "balance_view",
      forAgents: {
        tool: "get-partner-order",
        hint: "Use it for one order by its id: its money movements, its events and its whole story.",
      },
      summary: "One of your orders, with its money movements, its events and its whole story",
      answer: orderDetail,
      example: "pi_3PqLk2",
    },
    operator: {
      role: "any",
      summary: "An order, with its money movements, its events and its whole story",
      answer: orderDetail.extend(ownerField).extend(atProcessor).extend({ to_customer: customerField }),
    },
    async run(asker, { params: { order } }) {
      const { found } = await requireRow(
        asker,
        ({ db }) => findOrder(db, order),
        (find) => asker.deps.findAnywhere(find),
        NO_ORDER,
      );
      return viewDetail(asker, found);
    },
  }),
];

async function viewDetail(asker: Asker, order: OrderRow) {
  const { data, db } = await ownDeps(asker, order.partnerId);
  const [movements, disputed, ofBank, story] = await Promise.all([
    movementsOfPayment(data, order.partnerId, order.id),
    disputesOfPayment(db, order.id),
    data.firstRows((part) => movementsOfOrder(part, order.id)),
    storyOf(asker, order),
  ]);
  const facts = factsOfOrder({ order, movements, disputed, deliveries: story.deliveries, endpoints: story.endpoints });
  const zone = await zoneOf(asker, order.partnerId);
  return {
    ...viewOrder(order),
    ...viewAtProcessor(asker.deps.settings, order.environment, order.id),
    summary: summaryOfOrder(facts, zone),
    // A partner's answer has it not: its schema takes it out.
    to_customer: summaryForCustomer(facts, zone),
    movements: movements.map(viewTransaction),
    disputes: disputed.map(viewListedDispute),
    bank_movements: ofBank.map(({ type, amount, transactionDate }) => ({
      type,
      amount: toMajorUnits(amount, "RUB"),
      transaction_date: isoTime(transactionDate),
    })),
    deliveries: story.deliveries.toSorted((one, other) => one.createdAt - other.createdAt).map(viewDelivery),
    timeline: story.entries.map(viewStoryEntry),
  };
}

/** The story of an order, as the asker may see it: from our own databases alone. That of an order with nothing to pay begins at its event. */
async function storyOf({ deps, partner }: Asker, { id, partnerId, environment }: OrderRow) {
  const { cell, idCode } = await requireLocation(deps, partnerId);
  const event = id.startsWith("cs_") ? await checkoutEventId(idCode, { environment, partnerId }, id) : null;
  if (partner !== null) {
    const asking = { ...partner.caller, data: partner.own.data };
    return (await ownStory(storyDeps(deps), asking, event ?? id)) ?? { entries: [], deliveries: [], endpoints: [] };
  }
  const kind = event !== null ? ("event" as const) : id.startsWith("pi_") ? ("payment" as const) : ("bank_order" as const);
  const gathered = await collectOrder(storyDeps(deps), [{ kind, id: event ?? id, partnerId, cell, environment }]);
  return {
    entries: toTimeline(gathered, deps.clock.now()),
    deliveries: [...gathered.deliveries.values()],
    endpoints: [...gathered.endpoints.values()],
  };
}
