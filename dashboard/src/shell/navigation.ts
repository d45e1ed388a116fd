import {
  BadgePercent,
  Code,
  CreditCard,
  House,
  Landmark,
  Link as LinkIcon,
  type LucideIcon,
  RefreshCw,
  Users,
  Webhook,
} from "lucide-react";
import { texts } from "../texts/index.ts";
import type { Right } from "./session.ts";

/** A page of the navigation. `needs`: the right without which it is left out; null for everybody. */
export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly needs: Right | null;
}

const { navigation } = texts;

export const entries: readonly NavigationEntry[] = [
  { to: "/", label: navigation.home, icon: House, needs: null },
  { to: "/payments", label: navigation.payments, icon: CreditCard, needs: "balance_view" },
  { to: "/links", label: navigation.links, icon: LinkIcon, needs: "products_view" },
  { to: "/subscriptions", label: navigation.subscriptions, icon: RefreshCw, needs: "balance_view" },
  { to: "/promotion-codes", label: navigation.promotionCodes, icon: BadgePercent, needs: "products_view" },
  { to: "/ruble-payments", label: navigation.rublePayments, icon: Landmark, needs: "bank_payment" },
  { to: "/webhooks", label: navigation.webhooks, icon: Webhook, needs: "webhook_config" },
  { to: "/developers", label: navigation.developers, icon: Code, needs: null },
  { to: "/team", label: navigation.team, icon: Users, needs: "owner" },
];
