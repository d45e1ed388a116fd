import { Empty } from "../shared/empty.tsx";
import { Page } from "../shared/page.tsx";
import { PageTabs } from "../shared/page-tabs.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { AuditTab } from "./audit-tab.tsx";
import { PeopleTab } from "./people-tab.tsx";
import { SessionsTab } from "./sessions-tab.tsx";

const { team: words } = texts;

/** People, open sessions and the audit log, for owners. */
export function TeamPage() {
  const isOwner = useMay("owner");
  return (
    <Page title={words.title} about={words.about}>
      {!isOwner && <Empty title={words.onlyOwners} next={words.askOwner} />}
      {isOwner && (
        <PageTabs
          tabs={[
            { name: "people", label: words.tabs.people, content: <PeopleTab /> },
            { name: "sessions", label: words.tabs.sessions, content: <SessionsTab /> },
            { name: "audit", label: words.tabs.audit, content: <AuditTab /> },
          ]}
        />
      )}
    </Page>
  );
}
