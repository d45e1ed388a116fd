import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { audience } from "../../api/audience.ts";
import type { AnswerOf } from "../../api/paths.ts";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { momentText } from "../../shared/moment-text.ts";
import { Money } from "../../shared/money.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card } from "../../shared/page.tsx";
import { Price } from "../../shared/price.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { customerTextIn, Summary } from "../../shared/summary.tsx";
import { texts } from "../../texts/index.ts";
import { ObjectList } from "../object-list.tsx";
import { NotThere, ObjectPage } from "../object-page.tsx";
import { itemsText } from "../orders/items-text.ts";
import { orders } from "../orders/list.tsx";
import { type Changed, shownState } from "./shown-state.ts";

export type Subscription = AnswerOf<"/partner/subscriptions/{subscription}">;

const { subscriptions: words } = texts;
const BACK = { to: "/subscriptions", label: words.title };

const moment = (at: string | null) => (at === null ? null : <MomentWithUtc at={at} />);

interface SubscriptionDetailProps {
  readonly actions: (of: {
    readonly subscription: Subscription;
    readonly isEnding: boolean;
    readonly onChanged: (changed: Changed) => void;
  }) => ReactNode;
}

/** One subscription: its state, its facts and its story. */
export function SubscriptionDetail({ actions }: SubscriptionDetailProps) {
  const subscription = useIdInPath("subscription");
  const { api, ownerFacts, useEnvironmentOf, useMay, History, Story } = audience();
  const seesLinks = useMay("products_view");
  const { data, error, refetch } = api.useQuery("get", "/partner/subscriptions/{subscription}", { params: { path: { subscription } } });
  const [changed, setChanged] = useState<Changed | null>(null);
  useEnvironmentOf(data);
  if (data === undefined) return <NotThere title={subscription} back={BACK} error={error} retry={() => void refetch()} />;
  const { state, isEnding, endsAt, isNews } = shownState(data, changed);
  return (
    <ObjectPage
      back={BACK}
      title={words.one}
      state={state}
      id={subscription}
      what={words.id}
      actions={actions({ subscription: data, isEnding, onChanged: setChanged })}
    >
      {!isNews && <Summary of={data.summary} customer={customerTextIn(data)} />}
      {isNews && (
        <Text size="sm" role="status">
          {isEnding
            ? words.willEnd(endsAt && momentText(endsAt))
            : words.willGoOn(data.current_period_end && momentText(data.current_period_end))}
        </Text>
      )}
      <Card title={texts.orders.facts}>
        <Facts
          facts={[
            ...ownerFacts(data),
            [texts.common.what, itemsText(data.items) || null],
            [texts.common.amount, data.amount === null ? null : <Price key="amount" of={data} strong />],
            [texts.common.customer, data.customer === null ? null : [data.customer.name, data.customer.email].filter(Boolean).join(" · ")],
            [words.next, moment(data.next_charge_at)],
            [
              words.paidSoFar,
              data.paid.orders === 0 ? null : (
                <>
                  <Money key="paid" amount={data.paid.kept} currency={data.currency ?? ""} /> · {words.periods(data.paid.orders)}
                </>
              ),
            ],
            [words.began, moment(data.started_at)],
            [words.periodEnd, moment(data.current_period_end)],
            [words.endsAt, moment(endsAt)],
            [words.endedAt, moment(data.ended_at)],
            [words.collection, data.collection_paused ? words.paused : null],
            [texts.common.reference, data.client_reference_id],
            [
              texts.links.one,
              data.payment_link_id === null || !seesLinks ? data.payment_link_id : <ObjectLink key="link" id={data.payment_link_id} />,
            ],
            [words.seen, moment(data.updated_at)],
          ]}
        />
      </Card>
      <Card title={words.orders}>
        <ObjectList of={orders} only={{ subscription, environment: data.environment }} size={20} />
      </Card>
      <History target={subscription} />
      <Story query={subscription} />
    </ObjectPage>
  );
}
