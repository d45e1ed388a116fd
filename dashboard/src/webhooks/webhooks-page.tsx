import { Tabs } from "@mantine/core";
import { api } from "../api/client.ts";
import { events } from "../objects/events/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Failure } from "../shared/failure.tsx";
import { Page } from "../shared/page.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ChatCard } from "./chat-card.tsx";
import { EndpointCard } from "./endpoint-card.tsx";

const { webhooks: words } = texts;

/** The webhook of an environment, and its deliveries. */
export function WebhooksPage() {
  const { environment } = useEnvironment();
  const webhooks = api.useQuery("get", "/partner/webhooks");
  return (
    <Page title={words.title} about={words.about}>
      {webhooks.data === undefined &&
        (webhooks.error ? <Failure thrown={webhooks.error} retry={() => void webhooks.refetch()} /> : <RowsSkeleton />)}
      {webhooks.data !== undefined && (
        <EndpointCard
          key={environment}
          environment={environment}
          endpoint={webhooks.data.data.find((one) => one.environment === environment) ?? null}
        />
      )}
      <Tabs defaultValue="deliveries" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="deliveries">{words.deliveries}</Tabs.Tab>
          <Tabs.Tab value="chat">{texts.chat.title}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <ObjectList of={events} />
        </Tabs.Panel>
        <Tabs.Panel value="chat">
          <ChatCard />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
