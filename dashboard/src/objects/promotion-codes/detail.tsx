import type { ReactNode } from "react";
import { audience } from "../../api/audience.ts";
import type { AnswerOf } from "../../api/paths.ts";
import { Copied } from "../../shared/copy.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card } from "../../shared/page.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { customerTextIn, Summary } from "../../shared/summary.tsx";
import { texts } from "../../texts/index.ts";
import { ownLocale } from "../../texts/own-language.ts";
import { createdBy } from "../created-by.tsx";
import { NotThere, ObjectPage } from "../object-page.tsx";

export type ShownCode = AnswerOf<"/partner/promotion-codes/{code}">;

const { promotionCodes: words } = texts;
const BACK = { to: "/promotion-codes", label: words.title };

interface CodeDetailProps {
  readonly actions: (code: ShownCode) => ReactNode;
  readonly children?: (code: ShownCode) => ReactNode;
}

/** One promotion code: what it takes off, and until when. */
export function CodeDetail({ actions, children }: CodeDetailProps) {
  const code = useIdInPath("code");
  const { api, ownerFacts, useEnvironmentOf, History } = audience();
  const { data, error, refetch } = api.useQuery("get", "/partner/promotion-codes/{code}", { params: { path: { code } } });
  useEnvironmentOf(data);
  if (data === undefined) return <NotThere title={code} back={BACK} error={error} retry={() => void refetch()} />;
  return (
    <ObjectPage back={BACK} title={words.titleOf(data.code)} state={data.state} id={code} what={words.id} actions={actions(data)}>
      <Summary of={data.summary} customer={customerTextIn(data)} />
      <Card title={texts.orders.facts}>
        <Facts
          facts={[
            ...ownerFacts(data),
            [words.code, <Copied key="code" value={data.code} what={words.code} />],
            [words.off, `${data.percent_off} %`],
            [words.duration, words.durationOf(data.duration, data.duration_in_months)],
            [
              texts.products.title,
              data.product_ids.map((id, index) => (
                <div key={id}>
                  <ObjectLink id={id}>{data.products[index] ?? id}</ObjectLink>
                </div>
              )),
            ],
            createdBy(data.holder),
            [words.redemptions, data.max_redemptions?.toLocaleString(ownLocale()) ?? words.unlimited],
            [texts.common.expires, data.expires_at === null ? texts.common.never : <MomentWithUtc key="expires" at={data.expires_at} />],
            [texts.links.created, <MomentWithUtc key="created" at={data.created_at} />],
            [words.stopped, data.deactivated_at === null ? null : <MomentWithUtc key="stopped" at={data.deactivated_at} />],
            [texts.common.reason, data.deactivated_reason],
          ]}
        />
      </Card>
      <History target={code} />
      {children?.(data)}
    </ObjectPage>
  );
}
