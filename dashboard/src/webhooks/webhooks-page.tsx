import { Anchor, Stack } from "@mantine/core";
import { api } from "../api/client.ts";
import type { RowOf } from "../api/paths.ts";
import { events } from "../objects/events/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Failure } from "../shared/failure.tsx";
import type { Filter } from "../shared/filters.tsx";
import { Page } from "../shared/page.tsx";
import { PageTabs } from "../shared/page-tabs.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { ChatCard } from "./chat-card.tsx";
import { EmailsCard } from "./emails-card.tsx";
import { EndpointCard } from "./endpoint-card.tsx";
import { AddWebhook } from "./further-form.tsx";
import { ResendChosen } from "./resend-chosen.tsx";

const { webhooks: words } = texts;

type Webhook = RowOf<"/partner/webhooks">;

/** What a person calls a destination of events. */
const nameOf = (own: readonly Webhook[], destination: string): string =>
  destination.endsWith(".chat")
    ? texts.chat.title
    : (own.find(({ webhook }) => webhook === destination)?.name ?? (destination.includes(".") ? destination : words.first));

const webhookFilter = (own: readonly Webhook[], environment: string): Filter => {
  const choices = [...new Set([environment, ...own.map(({ webhook }) => webhook), `${environment}.chat`])];
  return {
    kind: "choice",
    name: "webhook",
    label: words.endpoint,
    choices,
    // A list is of one webhook: of the first one, if none is named.
    fallback: environment,
    words: Object.fromEntries(choices.map((one) => [one, nameOf(own, one)])),
  };
};

/** The webhooks of an environment, and their deliveries. */
export function WebhooksPage() {
  const { environment } = useEnvironment();
  const { api: origin } = useSession();
  const webhooks = api.useQuery("get", "/partner/webhooks");
  const own = webhooks.data?.data.filter((one) => one.environment === environment) ?? [];
  const further = own.filter(({ name }) => name !== null);
  return (
    <Page
      title={words.title}
      about={
        <>
          {words.about}{" "}
          <Anchor href={`${origin}/docs/webhooks`} target="_blank" rel="noreferrer" size="sm" underline="always">
            {words.docs}
          </Anchor>
        </>
      }
    >
      {webhooks.data === undefined &&
        (webhooks.error ? <Failure thrown={webhooks.error} retry={() => void webhooks.refetch()} /> : <RowsSkeleton />)}
      {webhooks.data !== undefined && (
        <>
          <EndpointCard key={environment} environment={environment} endpoint={own.find(({ name }) => name === null) ?? null} />
          {further.map((endpoint) => (
            <EndpointCard key={endpoint.webhook} environment={environment} endpoint={endpoint} />
          ))}
          <AddWebhook key={environment} environment={environment} />
        </>
      )}
      <PageTabs
        tabs={[
          {
            name: "deliveries",
            label: words.deliveries,
            content: (
              <ObjectList
                key={environment}
                of={events}
                filters={[webhookFilter(own, environment)]}
                withChosen={(chosen, clear) => <ResendChosen deliveries={chosen} clear={clear} />}
              />
            ),
          },
          {
            name: "chat",
            label: texts.chat.tab,
            content: (
              <Stack gap="lg">
                <ChatCard />
                <EmailsCard />
              </Stack>
            ),
          },
        ]}
      />
    </Page>
  );
}
