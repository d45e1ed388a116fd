import { z } from "zod";
import { movementStatuses, movementTypes } from "../../ledger/movement.ts";

/** A money movement (interface, "Transaction"). */
export const transaction = z.object({
  id: z.string(),
  amount: z.number(),
  net_amount: z.number().nullable(),
  fee: z.number().nullable(),
  currency: z.string(),
  status: z.enum(movementStatuses),
  transaction_date: z.iso.datetime(),
  description: z.string().nullable(),
  environment: z.enum(["live", "test"]),
  type: z.enum(movementTypes).nullable(),
  is_subscription: z.boolean(),
  client_reference_id: z.string().nullable(),
  payment_intent_id: z.string().nullable(),
});
