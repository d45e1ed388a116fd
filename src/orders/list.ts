import { and, asc, desc, eq, gt, gte, inArray, lt, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Period } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import { decimalCurrencies } from "../core/money.ts";
import { type Cell, inList } from "../db/client.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList, type SummedData } from "../db/newest-page.ts";
import { orders } from "../db/schema/orders.ts";
import type { OrderRow } from "./store.ts";

const { id, partnerId, environment, createdAt, charged, currency, subscriptionId } = orders;

/** Which orders a person looks for; a field that is undefined does not restrict the list. */
export interface OrderFilter {
  readonly status?: OrderRow["status"] | undefined;
  readonly reference?: string | undefined;
  /** The exact address; letter case and blanks around it are immaterial. */
  readonly email?: string | undefined;
  readonly product?: string | undefined;
  readonly link?: string | undefined;
  readonly subscription?: string | undefined;
  /** What the customer typed; letter case is immaterial. */
  readonly promotionCode?: string | undefined;
  /** ISO 4217, upper case: what the customer was charged in. */
  readonly currency?: string | undefined;
  /** The kind of the payment method, such as `card`, or the method as it is shown. */
  readonly method?: string | undefined;
  /** Bounds of what was charged, inclusive, in minor units of `currency`. */
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
}

/** How a list is sorted; each also by id. */
export const orderSorts = ["created_at", "-created_at", "charged", "-charged"] as const;
export type OrderSort = (typeof orderSorts)[number];

/** The key of a row in a list: its value, and its id. */
export type OrderKey = readonly [value: number, id: string];

/** The orders of an environment, of a partner or of several, newest first. One page of a filtered list may be short. */
export function newestOrders(data: ListData, list: OwnList, filter: OrderFilter) {
  return newestOf(
    data,
    list,
    { isOwn: isOf(list.partnerId, [list.environment], filter), createdAt, id },
    (db) => db.select().from(orders).$dynamic(),
    isNarrow(filter) ? undefined : conditionOf(filter),
  );
}

/** Whose orders, in which environments and of which time. */
export interface OrderSelection {
  readonly partnerId: OwnList["partnerId"];
  /** Undefined: both. */
  readonly environment: Environment | undefined;
  readonly period: Period;
  readonly filter: OrderFilter;
}

/**
 * A page of one partner's orders in another order than newest first: at most one more than `limit`, with their keys. It sorts the
 * whole selection. One D1 round trip to each of the partner's cells.
 */
export async function sortedOrders(
  data: ListData,
  selection: OrderSelection,
  { sort, after, limit }: { readonly sort: OrderSort; readonly after: OrderKey | undefined; readonly limit: number },
) {
  const isDescending = sort.startsWith("-");
  const value = sort.endsWith("charged") ? CHARGED_AS_SHOWN : sql<number>`${createdAt}`;
  const [order, isBehind] = isDescending ? [desc, lt] : [asc, gt];
  const behind = after === undefined ? undefined : or(isBehind(value, after[0]), and(sql`${value} = ${after[0]}`, isBehind(id, after[1])));
  const pages = await data.each(({ db }) =>
    db
      .select({ order: orders, value })
      .from(orders)
      .where(and(selected(selection), behind))
      .orderBy(order(value), order(id))
      .limit(limit + 1)
      .all(),
  );
  const sign = isDescending ? -1 : 1;
  const rows = new Map(pages.toReversed().flatMap((page) => page.map((row) => [row.order.id, row] as const)));
  return [...rows.values()]
    .toSorted((one, other) => sign * (one.value - other.value || (one.order.id < other.order.id ? -1 : 1)))
    .slice(0, limit + 1)
    .map((row): { readonly order: OrderRow; readonly key: OrderKey } => ({ order: row.order, key: [row.value, row.order.id] }));
}

/** What was charged, by the number that is shown: amounts of different currencies are sorted by it, too. */
const CHARGED_AS_SHOWN = sql<number>`${charged} / (CASE ${sql.join(
  decimalCurrencies.flatMap(({ decimals, currencies }) =>
    currencies.map((code) => sql.raw(`WHEN ${currency.name} = '${code}' THEN ${10 ** decimals}.0`)),
  ),
  sql` `,
)} ELSE 100.0 END)`;

/** The most orders that are counted and summed. */
const MOST_COUNTED = 10_000;

/** Counts and sums of orders in one currency, in minor units. */
export interface OrderSums {
  readonly currency: string;
  readonly orders: number;
  readonly charged: number;
  readonly refunded: number;
  readonly disputed: number;
  readonly discounts: number;
}

/**
 * The sums of a selection in each cell, of {@link MOST_COUNTED} orders and one more at most. One D1 round trip to each cell, and two more
 * for a partner in several.
 */
export async function sumOrders(data: SummedData, selection: OrderSelection): Promise<OrderSums[]> {
  const found = await data.sums(
    ({ db }, until) => idsBefore(db, selection, until),
    ({ db }, without) => sumsIn(db, selection, without),
  );
  return found.flat();
}

/** The orders that began before a time: in a partner's current cell, those that may be copies. */
async function idsBefore(db: Cell, selection: OrderSelection, until: number): Promise<string[]> {
  const { from, to } = selection.period;
  const period = { from, to: Math.min(to, until) };
  const rows = await db
    .select({ id })
    .from(orders)
    .where(selected({ ...selection, period }))
    .orderBy(asc(id))
    .all();
  return rows.map((row) => row.id);
}

/** The sums of all cells together, by currency; null if there are more than {@link MOST_COUNTED} orders. */
export function joinedSums(parts: readonly OrderSums[]): readonly OrderSums[] | null {
  if (parts.reduce((total, { orders: count }) => total + count, 0) > MOST_COUNTED) return null;
  const groups = [...Map.groupBy(parts, (row) => row.currency)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return groups.map(([of, rows]) => {
    const sum = (field: Exclude<keyof OrderSums, "currency">) => rows.reduce((total, row) => total + row[field], 0);
    return {
      currency: of,
      orders: sum("orders"),
      charged: sum("charged"),
      refunded: sum("refunded"),
      disputed: sum("disputed"),
      discounts: sum("discounts"),
    };
  });
}

/** What a customer was let off in an order that was paid. */
const LET_OFF = sql<number>`CASE WHEN ${orders.paidAt} IS NOT NULL THEN ${orders.discount} ELSE 0 END`;

function sumsIn(db: Cell, selection: OrderSelection, without: readonly string[]): Promise<OrderSums[]> {
  const counted = db
    .select({ currency, charged, refunded: orders.refunded, disputed: orders.disputed, discount: LET_OFF.as("let_off") })
    .from(orders)
    .where(and(selected(selection), without.length === 0 ? undefined : notInArray(id, inList(without))))
    .limit(MOST_COUNTED + 1)
    .as("counted");
  return db
    .select({
      currency: counted.currency,
      orders: sql<number>`COUNT(*)`,
      charged: sql<number>`SUM(${counted.charged})`,
      refunded: sql<number>`SUM(${counted.refunded})`,
      disputed: sql<number>`SUM(${counted.disputed})`,
      discounts: sql<number>`SUM(${counted.discount})`,
    })
    .from(counted)
    .groupBy(counted.currency)
    .all();
}

function selected({ partnerId: owner, environment: only, period, filter }: OrderSelection): SQL | undefined {
  const within = and(
    period.from === 0 ? undefined : gte(createdAt, period.from),
    period.to === Number.MAX_SAFE_INTEGER ? undefined : lt(createdAt, period.to),
  );
  return and(isOf(owner, only === undefined ? environments : [only], filter), within, conditionOf(filter));
}

/** Whether an index finds the few rows. */
const isNarrow = ({ reference, email, subscription }: OrderFilter): boolean =>
  reference !== undefined || email !== undefined || subscription !== undefined;

/** SQL condition: the row is of these partners, by the index that finds the fewest rows. A plus keeps SQLite from another index. */
function isOf(owner: OwnList["partnerId"], wanted: readonly Environment[], filter: OrderFilter): SQL | undefined {
  if (filter.email !== undefined)
    return and(
      isOfEmail(filter.email),
      isOwnedBy(sql`+${partnerId}`, { partnerId: owner }),
      inArray(sql`+${environment}`, [...wanted]),
      conditionOf(filter),
    );
  if (filter.subscription !== undefined)
    return and(
      eq(subscriptionId, filter.subscription),
      isOwnedBy(sql`+${partnerId}`, { partnerId: owner }),
      inArray(sql`+${environment}`, [...wanted]),
      conditionOf(filter),
    );
  if (filter.reference !== undefined)
    return and(isOwnedBy(partnerId, { partnerId: owner }), inArray(sql`+${environment}`, [...wanted]), conditionOf(filter));
  return and(isOwnedBy(partnerId, { partnerId: owner }), inArray(environment, [...wanted]));
}

/** SQL condition: the customer has this address, by index. */
export const isOfEmail = (email: string): SQL =>
  sql`lower(${orders.email}) = ${email.trim().toLowerCase()} AND ${orders.email} IS NOT NULL`;

/** The orders of a customer, the newest first. By index. */
export async function ordersWithEmail(db: Cell, email: string, limit: number) {
  return db
    .select({ id, partnerId, environment, subscriptionId })
    .from(orders)
    .where(isOfEmail(email))
    .orderBy(desc(createdAt))
    .limit(limit)
    .all();
}

function conditionOf(filter: OrderFilter): SQL | undefined {
  const { method } = filter;
  return and(
    filter.status === undefined ? undefined : eq(orders.status, filter.status),
    filter.reference === undefined ? undefined : eq(orders.clientReferenceId, filter.reference),
    filter.subscription === undefined ? undefined : eq(subscriptionId, filter.subscription),
    filter.promotionCode === undefined ? undefined : sql`lower(${orders.promotionCode}) = lower(${filter.promotionCode})`,
    filter.link === undefined ? undefined : eq(orders.paymentLinkId, filter.link),
    filter.currency === undefined ? undefined : eq(currency, filter.currency),
    method === undefined ? undefined : or(eq(orders.method, method), eq(orders.methodLabel, method)),
    // A line begins with its product (items.ts).
    filter.product === undefined ? undefined : sql`EXISTS (SELECT 1 FROM json_each(${orders.items}) WHERE value ->> 0 = ${filter.product})`,
    filter.amountFrom === undefined ? undefined : gte(charged, filter.amountFrom),
    filter.amountTo === undefined ? undefined : lte(charged, filter.amountTo),
  );
}

/** An order by its id; undefined if this cell does not have it. One D1 round trip. */
export async function findOrder(db: Cell, wanted: string): Promise<OrderRow | undefined> {
  return db.select().from(orders).where(eq(id, wanted)).get();
}

/** The orders of a partner after one, in the order of their ids. Walks the table. */
export async function orderIdsAfter(db: Cell, owner: string, after: string, limit: number): Promise<string[]> {
  const isNext = and(gt(id, after), sql`+${partnerId} = ${owner}`);
  return (await db.select({ id }).from(orders).where(isNext).orderBy(asc(id)).limit(limit).all()).map((row) => row.id);
}

/** Some orders of a partner, by their ids. */
export async function ordersById(db: Cell, owner: string, ids: readonly string[]): Promise<OrderRow[]> {
  const among = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return db
    .select()
    .from(orders)
    .where(and(inArray(id, among), eq(partnerId, owner)))
    .all();
}
