import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Page } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { AgentsTab } from "./agents-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { RequestsTab } from "./requests-tab.tsx";
import { SamplesTab } from "./samples-tab.tsx";

const route = getRouteApi("/shell/developers");
const { developers: words } = texts;

/** Requests and why they were refused, keys, agents, and samples. */
export function DevelopersPage() {
  const { tab } = route.useSearch();
  const isOwner = useMay("owner");
  const navigate = useNavigate();
  const tabs = [
    ["requests", words.requests, <RequestsTab key="requests" />],
    ...(isOwner
      ? ([
          ["keys", words.keys, <KeysTab key="keys" />],
          ["agents", words.agents, <AgentsTab key="agents" />],
        ] as const)
      : []),
    ["samples", words.samples, <SamplesTab key="samples" />],
  ] as const;
  const shown = tabs.find(([name]) => name === tab) ?? tabs[0];
  return (
    <Page title={words.title} about={isOwner ? words.about : words.aboutOthers}>
      <Tabs
        value={shown[0]}
        onChange={(next) => void navigate({ to: "/developers", search: { tab: next ?? "requests" } })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([name, , content]) => (
          <Tabs.Panel key={name} value={name}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
