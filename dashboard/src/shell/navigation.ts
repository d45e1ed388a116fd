import { CodeIcon, HomeIcon, LawIcon, PeopleIcon, WebhookIcon } from "@primer/octicons-react";
import { objectPages } from "../objects/pages.ts";
import { texts } from "../texts/index.ts";
import type { PageEntry } from "./frame.tsx";
import type { Right } from "./session.ts";

/** A page of the navigation. `needs`: the right without which it is left out; null for everybody. */
interface NavigationEntry extends PageEntry {
  readonly needs: Right | null;
}

export const entries: readonly NavigationEntry[] = [
  { to: "/", label: texts.home.title, icon: HomeIcon, needs: null },
  ...objectPages.filter(({ needs }) => needs !== null),
  { to: "/balance", label: texts.balance.title, icon: LawIcon, needs: "balance_view" },
  { to: "/webhooks", label: texts.webhooks.title, icon: WebhookIcon, needs: "webhook_config" },
  { to: "/developers", label: texts.developers.title, icon: CodeIcon, needs: null },
  { to: "/team", label: texts.team.title, icon: PeopleIcon, needs: "owner" },
];
