import {
  ArrowSwitchIcon,
  CheckCircleIcon,
  ChecklistIcon,
  ClockIcon,
  CreditCardIcon,
  DatabaseIcon,
  HomeIcon,
  KeyIcon,
  LawIcon,
  LinkIcon,
  LogIcon,
  OrganizationIcon,
  PeopleIcon,
  TelescopeIcon,
  WebhookIcon,
  XCircleIcon,
} from "@primer/octicons-react";
import { objectPages } from "../../objects/pages.ts";
import type { PageGroup } from "../../shell/frame.tsx";
import { texts } from "../../texts/index.ts";
import { words } from "../texts.ts";

const { navigation } = words;

export const groups: readonly PageGroup[] = [
  {
    title: null,
    entries: [
      { to: "/", label: navigation.home, icon: HomeIcon },
      { to: "/find", label: words.find.title, icon: TelescopeIcon },
      { to: "/partners", label: words.partners.title, icon: OrganizationIcon },
      { to: "/moderation", label: words.moderation.title, icon: CheckCircleIcon },
    ],
  },
  {
    title: navigation.browse,
    entries: objectPages,
  },
  {
    title: navigation.money,
    entries: [
      { to: "/books", label: words.books.title, icon: ChecklistIcon },
      { to: "/payouts", label: texts.payouts.title, icon: CreditCardIcon },
      { to: "/platform", label: words.platform.title, icon: ArrowSwitchIcon },
    ],
  },
  {
    title: navigation.work,
    entries: [
      { to: "/webhooks", label: navigation.webhooks, icon: WebhookIcon },
      { to: "/ledger", label: words.ledger.title, icon: LawIcon },
      { to: "/work", label: words.ownWork.title, icon: ClockIcon },
      { to: "/requests", label: words.refusedRequests.title, icon: XCircleIcon },
      { to: "/refused-keys", label: words.refusedKeys.title, icon: KeyIcon },
      { to: "/bank", label: words.bank.title, icon: OrganizationIcon },
      { to: "/short-links", label: words.shortLinks.title, icon: LinkIcon },
    ],
  },
  {
    title: navigation.service,
    entries: [
      { to: "/audit", label: texts.audit.title, icon: LogIcon },
      { to: "/cells", label: words.cells.title, icon: DatabaseIcon },
      { to: "/operators", label: words.operators.title, icon: PeopleIcon },
    ],
  },
];
