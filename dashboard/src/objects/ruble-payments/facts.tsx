import type { RowOf } from "../../api/paths.ts";
import { Copied } from "../../shared/copy.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { texts } from "../../texts/index.ts";

const { rublePayments: words } = texts;

/** What both audiences see of a ruble payment. */
export function rubleFacts(payment: RowOf<"/partner/bank-payments">) {
  return [
    [words.order, payment.external_order_id === null ? null : <Copied key="order" value={payment.external_order_id} what={words.order} />],
    [words.id, <Copied key="id" value={String(payment.payment_id)} what={words.id} />],
    [words.created, <MomentWithUtc key="created" at={payment.created_at} />],
    [words.paid, payment.paid_at === null ? null : <MomentWithUtc key="paid" at={payment.paid_at} />],
  ] as const;
}
