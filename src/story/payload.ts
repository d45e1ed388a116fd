import * as z from "zod";

/** The fields of an event's payload that name its subject. */
export const payloadSchema = z.object({
  transaction: z.object({ payment_intent_id: z.string().nullish() }).optional(),
  subscription: z.object({ id: z.string(), status: z.string() }).optional(),
  // Of the deadline of a dispute.
  payment_intent_id: z.string().nullish(),
  checkout: z.object({ payment_link_id: z.string().nullish(), session_id: z.string().nullish() }).optional(),
  Payment: z.object({ OrderId: z.string() }).optional(),
});
