import { Anchor } from "@mantine/core";
import type { RowOf } from "../../api/paths.ts";
import { Copied } from "../../shared/copy.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { texts } from "../../texts/index.ts";
import { createdBy } from "../created-by.tsx";

const { rublePayments: words } = texts;

type Payment = RowOf<"/partner/bank-payments">;
type Receipt = Payment["receipts"][number];

/** What both audiences see of a ruble payment. */
export function rubleFacts(payment: Payment) {
  return [
    [words.order, payment.external_order_id === null ? null : <Copied key="order" value={payment.external_order_id} what={words.order} />],
    [words.id, <Copied key="id" value={String(payment.payment_id)} what={words.id} />],
    [words.created, <MomentWithUtc key="created" at={payment.created_at} />],
    createdBy(payment.holder),
    [words.paid, payment.paid_at === null ? null : <MomentWithUtc key="paid" at={payment.paid_at} />],
    [words.money, <ObjectLink key="money" id={payment.order_id} />],
    [words.receipts.payment, receiptsIn(payment, "payment")],
    [words.receipts.refund, receiptsIn(payment, "refund")],
  ] as const;
}

/** The fiscal receipts of one kind, each a line; null before the first. */
function receiptsIn({ receipts }: Payment, type: Receipt["type"]) {
  const own = receipts.filter((receipt) => receipt.type === type);
  return own.length === 0 ? null : own.map((receipt) => <ReceiptLine key={receipt.fiscal_document_number} receipt={receipt} />);
}

/** A receipt with its number, its amount and its time. The address is the register's: it is followed only if it is a web address. */
function ReceiptLine({ receipt: { fiscal_document_number: number, amount_rub, registered_at, url } }: { readonly receipt: Receipt }) {
  const name = words.receipts.number(number);
  return (
    <div>
      {url?.startsWith("https://") === true ? (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
          {name}
        </Anchor>
      ) : (
        name
      )}{" "}
      {amount_rub !== null && <Money amount={amount_rub} currency="RUB" />} {registered_at !== null && <MomentWithUtc at={registered_at} />}
    </div>
  );
}
