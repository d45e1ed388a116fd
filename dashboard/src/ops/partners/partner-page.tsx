import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { EyeIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import { messageOf } from "../../api/failure.ts";
import { confirmations } from "../../objects/confirmations/list.tsx";
import { links } from "../../objects/links/list.tsx";
import { movements } from "../../objects/movements/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { NotThere, ObjectPage } from "../../objects/object-page.tsx";
import { requestsList } from "../../objects/requests/list.tsx";
import { forgetLists } from "../../shared/address.ts";
import { type PageTab, PageTabs } from "../../shared/page-tabs.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { api, client } from "../api/client.ts";
import { useMay } from "../shell/session.ts";
import { AuditList } from "../system/audit-list.tsx";
import { words } from "../texts.ts";
import { AgentsTab } from "./agents-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { MoneyTab } from "./money-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PeopleTab } from "./people-tab.tsx";
import { ProductsTab } from "./products-tab.tsx";
import { WebhooksTab } from "./webhooks-tab.tsx";

const { partners: own } = words;

const BACK = { to: "/partners", label: own.title };

/** A partner: everything about it in tabs, each with what can be done there. */
export function PartnerPage() {
  const partner = useIdInPath("partner");
  const { data, error, refetch } = api.useQuery("get", "/ops/partners/{id}", { params: { path: { id: partner } } });
  if (data === undefined) return <NotThere title={partner} back={BACK} error={error} retry={() => void refetch()} />;
  const tab = (name: keyof typeof own.tabs, content: ReactNode): PageTab => ({ name, label: own.tabs[name], content });
  const tabs = [
    tab("people", <PeopleTab partner={partner} />),
    tab("keys", <KeysTab partner={partner} />),
    tab("products", <ProductsTab partner={partner} />),
    tab("payments", <ObjectList of={movements} only={{ partner: partner }} />),
    tab("money", <MoneyTab partner={partner} />),
    tab("links", <ObjectList of={links} only={{ partner: partner }} />),
    tab("webhooks", <WebhooksTab partner={partner} />),
    tab("requests", <ObjectList of={requestsList((request) => `/partners/${partner}/requests/${request}`)} only={{ partner: partner }} />),
    tab("agents", <AgentsTab partner={partner} />),
    // Each paged list has a tab of its own: its page stands in the address.
    tab("confirmations", <ObjectList of={confirmations} only={{ partner }} />),
    tab("audit", <AuditList partner={partner} />),
  ];
  return (
    <ObjectPage back={BACK} title={data.name} state={data.status} id={data.id} what={own.id} actions={<ViewButton partner={partner} />}>
      <PageTabs tabs={[tab("overview", <OverviewTab partner={data} />), ...tabs]} />
    </ObjectPage>
  );
}

/** Opens the partner's dashboard as its owner sees it, read only, once the audit log has that an operator looks. */
function ViewButton({ partner }: { readonly partner: string }) {
  const may = useMay();
  const view = async () => {
    try {
      const { data } = await client.POST("/ops/partners/{id}/views", { params: { path: { id: partner } } });
      if (data === undefined) return;
      forgetLists();
      globalThis.location.assign(data.page);
    } catch (thrown) {
      notifications.show({ color: "red", message: messageOf(thrown) });
    }
  };
  if (!may("support")) return null;
  return (
    <Button size="xs" variant="default" leftSection={<EyeIcon size={14} aria-hidden />} onClick={() => void view()} title={own.viewWhat}>
      {own.view}
    </Button>
  );
}
