import type { paths } from "../api/schema.d.ts";

export type PaymentsQuery = NonNullable<paths["/partner/payments"]["get"]["parameters"]["query"]>;
export type Movement = paths["/partner/payments"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

/** The address of a movement's payment; null for a movement without one. */
export const paymentPageOf = ({ payment_intent_id: id }: Movement): string | null => (id === null ? null : `/payments/${id}`);
