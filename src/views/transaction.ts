import * as z from "zod";
import { isoTime } from "../core/clock.ts";
import { type Environment, environmentSchema } from "../core/environment.ts";
import { toMajorUnits } from "../core/money.ts";
import { movementStatuses, movementTypes } from "../core/movements.ts";

/** A money movement for partners, in operations 5 and 6 and in events (interface P.1, P.2, P.6, P.7). */
export const transactionSchema = z.object({
  id: z
    .string()
    .describe(
      "processor:txn_…; never changes, so you can recognise duplicates by it. processor:re_… in the event of a refund that was never booked",
    ),
  amount: z.number().describe("In major units: 19.5 is 19.50. Income is positive, a refund or dispute negative"),
  net_amount: z.number().nullable().describe("The amount minus the processor's fee; null until it is known"),
  fee: z.number().nullable().describe("The processor's fee; null until it is known"),
  currency: z.string().describe("ISO 4217, upper case: the settlement currency"),
  status: z.enum(movementStatuses),
  transaction_date: z.iso.datetime(),
  description: z.string().nullable(),
  environment: environmentSchema,
  type: z.enum(movementTypes).nullable().describe("Null if it could not be classified"),
  is_subscription: z.boolean(),
  client_reference_id: z.string().nullable().describe("Your order reference from the checkout; null for renewals and invoices"),
  payment_intent_id: z.string().nullable().describe("pi_…; null for a movement without a payment"),
  payment_link_id: z
    .string()
    .nullable()
    .describe("plink_…: the link that was paid; for refunds, disputes and renewals, the link of their payment or subscription"),
  subscription_id: z.string().nullable().describe("sub_…; null for a one-time payment"),
  charged_amount: z
    .number()
    .nullable()
    .describe("What the customer was charged, in major units and signed as `amount`, before conversion; null if unknown"),
  charged_currency: z.string().nullable().describe("ISO 4217, upper case: the currency of the link"),
});

export type Transaction = z.infer<typeof transactionSchema>;

/** The input of the view. Amounts in minor units of `currency`, signed; the date in Unix milliseconds. */
export interface TransactionSource {
  readonly id: string;
  readonly amount: number;
  readonly net: number | null;
  readonly fee: number | null;
  readonly currency: string;
  readonly status: Transaction["status"];
  readonly transactionDate: number;
  readonly description: string | null;
  readonly environment: Environment;
  readonly type: Transaction["type"];
  readonly isSubscription: boolean;
  readonly clientReferenceId: string | null;
  readonly paymentIntentId: string | null;
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  /** In minor units of `chargedCurrency`. */
  readonly chargedAmount: number | null;
  readonly chargedCurrency: string | null;
}

/** The movement with its amounts in major units. */
export function viewTransaction(movement: TransactionSource): Transaction {
  const { amount, net, fee, currency, chargedAmount, chargedCurrency } = movement;
  return {
    id: movement.id,
    amount: toMajorUnits(amount, currency),
    net_amount: net === null ? null : toMajorUnits(net, currency),
    fee: fee === null ? null : toMajorUnits(fee, currency),
    currency,
    status: movement.status,
    transaction_date: isoTime(movement.transactionDate),
    description: movement.description,
    environment: movement.environment,
    type: movement.type,
    is_subscription: movement.isSubscription,
    client_reference_id: movement.clientReferenceId,
    payment_intent_id: movement.paymentIntentId,
    payment_link_id: movement.paymentLinkId,
    subscription_id: movement.subscriptionId,
    charged_amount: chargedAmount === null || chargedCurrency === null ? null : toMajorUnits(chargedAmount, chargedCurrency),
    charged_currency: chargedCurrency,
  };
}

/** The payment of all examples. */
export const exampleMovement: TransactionSource & { readonly sourceId: string } = {
  id: "processor:txn_3PqLk2",
  amount: 7700,
  net: 7447,
  fee: 253,
  currency: "USD",
  status: "completed",
  transactionDate: Date.UTC(2026, 10, 20, 8, 29, 58),
  description: null,
  environment: "live",
  type: "processor_payment_in",
  isSubscription: false,
  clientReferenceId: "order-2041",
  paymentIntentId: "pi_3PqLk2",
  paymentLinkId: "plink_1NoPq5",
  subscriptionId: null,
  chargedAmount: 7700,
  chargedCurrency: "USD",
  sourceId: "ch_3PqLk2",
};

export const paymentExample: Transaction = viewTransaction(exampleMovement);
