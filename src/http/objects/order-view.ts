import * as z from "zod";
import { environmentSchema } from "../../core/environment.ts";
import { toMajorUnits } from "../../core/money.ts";
import { orderStates } from "../../core/object-states.ts";
import { itemsIn, type OrderItem } from "../../orders/items.ts";
import type { OrderRow } from "../../orders/store.ts";
import { wire } from "../wire.ts";
import { ownerField } from "./rows.ts";

const text = z.string().nullable();

/** The lines of an order, or of a link. */
export const orderItems = z.array(
  z.object({
    product_id: z.string(),
    name: text.describe("As it was named when it was sold"),
    quantity: z.int(),
    unit_amount: z.int().describe("In minor units, before a discount"),
  }),
);

export const viewItems = (items: readonly OrderItem[]): z.input<typeof orderItems> =>
  items.map(({ productId, name, quantity, unitAmount }) => ({ product_id: productId, name, quantity, unit_amount: unitAmount }));

/** An order in a list, a file and a page. */
export const orderView = z.object({
  id: z.string().describe("pi_… of a payment, cs_… of a checkout with nothing to pay, or the `order_id` of a ruble payment"),
  environment: environmentSchema,
  created_at: z.string(),
  paid_at: text.describe("When the money was booked; null until then"),
  refunded_at: text.describe("When something was last given back; null if nothing was"),
  status: z.enum(orderStates),
  client_reference_id: text.describe("Your order reference; null for a renewal"),
  payment_link_id: text,
  subscription_id: text,
  payment_intent_id: text,
  bank_order_id: text,
  customer: z.object({ email: text, name: text }).nullable(),
  items: orderItems.describe("What was sold; empty if it is not known"),
  payment_method: text.describe("As people say it: Visa ···· 4242"),
  promotion_code: text.describe("What the customer typed"),
  currency: z.string().describe("What the customer was charged in"),
  charged: z.number().describe("In major units; 0 until it is booked"),
  discount: z.number().describe("What the customer was let off; not in `charged`, and 0 until it is booked, too"),
  refunded: z.number().describe("What was given back; not negative"),
  disputed: z.number().describe("What an open or lost dispute took; not negative"),
  kept: z.number().describe("`charged` − `refunded` − `disputed`"),
  settlement_currency: text.describe("What the account was credited in, for `fee` and `net`"),
  fee: z
    .number()
    .nullable()
    .describe("All fees, of refunds and disputes too; null if one is not known. The ruble bank does not say its fee"),
  net: z.number().nullable().describe("What is left in the settlement currency; null if a part is not known"),
});

const isBankOrder = (id: string): boolean => !/^(?:pi|cs)_/.test(id);

const fieldsOf = wire(orderView.extend(ownerField));

/** The row of an order, with its owner for operators. */
export function viewOrder(row: OrderRow) {
  const { id, currency, settlementCurrency: settled } = row;
  const major = (minor: number) => toMajorUnits(minor, currency);
  const inSettled = (minor: number | null) => (minor === null || settled === null ? null : toMajorUnits(minor, settled));
  return {
    ...fieldsOf(row),
    payment_intent_id: id.startsWith("pi_") ? id : null,
    bank_order_id: isBankOrder(id) ? id : null,
    customer: row.email === null && row.customerName === null ? null : { email: row.email, name: row.customerName },
    items: viewItems(itemsIn(row.items)),
    payment_method: row.methodLabel,
    charged: major(row.charged),
    discount: row.paidAt === null ? 0 : major(row.discount),
    refunded: major(row.refunded),
    disputed: major(row.disputed),
    kept: major(row.charged - row.refunded - row.disputed),
    fee: inSettled(row.fee),
    net: inSettled(row.net),
  };
}

/** What a selection of orders comes to in a currency. */
export const orderSum = {
  orders: z.int(),
  charged: z.number(),
  refunded: z.number(),
  disputed: z.number(),
  kept: z.number(),
  discounts: z.number().describe("What customers were let off in paid orders"),
};
