import { Page } from "../../shared/page.tsx";
import { texts } from "../../texts/index.ts";
import { words } from "../texts.ts";
import { AuditList } from "./audit-list.tsx";

/** Who changed what. */
export function AuditPage() {
  return (
    <Page title={texts.audit.title} about={words.audit.about}>
      <AuditList />
    </Page>
  );
}
