import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";
import { AuditList } from "./audit-list.tsx";

/** Who changed what. */
export function AuditPage() {
  return (
    <Page title={words.audit.title} about={words.audit.about}>
      <AuditList />
    </Page>
  );
}
