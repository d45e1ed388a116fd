import { bankPaymentSelections } from "../../bank-payments/list-payments.ts";
import { sizeIn, twoDecimals } from "../../core/typed-amount.ts";
import { disputeSelections } from "../../disputes/list.ts";
import { disputesOfPayment } from "../../disputes/store.ts";
import { movementSelections } from "../../ledger/movements/search.ts";
import { movementsOfPayment } from "../../ledger/movements/store.ts";
import { type OrderFilter, orderSelections, ordersById, ordersOfCustomer } from "../../orders/list.ts";
import type { OrderRow } from "../../orders/store.ts";
import { findSubscriptions, subscriptionSelections } from "../../subscriptions/list-subscriptions.ts";
import { factsOfOrder } from "../../summaries/facts-of-order.ts";
import { summaryOfOrder } from "../../summaries/of-order.ts";
import type { PartnerContext } from "../partner/define-call.ts";
import { type Found, idsOf, MOST, mayBeId, type Named, newestOfBoth, type Way } from "./find-way.ts";
import { sayOrder, saySubscription } from "./said-of-found.ts";
import { saidOfSubscription } from "./subscriptions.ts";

/** An order with what became of its money; its events are on its page. */
async function viewOrder({ own, caller }: PartnerContext, order: OrderRow): Promise<Found> {
  const { data } = own;
  const [movements, disputed] = await Promise.all([
    movementsOfPayment(data, order.partnerId, order.id),
    data.each(({ db }) => disputesOfPayment(db, order.id)),
  ]);
  const facts = factsOfOrder({ order, movements, disputed: disputed.flat(), deliveries: [], endpoints: [] });
  const summary = summaryOfOrder(facts, caller.timeZone);
  return { kind: "order", id: order.id, environment: order.environment, ...sayOrder(order), summary };
}

const ordersWith = (context: PartnerContext, filter: OrderFilter) =>
  newestOfBoth(context, (list) => orderSelections.newest(context.own.data, list, filter));

/** The payments that had a movement of this size, such as a refund in part. */
async function paymentsMoved(context: PartnerContext, size: number): Promise<string[]> {
  const moved = await newestOfBoth(context, (list) => movementSelections.newest(context.own.data, list, { shown: size }));
  return moved.flatMap(({ paymentIntentId }) => paymentIntentId ?? []);
}

/** The ruble payments with a fiscal receipt that has this number. */
async function withReceipt(context: PartnerContext, receipt: string): Promise<string[]> {
  return (await newestOfBoth(context, (list) => bankPaymentSelections.newest(context.own.data, list, { receipt }))).map(({ id }) => id);
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

/** The orders with an amount: charged, refunded, moved in part, disputed, or asked for at the bank. */
async function ordersOfAmount(context: PartnerContext, minor: number): Promise<OrderRow[]> {
  const { data } = context.own;
  const amount = twoDecimals(minor);
  const [orders, moved, disputed, asked] = await Promise.all([
    ordersWith(context, { amount }),
    paymentsMoved(context, amount),
    newestOfBoth(context, (list) => disputeSelections.newest(data, list, { amount })),
    newestOfBoth(context, (list) => bankPaymentSelections.newest(data, list, { amount: minor })),
  ]);
  const ids = [...moved, ...disputed.flatMap(({ paymentIntentId }) => paymentIntentId ?? []), ...asked.map(({ id }) => id)];
  return newestFirst([...orders, ...(await ordersNamed(context, ids))]);
}

/** The subscriptions with a price. */
async function subscriptionsOfAmount(context: PartnerContext, wanted: string): Promise<string[]> {
  const minor = sizeIn(wanted);
  if (minor === null) return [];
  const amount = twoDecimals(minor);
  return (await newestOfBoth(context, (list) => subscriptionSelections.newest(context.own.data, list, { amount }))).map(({ id }) => id);
}

async function ordersNamed({ own, caller }: PartnerContext, ids: readonly string[]): Promise<OrderRow[]> {
  return ids.length === 0 ? [] : (await own.data.each(({ db }) => ordersById(db, caller.partnerId, ids))).flat();
}

const newestFirst = (rows: readonly OrderRow[]) => rows.toSorted((one, other) => other.createdAt - one.createdAt);

/** The orders of a customer, by the address or the name. */
const ordersOfPerson = async (context: PartnerContext, wanted: string) =>
  newestFirst(await (wanted.includes("@") ? ordersWith(context, { email: wanted }) : ordersOfName(context, wanted)));

/** Orders by any id of theirs, by reference, by a receipt, or by an amount: what is named exactly first. */
async function ordersOfThing(context: PartnerContext, wanted: string, named: readonly Named[], typed: string): Promise<OrderRow[]> {
  if (wanted.includes("@")) return [];
  const amount = sizeIn(wanted);
  const ids = [...idsOf(named, "payment", "bank_order"), ...(/^(?:pi|cs)_/.test(wanted) ? [wanted] : [])];
  const receipts = RECEIPT.test(wanted) ? await withReceipt(context, wanted) : [];
  const rows = await Promise.all([
    ordersNamed(context, ids),
    ordersWith(context, { reference: typed }),
    ordersNamed(context, receipts),
    amount === null ? [] : ordersOfAmount(context, amount),
  ]);
  const found = rows.flat();
  return found.length > 0 || !mayBeId(wanted) ? found : ordersWith(context, { anyCase: wanted });
}

/** The ids of subscriptions: as they were named, or written in another case. */
async function subscriptionsOfThing(context: PartnerContext, wanted: string, named: readonly Named[]): Promise<string[]> {
  const ids = idsOf(named, "subscription");
  if (ids.length > 0 || !wanted.startsWith("sub_")) return ids;
  return (await newestOfBoth(context, (list) => subscriptionSelections.newest(context.own.data, list, { anyCase: wanted }))).map(
    ({ id }) => id,
  );
}

/** Subscriptions by their ids. One D1 round trip to each cell, and what each says. */
async function viewSubscriptions(context: PartnerContext, ids: readonly string[]): Promise<Found[]> {
  if (ids.length === 0) return [];
  const { deps, actor, own, caller } = context;
  const rows = (await own.data.each(({ db }) => findSubscriptions(db, ids))).flat();
  return Promise.all(
    rows
      .filter(({ partnerId }) => partnerId === caller.partnerId)
      .map(async (row) => {
        const summary = await saidOfSubscription({ deps, actor, partner: context }, row);
        return { kind: "subscription" as const, id: row.id, environment: row.environment, ...saySubscription(row), summary };
      }),
  );
}

/** Orders, and subscriptions: a customer's address or name finds both, and so does an amount. */
export const ordersAndSubscriptions: Way = [
  "balance_view",
  async (context, wanted, named, typed) => {
    const [things, ofPerson, ofAmount, byId] = await Promise.all([
      ordersOfThing(context, wanted, named, typed),
      ordersOfPerson(context, wanted),
      subscriptionsOfAmount(context, wanted),
      subscriptionsOfThing(context, wanted, named),
    ]);
    const shown = [...new Map([...things, ...ofPerson].map((row) => [row.id, row])).values()].slice(0, 2 * MOST);
    const ofOrders = ofPerson.flatMap(({ subscriptionId }) => subscriptionId ?? []);
    const subscriptions = new Set([...byId, ...ofOrders, ...ofAmount]);
    return [
      ...(await Promise.all(shown.map((row) => viewOrder(context, row)))),
      ...(await viewSubscriptions(context, [...subscriptions].slice(0, MOST))),
    ];
  },
];
