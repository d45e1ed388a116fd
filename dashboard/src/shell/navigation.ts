import {
  CodeIcon,
  CreditCardIcon,
  HomeIcon,
  type Icon,
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
import type { Right } from "./session.ts";

/** A page of the navigation. `needs`: the right without which it is left out; null for everybody. */
export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  readonly needs: Right | null;
}

const { navigation } = texts;

export const entries: readonly NavigationEntry[] = [
  { to: "/", label: navigation.home, icon: HomeIcon, needs: null },
  { to: "/orders", label: navigation.orders, icon: CreditCardIcon, needs: "balance_view" },
  { to: "/products", label: navigation.products, icon: PackageIcon, needs: "products_view" },
  { to: "/links", label: navigation.links, icon: LinkIcon, needs: "products_view" },
  { to: "/subscriptions", label: navigation.subscriptions, icon: SyncIcon, needs: "balance_view" },
  { to: "/promotion-codes", label: navigation.promotionCodes, icon: TagIcon, needs: "products_view" },
  { to: "/ruble-payments", label: navigation.rublePayments, icon: OrganizationIcon, needs: "bank_payment" },
  { to: "/balance", label: navigation.balance, icon: LawIcon, needs: "balance_view" },
  { to: "/webhooks", label: navigation.webhooks, icon: WebhookIcon, needs: "webhook_config" },
  { to: "/developers", label: navigation.developers, icon: CodeIcon, needs: null },
  { to: "/team", label: navigation.team, icon: PeopleIcon, needs: "owner" },
];
