import { listBankPayments } from "../../bank-payments/list-payments.ts";
import { movementsOfOrder } from "../../bank-payments/money.ts";
import { type Environment, environments } from "../../core/environment.ts";
import { typedMinorUnits } from "../../core/typed-amount.ts";
import { disputesOfPayment } from "../../disputes/store.ts";
import { searchMovements } from "../../ledger/movements/search.ts";
import { movementsOfPayment } from "../../ledger/movements/store.ts";
import { newestOrders, type OrderFilter, ordersById, ordersOfCustomer } from "../../orders/list.ts";
import type { OrderRow } from "../../orders/store.ts";
import { findSubscription } from "../../subscriptions/list-subscriptions.ts";
import { factsOfOrder } from "../../summaries/facts-of-order.ts";
import { summaryOfOrder } from "../../summaries/of-order.ts";
import type { PartnerContext } from "../partner/define-call.ts";
import { type Found, idsOf, MOST, type Named, type Way } from "./find-way.ts";
import { sayOrder, saySubscription } from "./said-of-found.ts";
import { saidOfSubscription } from "./subscriptions.ts";

/** An order with what became of its money; its events are on its page. */
async function viewOrder({ own, caller }: PartnerContext, order: OrderRow): Promise<Found> {
  const { data } = own;
  const [movements, ofBank, disputed] = await Promise.all([
    movementsOfPayment(data, order.partnerId, order.id),
    data.firstRows((part) => movementsOfOrder(part, order.id)),
    data.each(({ db }) => disputesOfPayment(db, order.id)),
  ]);
  const facts = factsOfOrder({ order, movements, ofBank, disputed: disputed.flat(), deliveries: [], endpoints: [] });
  const summary = summaryOfOrder(facts, caller.timeZone);
  return { kind: "order", id: order.id, environment: order.environment, ...sayOrder(order), summary };
}

/** The newest rows of both environments. `read` reads those of one. */
async function newest<Row>(
  { caller: { partnerId } }: PartnerContext,
  read: (list: {
    readonly partnerId: string;
    readonly environment: Environment;
    readonly before: undefined;
    readonly limit: number;
  }) => Promise<{ readonly rows: readonly Row[] }>,
): Promise<Row[]> {
  const pages = await Promise.all(environments.map((environment) => read({ partnerId, environment, before: undefined, limit: MOST })));
  return pages.flatMap(({ rows }) => rows);
}

const ordersWith = (context: PartnerContext, filter: OrderFilter) =>
  newest(context, (list) => newestOrders(context.own.data, list, filter));

/** The payments that had a movement of this size, such as a refund in part. */
async function paymentsMoved(context: PartnerContext, amount: number): Promise<string[]> {
  const search = { amountFrom: amount, amountTo: amount };
  const moved = await newest(context, (list) => searchMovements(context.own.data, list, search));
  return moved.flatMap(({ paymentIntentId }) => paymentIntentId ?? []);
}

/** The ruble payments with a fiscal receipt that has this number. */
async function withReceipt(context: PartnerContext, receipt: string): Promise<string[]> {
  return (await newest(context, (list) => listBankPayments(context.own.data, list, { receipt }))).map(({ id }) => id);
}

/** What may be a number of a fiscal receipt. */
const RECEIPT = /^\d{1,16}$/;

/** What may be a person's name: letters alone, three at least. */
const NAME = /^\p{L}[\p{L} .'’-]{2,79}$/u;

/** The spellings of a name in which another case may be stored. The database ignores the case of Latin letters alone. */
function spellings(name: string): string[] {
  const titled = name
    .split(" ")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(" ");
  return /^[\x20-\x7e]+$/.test(name) ? [name] : [...new Set([name, titled, name.toUpperCase(), name.toLowerCase()])];
}

async function ordersOfName({ own, caller }: PartnerContext, name: string): Promise<OrderRow[]> {
  const names = NAME.test(name) ? spellings(name) : [];
  return (await own.data.each(({ db }) => Promise.all(names.map((one) => ordersOfCustomer(db, caller.partnerId, one, MOST))))).flat(2);
}

/** The rows of orders by any id of theirs, by reference, by the customer's address or name, by a receipt, or by an amount. */
async function orderRows(context: PartnerContext, wanted: string, named: readonly Named[], typed: string): Promise<OrderRow[]> {
  if (wanted.includes("@")) return ordersWith(context, { email: wanted });
  const { own, caller } = context;
  const amount = typedMinorUnits(wanted);
  const [moved, receipts, byAmount] = await Promise.all([
    amount === null ? [] : paymentsMoved(context, amount),
    RECEIPT.test(wanted) ? withReceipt(context, wanted) : [],
    amount === null ? [] : ordersWith(context, { amount }),
  ]);
  const ids = [...idsOf(named, "payment", "bank_order"), ...(/^(?:pi|cs)_/.test(wanted) ? [wanted] : []), ...receipts, ...moved];
  const byId = (await own.data.each(({ db }) => ordersById(db, caller.partnerId, ids))).flat();
  return [...byId, ...(await ordersWith(context, { reference: typed })), ...byAmount, ...(await ordersOfName(context, wanted))];
}

/** Subscriptions by their ids. */
async function viewSubscriptions(context: PartnerContext, ids: readonly string[]): Promise<Found[]> {
  const { deps, actor, own, caller } = context;
  const rows = (await Promise.all(ids.map((id) => own.data.each(({ db }) => findSubscription(db, id))))).flat(2);
  const found = rows.flatMap((row) => (row?.partnerId === caller.partnerId ? [row] : []));
  return Promise.all(
    found.map(async (row) => {
      const summary = await saidOfSubscription({ deps, actor, partner: context }, row);
      return { kind: "subscription" as const, id: row.id, environment: row.environment, ...saySubscription(row), summary };
    }),
  );
}

/** Orders, and the subscriptions that they belong to: a customer's address or name finds both. */
export const ordersAndSubscriptions: Way = [
  "balance_view",
  async (context, wanted, named, typed) => {
    const rows = await orderRows(context, wanted, named, typed);
    const shown = [...new Map(rows.map((row) => [row.id, row])).values()].slice(0, 2 * MOST);
    const subscriptions = new Set([...idsOf(named, "subscription"), ...shown.flatMap(({ subscriptionId }) => subscriptionId ?? [])]);
    return [
      ...(await Promise.all(shown.map((row) => viewOrder(context, row)))),
      ...(await viewSubscriptions(context, [...subscriptions].slice(0, MOST))),
    ];
  },
];
