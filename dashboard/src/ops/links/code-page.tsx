import { Group } from "@mantine/core";
import { Copied } from "../../shared/copy.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { useIdInPath } from "../shared/address.ts";
import { Notes } from "../shared/notes.tsx";
import { ObjectFailure } from "../shared/object-failure.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { codes: own } = words;

const BACK = { to: "/promotion-codes", label: words.navigation.codes };

/** One promotion code, with the one thing that can be done about it. */
export function CodePage() {
  const code = useIdInPath("code");
  const { data, error, refetch } = api.useQuery("get", "/ops/promotion-codes/{code}", { params: { path: { code } } });
  if (data === undefined) return <ObjectFailure title={code} back={BACK} error={error} retry={() => void refetch()} />;
  const isActive = data.state === "active";
  return (
    <Page
      back={BACK}
      title={own.title(data.code)}
      about={
        <Group gap="xs">
          <Status status={data.state} />
          <Copied value={code} what={own.code} />
        </Group>
      }
      actions={isActive && <Action call="promotion-codes deactivate" given={{ code }} label={own.deactivate} color="red" />}
    >
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [words.lists.partner, <PartnerLink key="partner" id={data.partner_id} />],
            [words.lists.environment, texts.environment[data.environment]],
            [own.off, `${data.percent_off} %`],
            [own.duration, data.duration_in_months === null ? data.duration : `${data.duration_in_months} months`],
            [own.redemptions, data.max_redemptions?.toLocaleString() ?? null],
            [own.expires, data.expires_at === null ? own.never : <MomentWithUtc key="expires" at={data.expires_at} />],
            [words.links.products, data.product_ids.length === 0 ? null : data.product_ids.join(", ")],
            [words.lists.made, <MomentWithUtc key="made" at={data.created_at} />],
            [own.deactivated, data.deactivated_at === null ? null : <MomentWithUtc key="deactivated" at={data.deactivated_at} />],
          ]}
        />
      </Card>
      <Notes target={code} />
      <StoryCard query={code} />
    </Page>
  );
}
