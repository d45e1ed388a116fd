import type { RowOf } from "../../api/paths.ts";
import { texts } from "../../texts/index.ts";

export type Movement = RowOf<"/partner/payments">;

/** The address of a movement's payment; null for a movement without one. */
export const paymentPageOf = ({ payment_intent_id: id }: Pick<Movement, "payment_intent_id">): string | null =>
  id === null ? null : `/orders/${id}`;

/** The kind of a movement, in words. */
export const kindOf = ({ type }: Pick<Movement, "type">): string =>
  type === null ? texts.payments.unclassified : (texts.movement[type] ?? type);
