import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Empty } from "../shared/empty.tsx";
import { Page } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { AuditTab } from "./audit-tab.tsx";
import { PeopleTab } from "./people-tab.tsx";
import { SessionsTab } from "./sessions-tab.tsx";

const route = getRouteApi("/shell/team");
const { team: words } = texts;
const TABS = ["people", "sessions", "audit"] as const;

/** People, open sessions and the audit log, for owners. */
export function TeamPage() {
  const { tab } = route.useSearch();
  const isOwner = useMay("owner");
  const navigate = useNavigate();
  const shown = TABS.find((name) => name === tab) ?? "people";
  return (
    <Page title={words.title} about={words.about}>
      {!isOwner && <Empty title={words.onlyOwners} next={words.askOwner} />}
      {isOwner && (
        <Tabs value={shown} onChange={(next) => void navigate({ to: "/team", search: { tab: next ?? "people" } })} keepMounted={false}>
          <Tabs.List mb="lg">
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {words.tabs[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="people">
            <PeopleTab />
          </Tabs.Panel>
          <Tabs.Panel value="sessions">
            <SessionsTab />
          </Tabs.Panel>
          <Tabs.Panel value="audit">
            <AuditTab />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
