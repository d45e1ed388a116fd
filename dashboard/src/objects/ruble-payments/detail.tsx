import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { audience } from "../../api/audience.ts";
import type { RowOf } from "../../api/paths.ts";
import { Copied } from "../../shared/copy.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card } from "../../shared/page.tsx";
import { texts } from "../../texts/index.ts";
import { createdBy } from "../created-by.tsx";
import { ObjectPage } from "../object-page.tsx";

const { rublePayments: words } = texts;

/** The list that a ruble payment belongs to. */
export const RUBLE_PAYMENTS = { to: "/ruble-payments", label: words.title };

type Payment = RowOf<"/partner/bank-payments">;
type Receipt = Payment["receipts"][number];

interface RubleDetailProps {
  readonly payment: Payment;
  readonly actions?: ReactNode;
  /** What only one audience has: further facts, and cards above and below the facts. */
  readonly facts?: readonly (readonly [name: string, value: ReactNode])[];
  readonly above?: ReactNode;
  readonly children?: ReactNode;
}

/** One ruble payment: its status, its facts with its receipts, and its story. */
export function RubleDetail({ payment, actions, facts = [], above, children }: RubleDetailProps) {
  const { name, ownerFacts, useMay, History, Story } = audience();
  const seesMoney = useMay("balance_view");
  return (
    <ObjectPage
      back={RUBLE_PAYMENTS}
      title={moneyText(payment.amount_rub, "RUB")}
      state={payment.status}
      id={payment.order_id}
      what={texts.orders.id}
      actions={actions}
    >
      {above}
      <Card title={texts.orders.facts}>
        <Facts facts={[...ownerFacts(payment), ...factsOf(payment), ...(seesMoney ? [moneyOf(payment)] : []), ...facts]} />
      </Card>
      {children}
      {/* Operators write their notes about the bank's order. */}
      <History target={name === "partner" ? payment.order_id : `bank/${payment.order_id}`} />
      <Story query={payment.order_id} />
    </ObjectPage>
  );
}

/** The order with the payment's money. */
const moneyOf = ({ order_id }: Payment) =>
  [
    words.money,
    <ObjectLink key="money" id={order_id}>
      {texts.common.order}
    </ObjectLink>,
  ] as const;

/** What both audiences see of a ruble payment. */
function factsOf(payment: Payment) {
  return [
    [
      texts.common.reference,
      payment.external_order_id === null ? null : <Copied key="order" value={payment.external_order_id} what={texts.common.reference} />,
    ],
    [words.id, <Copied key="id" value={String(payment.payment_id)} what={words.id} />],
    [words.created, <MomentWithUtc key="created" at={payment.created_at} />],
    createdBy(payment.holder),
    [texts.orders.paidAt, payment.paid_at === null ? null : <MomentWithUtc key="paid" at={payment.paid_at} />],
    [words.receipts.payment, receiptsIn(payment, "payment") ?? (payment.paid_at === null ? null : words.receipts.none)],
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
