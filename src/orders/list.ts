import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { Period } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import { type Cell, inList } from "../db/client.ts";
import { isAnyOf, isOwnedBy, isWithin, type OwnList } from "../db/newest-page.ts";
import { orders } from "../db/schema/orders.ts";
import { amountAsShown, defineSelections, isShownAs, type Whose } from "../db/selection.ts";
import type { OrderRow } from "./store.ts";

const { id, partnerId, environment, createdAt, charged, currency, subscriptionId, promotionCodeId } = orders;

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
  readonly promotionCodeId?: string | undefined;
  /** ISO 4217, upper case: what the customer was charged in. */
  readonly currency?: string | undefined;
  /** The kind of the payment method, such as `card`, or the method as it is shown. */
  readonly method?: string | undefined;
  /** When it was paid. */
  readonly paid?: Period | undefined;
  /** SQL condition: a refund of the order with this id is of the wanted time. */
  readonly isRefunded?: ((order: SQLiteColumn) => SQL) | undefined;
  /** ISO 4217, upper case: what the account was credited in; of rubles and of orders with nothing to pay, what was charged. */
  readonly settledIn?: string | undefined;
  /** Bounds of what was charged, inclusive, in minor units of `currency`. */
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
  /** An id of the order, or its reference, in any case. */
  readonly anyCase?: string | undefined;
  /** What was charged, or refunded in all, as it is shown, in major units of any currency. */
  readonly amount?: number | undefined;
}

/** The list of orders. `discounts`: what customers were let off in paid orders. What was charged is compared whatever the currency. */
export const orderSelections = defineSelections({
  table: orders,
  id,
  createdAt,
  isOwn: ({ partnerId: owner, environment: only, filter }: Whose<OrderFilter>) =>
    isOf(owner, only === undefined ? environments : [only], filter),
  isFiltered: (filter) => (isNarrow(filter) ? undefined : conditionOf(filter)),
  sorts: { created_at: sql`${createdAt}`, charged: amountAsShown(charged, currency) },
  columns: getTableColumns(orders),
  environment,
  currency,
  fields: {
    charged,
    refunded: orders.refunded,
    disputed: orders.disputed,
    discounts: sql`CASE WHEN ${orders.paidAt} IS NOT NULL THEN ${orders.discount} ELSE 0 END`,
  },
  schema: z.object({ charged: z.int(), refunded: z.int(), disputed: z.int(), discounts: z.int() }),
});

/** Whether an index finds the few rows. */
const isNarrow = ({ reference, email, subscription, promotionCodeId: code }: OrderFilter): boolean =>
  reference !== undefined || email !== undefined || subscription !== undefined || code !== undefined;

/** SQL condition: the row is of these partners, by the index that finds the fewest rows. A plus keeps SQLite from another index. */
function isOf(owner: OwnList["partnerId"], wanted: readonly Environment[], filter: OrderFilter): SQL | undefined {
  const isPlainlyOwn = and(isOwnedBy(sql`+${partnerId}`, { partnerId: owner }), inArray(sql`+${environment}`, [...wanted]));
  if (filter.email !== undefined) return and(isOfEmail(filter.email), isPlainlyOwn, conditionOf(filter));
  if (filter.subscription !== undefined) return and(eq(subscriptionId, filter.subscription), isPlainlyOwn, conditionOf(filter));
  if (filter.promotionCodeId !== undefined) return and(eq(promotionCodeId, filter.promotionCodeId), isPlainlyOwn, conditionOf(filter));
  if (filter.reference !== undefined)
    return and(isOwnedBy(partnerId, { partnerId: owner }), inArray(sql`+${environment}`, [...wanted]), conditionOf(filter));
  return and(isOwnedBy(partnerId, { partnerId: owner }), inArray(environment, [...wanted]));
}

/** SQL condition: the customer has this address, by index. */
export const isOfEmail = (email: string): SQL =>
  sql`lower(${orders.email}) = ${email.trim().toLowerCase()} AND ${orders.email} IS NOT NULL`;

/** Orders of one name that are looked at. */
const MOST_NAMED = 200;

/** A partner's newest orders of customers whose name begins with a text, in any case of Latin letters. By index. */
export function ordersOfCustomer(db: Cell, owner: string, name: string, limit: number): Promise<OrderRow[]> {
  const shown = sql`lower(${orders.customerName})`;
  const isNamed = sql`${shown} >= lower(${name}) AND ${shown} < lower(${name}) || char(1114111)`;
  const isOfOwner = and(eq(partnerId, owner), sql`${orders.customerName} IS NOT NULL`, isNamed);
  const named = db.select({ id }).from(orders).where(isOfOwner).orderBy(shown).limit(MOST_NAMED);
  return db.select().from(orders).where(inArray(id, named)).orderBy(desc(createdAt)).limit(limit).all();
}

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
    filter.promotionCodeId === undefined ? undefined : eq(promotionCodeId, filter.promotionCodeId),
    filter.link === undefined ? undefined : eq(orders.paymentLinkId, filter.link),
    filter.currency === undefined ? undefined : eq(currency, filter.currency),
    method === undefined ? undefined : or(eq(orders.method, method), eq(orders.methodLabel, method)),
    // A line begins with its product (items.ts).
    filter.product === undefined ? undefined : sql`EXISTS (SELECT 1 FROM json_each(${orders.items}) WHERE value ->> 0 = ${filter.product})`,
    filter.paid === undefined ? undefined : and(isNotNull(orders.paidAt), isWithin(orders.paidAt, filter.paid)),
    filter.isRefunded?.(id),
    filter.settledIn === undefined ? undefined : sql`COALESCE(${orders.settlementCurrency}, ${currency}) = ${filter.settledIn}`,
    filter.amountFrom === undefined ? undefined : gte(charged, filter.amountFrom),
    filter.amountTo === undefined ? undefined : lte(charged, filter.amountTo),
    filter.anyCase === undefined ? undefined : isAnyOf(filter.anyCase, id, orders.clientReferenceId),
    filter.amount === undefined
      ? undefined
      : or(isShownAs(charged, currency, filter.amount), and(gt(orders.refunded, 0), isShownAs(orders.refunded, currency, filter.amount))),
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
  const among = inList(ids);
  return db
    .select()
    .from(orders)
    .where(and(inArray(id, among), eq(partnerId, owner)))
    .all();
}
