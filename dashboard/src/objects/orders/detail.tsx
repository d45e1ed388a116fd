import { type ReactNode, useState } from "react";
import { audience } from "../../api/audience.ts";
import type { AnswerOf } from "../../api/paths.ts";
import { cameFrom } from "../../shared/address.ts";
import { Copied } from "../../shared/copy.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentText, MomentWithUtc } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card } from "../../shared/page.tsx";
import { PageLink } from "../../shared/page-link.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { customerTextIn, Summary } from "../../shared/summary.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { texts } from "../../texts/index.ts";
import { DisputesOfOrder } from "../disputes/of-order.tsx";
import { type Back, NotThere, ObjectPage } from "../object-page.tsx";
import { moneyRows } from "./money-rows.ts";

const { orders: words } = texts;
/** The lists that lead to an order: of both audiences, which have them at other places. */
const LISTS: readonly [Back, ...Back[]] = [
  { to: "/orders", label: words.title },
  { to: "/orders?tab=disputes", label: texts.disputes.title },
  { to: "/balance?tab=movements", label: texts.payments.title },
  { to: "/disputes", label: texts.disputes.title },
  { to: "/movements", label: texts.payments.title },
];

type Order = AnswerOf<"/partner/orders/{order}">;

interface OrderDetailProps {
  readonly actions: (environment: "live" | "test") => ReactNode;
  /** What only one audience has of an order. */
  readonly children: (order: string) => ReactNode;
}

/** One order: what became of it, its money, its story. */
export function OrderDetail({ actions, children }: OrderDetailProps) {
  const id = useIdInPath("order");
  const [back] = useState(() => cameFrom(LISTS));
  const { name, api, ownerFacts, useEnvironmentOf, useMay, History, Story } = audience();
  const sees = { bank: useMay("bank_payment"), products: useMay("products_view") };
  const { data: order, error, refetch } = api.useQuery("get", "/partner/orders/{order}", { params: { path: { order: id } } });
  useEnvironmentOf(order);
  if (order === undefined) return <NotThere title={id} back={back} error={error} retry={() => void refetch()} />;
  const shown = order.charged === 0 ? undefined : moneyText(order.charged, order.currency);
  return (
    <ObjectPage
      back={back}
      title={shown === undefined ? [texts.common.order, nameOf(order.customer)].filter(Boolean).join(" · ") : words.titleOf(shown)}
      state={order.status}
      id={id}
      what={words.id}
      actions={actions(order.environment)}
    >
      <Summary of={order.summary} customer={customerTextIn(order)} />
      <TableCard
        title={words.movements}
        rows={moneyRows(order)}
        none={{ title: words.noMovement }}
        keyOf={(row) => row.id}
        columns={[
          { header: texts.common.kind, cell: (row) => row.kind },
          { header: texts.common.status, from: "sm", cell: (row) => (row.status === null ? "" : <Status status={row.status} />) },
          { header: texts.common.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
          { header: texts.common.fee, align: "right", from: "sm", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
          { header: words.net, align: "right", from: "sm", cell: (row) => <Money amount={row.net} currency={row.currency} /> },
          { header: texts.common.date, from: "sm", cell: (row) => <MomentText at={row.date} /> },
        ]}
      />
      <DisputesOfOrder disputes={order.disputes} />
      <Card title={words.facts}>
        <Facts facts={[...ownerFacts(order), ...factsOf(order, sees)]} />
      </Card>
      {/* Operators write their notes about the bank's order. */}
      <History target={name === "operator" && order.bank_order_id !== null ? `bank/${order.bank_order_id}` : id} />
      <Story query={id} />
      {children(id)}
    </ObjectPage>
  );
}

/** An amount that is left out where there is none. */
const amountIn = (amount: number, currency: string, key: string) =>
  amount === 0 ? null : <Money key={key} amount={amount} currency={currency} />;

/** What a customer is called; null if that is not known. */
const nameOf = (customer: Order["customer"]): string | null => customer?.name ?? customer?.email ?? null;

/** The customer, with the way to all orders of the same address. */
function customerOf({ customer, environment }: Order) {
  if (nameOf(customer) === null) return null;
  const { name = null, email = null } = customer ?? {};
  return (
    <>
      {name}
      {name !== null && email !== null && " · "}
      {email !== null && <PageLink to={`/orders?email=${encodeURIComponent(email)}&env=${environment}`}>{email}</PageLink>}
    </>
  );
}

function factsOf(order: Order, sees: { readonly bank: boolean; readonly products: boolean }) {
  const { currency, settlement_currency: settled, client_reference_id: reference } = order;
  return [
    [order.paid_at === null ? texts.common.date : words.paidAt, <MomentWithUtc key="at" at={order.paid_at ?? order.created_at} />],
    [texts.common.reference, reference === null ? null : <Copied key="order" value={reference} what={texts.common.reference} />],
    [texts.common.customer, customerOf(order)],
    [
      words.items,
      order.items.length === 0
        ? null
        : order.items.map(({ product_id, name, quantity }) => (
            <div key={product_id}>
              {quantity} × {sees.products ? <ObjectLink id={product_id}>{name ?? product_id}</ObjectLink> : (name ?? product_id)}
            </div>
          )),
    ],
    [words.method, order.payment_method],
    [words.promotionCode, order.promotion_code],
    [texts.promotionCodes.off, amountIn(order.discount, currency, "discount")],
    [words.charged, <Money key="charged" amount={order.charged} currency={currency} />],
    [texts.sales.refunds, order.paid_at === null ? null : <Money key="refunded" amount={order.refunded} currency={currency} />],
    [texts.sales.disputes, amountIn(order.disputed, currency, "disputed")],
    [words.kept, <Money key="kept" amount={order.kept} currency={currency} strong />],
    [texts.common.fee, settled === null ? null : <Money key="fee" amount={order.fee} currency={settled} />],
    [words.net, settled === null ? null : <Money key="net" amount={order.net} currency={settled} />],
    [
      texts.links.one,
      order.payment_link_id === null || !sees.products ? order.payment_link_id : <ObjectLink key="link" id={order.payment_link_id} />,
    ],
    [
      words.rublePayment,
      order.bank_order_id === null || !sees.bank ? null : (
        <PageLink key="bank" to={`/ruble-payments/${order.bank_order_id}`}>
          {words.toRublePayment}
        </PageLink>
      ),
    ],
    [texts.subscriptions.one, order.subscription_id === null ? null : <ObjectLink key="subscription" id={order.subscription_id} />],
  ] as const;
}
