import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { audience } from "../../api/audience.ts";
import type { AnswerOf } from "../../api/paths.ts";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card } from "../../shared/page.tsx";
import { Price } from "../../shared/price.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { customerTextIn, Summary } from "../../shared/summary.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { texts } from "../../texts/index.ts";
import { ownLocale } from "../../texts/own-language.ts";
import { createdBy } from "../created-by.tsx";
import { NotThere, ObjectPage } from "../object-page.tsx";
import { itemsText } from "../orders/items-text.ts";
import { FunnelCard } from "./funnel.tsx";
import { LinkAddress } from "./link-address.tsx";
import { Sold } from "./sold.tsx";

export type ShownLink = AnswerOf<"/partner/links/{link}">;

const { links: words } = texts;
const BACK = { to: "/links", label: words.title };

/** One payment link: its address with a QR code, what was paid through it, its facts and its story. */
export function LinkDetail({
  actions,
  limits,
  children,
}: {
  readonly actions: (link: ShownLink) => ReactNode;
  /** The form of what limits it. */
  readonly limits?: (link: ShownLink) => ReactNode;
  /** What only one audience has, below the money. */
  readonly children?: (link: ShownLink) => ReactNode;
}) {
  const link = useIdInPath("link");
  const { api, ownerFacts, useEnvironmentOf, History, Story } = audience();
  const { data, error, refetch } = api.useQuery("get", "/partner/links/{link}", { params: { path: { link } } });
  useEnvironmentOf(data);
  if (data === undefined) return <NotThere title={link} back={BACK} error={error} retry={() => void refetch()} />;
  return (
    <ObjectPage back={BACK} title={itemsText(data.items) || words.one} state={data.state} id={link} what={words.id} actions={actions(data)}>
      <Summary of={data.summary} customer={customerTextIn(data)} />
      <Card title={words.address}>
        {data.short_url === null ? <Text size="sm">{words.noShortUrl}</Text> : <LinkAddress shortUrl={data.short_url} />}
      </Card>
      {data.short_url !== null && <FunnelCard link={link} />}
      {limits?.(data)}
      {data.paid !== null && (
        <TableCard
          title={words.paid}
          rows={data.paid}
          none={{ title: words.nothingPaid }}
          keyOf={({ type, status, currency }) => `${type} ${status} ${currency}`}
          columns={[
            {
              header: texts.common.kind,
              cell: ({ type }) => (type === null ? texts.payments.unclassified : (texts.movement[type] ?? type)),
            },
            { header: texts.common.status, from: "sm", cell: ({ status }) => <Status status={status} /> },
            {
              header: words.timesPaid,
              align: "right",
              cell: ({ count }) => <span className="amount">{count.toLocaleString(ownLocale())}</span>,
            },
            {
              header: texts.common.amount,
              align: "right",
              cell: ({ amount, currency }) => <Money amount={amount} currency={currency} strong />,
            },
          ]}
        >
          {!data.is_complete && <Text size="sm">{words.incomplete}</Text>}
        </TableCard>
      )}
      {children?.(data)}
      <Card title={texts.orders.facts}>
        <Facts
          facts={[
            ...ownerFacts(data),
            [texts.products.price, <Price key="price" of={data} strong />],
            [words.sold, <Sold key="sold" sold={data.sold} />],
            [words.lastSold, data.last_sold_at === null ? null : <MomentWithUtc key="last" at={data.last_sold_at} />],
            [
              texts.products.title,
              data.items.map(({ product_id, name, quantity }) => (
                <div key={product_id}>
                  {quantity} × <ObjectLink id={product_id}>{name ?? product_id}</ObjectLink>
                </div>
              )),
            ],
            [words.madeFor, words.source[data.source]],
            [words.mode, words.modes[data.mode]],
            [texts.common.currency, data.currency],
            [words.created, <MomentWithUtc key="created" at={data.created_at} />],
            createdBy(data.holder),
            [words.closesAfter, data.completed_sessions === null ? null : words.payments(data.completed_sessions)],
            [words.closedAt, data.closed_at === null ? null : <MomentWithUtc key="closed" at={data.closed_at} />],
            [words.closesAt, data.closes_at === null ? null : <MomentWithUtc key="closes" at={data.closes_at} />],
            [words.disabledAt, data.disabled_at === null ? null : <MomentWithUtc key="disabled" at={data.disabled_at} />],
            [words.disabledBy, data.disabled_by === null ? null : words.holders[data.disabled_by]],
            [texts.common.reason, data.disabled_reason],
          ]}
        />
      </Card>
      <History target={link} />
      <Story query={link} />
    </ObjectPage>
  );
}
