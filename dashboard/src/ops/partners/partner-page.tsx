import { Button, Group, Tabs } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { EyeIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { messageOf } from "../../api/failure.ts";
import { links } from "../../objects/links/list.tsx";
import { movements } from "../../objects/movements/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { NotThere } from "../../objects/object-page.tsx";
import { requests } from "../../objects/requests/list.tsx";
import { Copied } from "../../shared/copy.tsx";
import { Page } from "../../shared/page.tsx";
import { useIdInPath, useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { api, client } from "../api/client.ts";

import { AuditList } from "../system/audit-list.tsx";
import { words } from "../texts.ts";
import { AgentsTab } from "./agents-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PeopleTab } from "./people-tab.tsx";
import { ProductsTab } from "./products-tab.tsx";
import { WebhooksTab } from "./webhooks-tab.tsx";

const { partners: own } = words;

const BACK = { to: "/partners", label: own.title };

/** A partner: everything about it in tabs, each with what can be done there. */
export function PartnerPage() {
  const partner = useIdInPath("partner");
  const { tab = "overview" } = useSearchTexts();
  const navigate = useNavigate();
  const { data, error, refetch } = api.useQuery("get", "/ops/partners/{id}", { params: { path: { id: partner } } });
  if (data === undefined) return <NotThere title={partner} back={BACK} error={error} retry={() => void refetch()} />;
  const tabs: Readonly<Record<string, ReactNode>> = {
    overview: <OverviewTab partner={data} />,
    people: <PeopleTab partner={partner} />,
    keys: <KeysTab partner={partner} />,
    products: <ProductsTab partner={partner} />,
    payments: <ObjectList of={movements} partner={partner} />,
    links: <ObjectList of={links} partner={partner} />,
    webhooks: <WebhooksTab partner={partner} />,
    requests: <ObjectList of={requests} partner={partner} />,
    agents: <AgentsTab partner={partner} />,
    audit: <AuditList partner={partner} />,
  };
  return (
    <Page
      back={BACK}
      title={data.name}
      about={
        <Group gap="xs">
          <Status status={data.status} />
          <Copied value={data.id} what={own.id} />
        </Group>
      }
      actions={<ViewButton partner={partner} />}
    >
      <Tabs
        value={tab in tabs ? tab : "overview"}
        onChange={(next) => void navigate({ to: ".", search: { tab: next ?? "overview" } })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {Object.keys(tabs).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {own.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(tabs).map(([name, content]) => (
          <Tabs.Panel key={name} value={name}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

/** Opens the partner's dashboard as its owner sees it, read only, once the audit log has that an operator looks. */
function ViewButton({ partner }: { readonly partner: string }) {
  const view = async () => {
    try {
      const { data } = await client.POST("/ops/partners/{id}/views", { params: { path: { id: partner } } });
      if (data !== undefined) globalThis.location.assign(data.page);
    } catch (thrown) {
      notifications.show({ color: "red", message: messageOf(thrown) });
    }
  };
  return (
    <Button size="xs" variant="default" leftSection={<EyeIcon size={14} aria-hidden />} onClick={() => void view()} title={own.viewWhat}>
      {own.view}
    </Button>
  );
}
