import { Stack } from "@mantine/core";
import { movements } from "../objects/movements/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Page } from "../shared/page.tsx";
import { PageTabs } from "../shared/page-tabs.tsx";
import { texts } from "../texts/index.ts";
import { Balances } from "./balances.tsx";
import { Payouts } from "./payouts.tsx";
import { Statements } from "./statements.tsx";

const { balance: words } = texts;

/** What a partner has, what was paid out, and every movement of money. */
export const BalancePage = () => (
  <Page title={words.title} about={words.about}>
    <PageTabs
      tabs={[
        {
          name: "overview",
          label: words.tabs.overview,
          content: (
            <Stack gap="lg">
              <Balances />
              <Statements />
            </Stack>
          ),
        },
        { name: "movements", label: words.tabs.movements, content: <ObjectList of={movements} /> },
        { name: "payouts", label: words.tabs.payouts, content: <Payouts /> },
      ]}
    />
  </Page>
);
