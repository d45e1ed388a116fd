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
    { name: "keys", label: texts.keys.title, content: <KeysTab /> },
    { name: "agents", label: texts.agents.title, content: <AgentsTab /> },
  ];
  return (
    <Page title={words.title} about={isOwner ? words.about : words.aboutOthers}>
      <PageTabs
        tabs={[
          { name: "requests", label: texts.requests.title, content: <RequestsTab /> },
          ...(isOwner ? ofOwners : []),
          ...(seesConfirmations ? [{ name: "confirmations", label: texts.confirmations.title, content: <ConfirmationsTab /> }] : []),
          { name: "samples", label: words.samples, content: <SamplesTab /> },
        ]}
      />
    </Page>
  );
}
