import { z } from "zod";
import { movementStatuses, movementTypes } from "../../ledger/movement.ts";

/** A money movement (interface, "Transaction"). */
export const transaction = z.object({
  id: z.string().describe("processor:txn_…; never changes, so you can tell doubles apart by it"),
  amount: z.number().describe("In major units: 19.5 is 19.50. Income is positive, a refund or dispute negative"),
  net_amount: z.number().nullable().describe("The amount minus the processor's fee; null until it is known"),
  fee: z.number().nullable().describe("The processor's fee; null until it is known"),
  currency: z.string().describe("ISO 4217, upper case: what was settled in"),
  status: z.enum(movementStatuses),
  transaction_date: z.iso.datetime(),
  description: z.string().nullable(),
  environment: z.enum(["live", "test"]),
  type: z.enum(movementTypes).nullable().describe("Null where it could not be classified"),
  is_subscription: z.boolean(),
  client_reference_id: z.string().nullable().describe("Your order reference from the checkout; null for renewals and invoices"),
  payment_intent_id: z.string().nullable().describe("pi_…; null for a movement of no payment"),
});

/** A payment as it is shown everywhere. */
export const paymentExample = {
  id: "processor:txn_3PqLk2",
  amount: 77,
  net_amount: 74.47,
  fee: 2.53,
  currency: "USD",
  status: "completed",
  transaction_date: "2026-11-20T08:29:58.000Z",
  description: null,
  environment: "live",
  type: "processor_payment_in",
  is_subscription: false,
  client_reference_id: "order-2041",
  payment_intent_id: "pi_3PqLk2",
} as const satisfies z.infer<typeof transaction>;
