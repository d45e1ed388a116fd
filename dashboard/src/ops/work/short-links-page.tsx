import { listPage } from "../../objects/list-page.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import type { OpsListOf } from "../shared/ops-list.ts";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { shortLinks: own } = words;

/** Links whose short link is missing. */
const shortLinks: OpsListOf<"/ops/short-links"> = {
  path: "/ops/short-links",
  name: "short-links",
  label: own.title,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.payment_link_id,
  columns: [
    { header: texts.links.one, cell: (row) => <ObjectLink id={row.payment_link_id} /> },
    { header: texts.list.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
    { header: texts.requests.operation, from: "md", cell: (row) => row.operation },
    { header: own.waiting, from: "sm", cell: (row) => <MomentText at={row.waiting_since} /> },
    {
      header: texts.keys.actions,
      cell: (row) => <Action call="short-links complete" given={{ link: row.payment_link_id }} label={words.links.complete} isImmediate />,
    },
  ],
  none: own.none,
};

export const ShortLinksPage = listPage(shortLinks, own.about);
