import { and, eq, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { type Cell, inList } from "../db/client.ts";
import { orders } from "../db/schema/orders.ts";
import { isOfEmail } from "./list.ts";

/** Whose orders are emptied: of ids, of a reference of a partner or of any, of subscriptions, or of a customer's address. */
export type ErasedOrders =
  | { readonly ids: readonly string[] }
  | { readonly reference: string; readonly partnerIds: readonly string[] }
  | { readonly subscriptionIds: readonly string[] }
  | { readonly email: string };

/** An order whose customer is erased. */
export type KnownOrder = Pick<typeof orders.$inferSelect, "id" | "partnerId" | "environment" | "subscriptionId">;

/** The orders of a cell that an erasure is about, by index. */
export async function ordersToErase(db: Cell, wanted: ErasedOrders): Promise<KnownOrder[]> {
  const { id, partnerId, environment, subscriptionId } = orders;
  return db.select({ id, partnerId, environment, subscriptionId }).from(orders).where(isWanted(wanted)).all();
}

function isWanted(wanted: ErasedOrders): SQL | undefined {
  if ("ids" in wanted) return inArray(orders.id, inList(wanted.ids));
  if ("subscriptionIds" in wanted) return inArray(orders.subscriptionId, inList(wanted.subscriptionIds));
  if ("email" in wanted) return isOfEmail(wanted.email);
  return and(inArray(orders.partnerId, inList(wanted.partnerIds)), eq(orders.clientReferenceId, wanted.reference));
}

/** Empties what orders say of their customers: address, name and the card's digits. Amounts and ids stay. Returns the number of orders. */
export async function emptyCustomers(db: Cell, ids: readonly string[]): Promise<number> {
  const isPersonal = or(isNotNull(orders.email), isNotNull(orders.customerName), isNotNull(orders.methodLabel));
  const { meta } = await db
    .update(orders)
    .set({ email: null, customerName: null, methodLabel: null })
    .where(and(inArray(orders.id, inList(ids)), isPersonal))
    .run();
  return meta.changes;
}
