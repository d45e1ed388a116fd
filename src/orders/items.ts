import * as z from "zod";
import { parseJson } from "../core/json.ts";

/** A line of an order. `unitAmount` in minor units of what the customer was charged in. */
export interface OrderItem {
  readonly productId: string;
  /** As it was named when it was sold; null if that is not known. */
  readonly name: string | null;
  readonly quantity: number;
  readonly unitAmount: number;
}

/** A stored line: product, name, quantity, unit amount, and the sum of the lines up to this one. */
const storedItemsSchema = z.array(z.tuple([z.string(), z.string().nullable(), z.int(), z.int(), z.int()]));

/** The lines in the form of the row. The sums let SQL share an amount among the lines without a rest. */
export function storedItems(items: readonly OrderItem[]): string {
  let sum = 0;
  const stored: z.infer<typeof storedItemsSchema> = items.map(({ productId, name, quantity, unitAmount }) => {
    sum += quantity * unitAmount;
    return [productId, name, quantity, unitAmount, sum];
  });
  return JSON.stringify(stored);
}

/** The lines of a row; empty if they are not known. */
export function itemsIn(stored: string | null): OrderItem[] {
  if (stored === null) return [];
  return parseJson(storedItemsSchema, stored).map(([productId, name, quantity, unitAmount]) => ({ productId, name, quantity, unitAmount }));
}

/** So many names are said; of more, that there are more. */
const MOST_NAMES = 3;

/** What is sold, in one line: names, with their quantities over one; null without any. */
export function namesOfItems(items: readonly Pick<OrderItem, "name" | "productId" | "quantity">[]): string | null {
  if (items.length === 0) return null;
  const names = items
    .slice(0, MOST_NAMES)
    .map(({ name, productId, quantity }) => `${quantity === 1 ? "" : `${quantity} × `}${name ?? productId}`);
  return [...names, ...(items.length > MOST_NAMES ? ["…"] : [])].join(", ");
}

/** The number of things in the stored lines; 0 if they are not known. */
export const unitsOf = (stored: string | null): number => itemsIn(stored).reduce((sum, { quantity }) => sum + quantity, 0);
