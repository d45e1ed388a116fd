import { listPage } from "../../objects/list-page.tsx";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";
import { webhookColumns } from "./webhooks-table.tsx";

const { webhooks: own } = words;

/** The webhooks that need a person. */
const webhooks: OpsListOf<"/ops/endpoints"> = {
  path: "/ops/endpoints",
  name: "webhooks",
  label: words.navigation.webhooks,
  hasEnvironment: false,
  keyOf: ({ id }) => id,
  columns: webhookColumns,
  none: own.none,
};

export const WebhooksPage = listPage(webhooks, own.about);
