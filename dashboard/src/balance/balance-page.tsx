import { Stack, Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { movements } from "../objects/movements/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";
import { Balances } from "./balances.tsx";
import { Payouts } from "./payouts.tsx";
import { Statements } from "./statements.tsx";

const route = getRouteApi("/shell/balance");
const { balance: words } = texts;
const TABS = ["overview", "movements", "payouts"] as const;

/** What a partner has, what was paid out, and every movement of money. */
export function BalancePage() {
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  const shown = TABS.find((name) => name === tab) ?? "overview";
  return (
    <Page title={words.title} about={words.about}>
      <Tabs value={shown} onChange={(next) => void navigate({ to: "/balance", search: { tab: next ?? "overview" } })} keepMounted={false}>
        <Tabs.List mb="lg">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Stack gap="lg">
            <Balances />
            <Statements />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="movements">
          <ObjectList of={movements} />
        </Tabs.Panel>
        <Tabs.Panel value="payouts">
          <Payouts />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
