import { listPage } from "../../objects/list-page.tsx";
import { texts } from "../../texts/index.ts";
import type { OpsListOf } from "../shared/ops-list.ts";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";
import { webhookColumns } from "./webhooks-table.tsx";

const { webhooks: own } = words;

/** The webhooks that need a person. */
const webhooks: OpsListOf<"/ops/endpoints"> = {
  path: "/ops/endpoints",
  name: "webhooks",
  label: words.navigation.webhooks,
  hasEnvironment: false,
  // Of a partner the call answers all, also those that are well.
  isOfAll: false,
  keyOf: ({ id }) => id,
  columns: [{ header: texts.list.partner, cell: ({ partner_id: id }) => <PartnerLink id={id} /> }, ...webhookColumns],
  none: own.none,
};

export const WebhooksPage = listPage(webhooks, own.about);
