import { Stack, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { Failure } from "../shared/failure.tsx";
import type { Filter } from "../shared/filters.tsx";
import { Page } from "../shared/page.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ChatCard } from "./chat-card.tsx";
import { ChosenDeliveries } from "./chosen-deliveries.tsx";
import { EmailsCard } from "./emails-card.tsx";
import { EndpointCard } from "./endpoint-card.tsx";
import { AddWebhook } from "./further-form.tsx";

const route = getRouteApi("/shell/webhooks");
const { webhooks: words } = texts;

const webhookFilter = (choices: readonly string[]): Filter => ({ kind: "choice", name: "webhook", label: words.endpoint, choices });

/** The webhooks of an environment, and their deliveries. */
export function WebhooksPage() {
  const { environment } = useEnvironment();
  const { tab } = route.useSearch();
  const webhooks = api.useQuery("get", "/partner/webhooks");
  const own = webhooks.data?.data.filter((one) => one.environment === environment) ?? [];
  const further = own.filter(({ name }) => name !== null);
  return (
    <Page title={words.title} about={words.about}>
      {webhooks.data === undefined &&
        (webhooks.error ? <Failure thrown={webhooks.error} retry={() => void webhooks.refetch()} /> : <RowsSkeleton />)}
      {webhooks.data !== undefined && (
        <>
          <EndpointCard key={environment} environment={environment} endpoint={own.find(({ name }) => name === null) ?? null} />
          {further.map((endpoint) => (
            <EndpointCard key={endpoint.webhook} environment={environment} endpoint={endpoint} />
          ))}
          <AddWebhook environment={environment} />
        </>
      )}
      <Tabs defaultValue={tab === "chat" ? "chat" : "deliveries"} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="deliveries">{words.deliveries}</Tabs.Tab>
          <Tabs.Tab value="chat">{texts.chat.tab}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <ChosenDeliveries filters={[webhookFilter([...own.map(({ webhook }) => webhook), `${environment}.chat`])]} />
        </Tabs.Panel>
        <Tabs.Panel value="chat">
          <Stack gap="lg">
            <ChatCard />
            <EmailsCard />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
