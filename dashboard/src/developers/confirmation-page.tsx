import { Alert, Group, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { audience } from "../api/audience.ts";
import { api, client } from "../api/client.ts";
import type { AnswerOf } from "../api/paths.ts";
import { titleOfPreview, warningText } from "../objects/confirmations/words.ts";
import { NotThere, ObjectPage } from "../objects/object-page.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { Facts } from "../shared/facts.tsx";
import { MomentText, MomentWithUtc } from "../shared/moment.tsx";
import { Money } from "../shared/money.tsx";
import { Card } from "../shared/page.tsx";
import { Price } from "../shared/price.tsx";
import { useIdInPath } from "../shared/search-texts.ts";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { ownLocale } from "../texts/own-language.ts";

type Shown = AnswerOf<"/partner/confirmations/{confirmation}">;

const { confirmations: words, promotionCodes } = texts;
const BACK = { to: "/developers?tab=confirmations", label: words.title };

/** What an agent asks a person for: what it would make, for how much, and the two answers. An agent gives its person this address. */
export function ConfirmationPage() {
  const confirmation = useIdInPath("confirmation");
  const { data, error, refetch } = api.useQuery("get", "/partner/confirmations/{confirmation}", { params: { path: { confirmation } } });
  const { permissions } = useSession();
  // The Worker names the right; the pages know no list of them.
  const mayDecide = permissions.some((right) => right === data?.permission);
  const [environment, another] = data?.would_make.environments ?? [];
  audience().useEnvironmentOf(environment === undefined || another !== undefined ? undefined : { environment });
  if (data === undefined) return <NotThere title={confirmation} back={BACK} error={error} retry={() => void refetch()} />;
  const { would_make: made } = data;
  return (
    <ObjectPage back={BACK} title={titleOfPreview(made)} state={data.state} id={confirmation} what={words.id}>
      <Text size="lg" role="status">
        {data.state === "expired" && data.decided_at !== null ? words.confirmedNotSeen : words.next[data.state]}
      </Text>
      {made.warnings.length > 0 && (
        <Alert color="orange" icon={<AlertIcon size={18} aria-hidden />}>
          <Stack gap={4}>
            {made.warnings.map((warning) => (
              <div key={`${warning.code} ${warning.about}`}>{warningText(warning)}</div>
            ))}
          </Stack>
        </Alert>
      )}
      <Card title={words.makes}>
        <Stack>
          <Facts facts={[...factsOf(made), ...momentsOf(data)]} />
          {made.items.length > 0 && <Items made={made} />}
        </Stack>
      </Card>
      {mayDecide && (data.state === "pending" || (data.state === "approved" && data.begun_at === null)) && (
        <Answers confirmation={confirmation} isApproved={data.state === "approved"} />
      )}
    </ObjectPage>
  );
}

const named = (environment: "live" | "test") => texts.environment[environment];
const moment = (at: string | null) => at && <MomentText at={at} />;

function factsOf({ environments, price, discount, webhooks, checkout }: Shown["would_make"]) {
  return [
    [words.environments, environments.map(named).join(", ")],
    [texts.common.amount, price && <Price key="price" of={{ ...price, amount: price.major_amount }} strong />],
    [promotionCodes.code, discount?.code],
    [promotionCodes.off, discount && `${discount.percent_off} %`],
    [promotionCodes.duration, discount && promotionCodes.durationOf(discount.duration, discount.duration_in_months)],
    [promotionCodes.redemptions, discount && (discount.max_redemptions?.toLocaleString(ownLocale()) ?? promotionCodes.unlimited)],
    [
      texts.common.expires,
      discount && (discount.expires_at === null ? texts.common.never : <MomentWithUtc key="end" at={discount.expires_at} />),
    ],
    [texts.products.title, discount?.product_ids.join(", ")],
    ...webhooks.map(({ environment, url }) => [words.events(named(environment)), <Address key={url} url={url} />] as const),
    [words.methods, checkout === null || checkout.payment_method_types.length === 0 ? null : checkout.payment_method_types.join(", ")],
    [texts.promotionCodes.title, checkout?.allow_promotion_codes === true ? words.codesMay : null],
    [words.success, checkout?.success_url && <Address key="success" url={checkout.success_url} />],
    [words.fail, checkout?.fail_url && <Address key="fail" url={checkout.fail_url} />],
    [texts.common.reference, checkout?.order_reference],
    [texts.status.trialing ?? "", price === null || price.trial_days === 0 ? null : words.trial(price.trial_days)],
  ] as const;
}

/** An address as a text: it is looked at, and not followed. */
const Address = ({ url }: { readonly url: string }) => <span className="id">{url}</span>;

function momentsOf({ client_name, state, requested_at, expires_at, decided_at, done_at }: Shown) {
  return [
    [texts.agents.name, client_name],
    [words.asked, moment(requested_at)],
    [state === "approved" ? words.carryOutUntil : words.until, state === "pending" || state === "approved" ? moment(expires_at) : null],
    [words.decided, moment(decided_at)],
    [words.done, moment(done_at)],
  ] as const;
}

const Items = ({ made: { items, price } }: { readonly made: Shown["would_make"] }) => (
  <DataTable
    label={words.makes}
    rows={items}
    keyOf={(row) => row.product_id}
    columns={[
      { header: texts.common.name, cell: (row) => row.name },
      { header: texts.links.quantity, align: "right", cell: (row) => row.quantity.toLocaleString(ownLocale()) },
      { header: texts.common.amount, align: "right", cell: (row) => <Money amount={row.major_amount} currency={price?.currency ?? ""} /> },
    ]}
  />
);

function Answers({ confirmation, isApproved }: { readonly confirmation: string; readonly isApproved: boolean }) {
  const decide = (verb: "approve" | "refuse") => () =>
    client.POST(`/partner/confirmations/{confirmation}/${verb}`, { params: { path: { confirmation } } });
  const refusal = isApproved
    ? { label: words.takeBack, title: words.takeBackTitle, consequence: words.takeBackWhat }
    : { label: words.refuse, title: words.refuseTitle, consequence: words.refuseWhat };
  return (
    <Group>
      {!isApproved && (
        <Confirm
          size="md"
          variant="filled"
          label={words.approve}
          title={words.approveTitle}
          consequence={words.approveWhat}
          act={decide("approve")}
        />
      )}
      <Confirm size="md" color="red" {...refusal} act={decide("refuse")} />
    </Group>
  );
}
