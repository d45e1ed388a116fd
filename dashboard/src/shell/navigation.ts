import {
  CodeIcon,
  CreditCardIcon,
  HomeIcon,
  LawIcon,
  LinkIcon,
  OrganizationIcon,
  PackageIcon,
  PeopleIcon,
  SyncIcon,
  TagIcon,
  WebhookIcon,
} from "@primer/octicons-react";
import { texts } from "../texts/index.ts";
import type { PageEntry } from "./frame.tsx";
import type { Right } from "./session.ts";

/** A page of the navigation. `needs`: the right without which it is left out; null for everybody. */
interface NavigationEntry extends PageEntry {
  readonly needs: Right | null;
}

export const entries: readonly NavigationEntry[] = [
  { to: "/", label: texts.home.title, icon: HomeIcon, needs: null },
  { to: "/orders", label: texts.orders.title, icon: CreditCardIcon, needs: "balance_view" },
  { to: "/products", label: texts.products.title, icon: PackageIcon, needs: "products_view" },
  { to: "/links", label: texts.links.title, icon: LinkIcon, needs: "products_view" },
  { to: "/subscriptions", label: texts.subscriptions.title, icon: SyncIcon, needs: "balance_view" },
  { to: "/promotion-codes", label: texts.promotionCodes.title, icon: TagIcon, needs: "products_view" },
  { to: "/ruble-payments", label: texts.rublePayments.title, icon: OrganizationIcon, needs: "bank_payment" },
  { to: "/balance", label: texts.balance.title, icon: LawIcon, needs: "balance_view" },
  { to: "/webhooks", label: texts.webhooks.title, icon: WebhookIcon, needs: "webhook_config" },
  { to: "/developers", label: texts.developers.title, icon: CodeIcon, needs: null },
  { to: "/team", label: texts.team.title, icon: PeopleIcon, needs: "owner" },
];
