import { Page } from "../shared/page.tsx";
import { type PageTab, PageTabs } from "../shared/page-tabs.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { AgentsTab } from "./agents-tab.tsx";
import { ConfirmationsTab } from "./confirmations-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { RequestsTab } from "./requests-tab.tsx";
import { SamplesTab } from "./samples-tab.tsx";

const { developers: words } = texts;

/** Requests and why they were refused, keys, agents, and samples. */
export function DevelopersPage() {
  const isOwner = useMay("owner");
  const seesConfirmations = useMay("products_view");
  const ofOwners: readonly PageTab[] = [
    { name: "keys", label: words.keys, content: <KeysTab /> },
    { name: "agents", label: words.agents, content: <AgentsTab /> },
  ];
  return (
    <Page title={words.title} about={isOwner ? words.about : words.aboutOthers}>
      <PageTabs
        tabs={[
          { name: "requests", label: words.requests, content: <RequestsTab /> },
          ...(isOwner ? ofOwners : []),
          ...(seesConfirmations ? [{ name: "confirmations", label: words.confirmations, content: <ConfirmationsTab /> }] : []),
          { name: "samples", label: words.samples, content: <SamplesTab /> },
        ]}
      />
    </Page>
  );
}
