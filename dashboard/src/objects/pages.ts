import {
  ArrowSwitchIcon,
  BellIcon,
  CreditCardIcon,
  type Icon,
  LinkIcon,
  OrganizationIcon,
  PackageIcon,
  ReportIcon,
  SyncIcon,
  TagIcon,
} from "@primer/octicons-react";
import type { Right } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

/** What leads to the pages of an object, in both applications. */
interface ObjectPages {
  /** The page of its list. That of one object has its id behind. */
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  /** The right without which a partner's person has no list of them; null: the list is for operators alone. */
  readonly needs: Right | null;
  /** The form of the ids that are linked wherever they stand. Left out: none. */
  readonly ids?: RegExp;
  /** What the search calls an object that has its own page. */
  readonly kinds: readonly string[];
}

/** The objects that both applications list, in the order of their navigations. */
export const objectPages = [
  {
    to: "/orders",
    label: texts.orders.title,
    icon: CreditCardIcon,
    needs: "balance_view",
    ids: /^(?:pi|cs)_\w+$|^[0-9a-z]{2}[0-9a-f]{30}$/,
    kinds: ["order", "payment"],
  },
  { to: "/disputes", label: texts.disputes.title, icon: ReportIcon, needs: null, kinds: [] },
  { to: "/movements", label: texts.payments.title, icon: ArrowSwitchIcon, needs: null, kinds: [] },
  { to: "/products", label: texts.products.title, icon: PackageIcon, needs: "products_view", kinds: ["product"] },
  { to: "/links", label: texts.links.title, icon: LinkIcon, needs: "products_view", ids: /^plink_\w+$/, kinds: ["payment_link"] },
  {
    to: "/subscriptions",
    label: texts.subscriptions.title,
    icon: SyncIcon,
    needs: "balance_view",
    ids: /^sub_\w+$/,
    kinds: ["subscription"],
  },
  {
    to: "/promotion-codes",
    label: texts.promotionCodes.title,
    icon: TagIcon,
    needs: "products_view",
    ids: /^promo_\w+$/,
    kinds: ["promotion_code"],
  },
  { to: "/ruble-payments", label: texts.rublePayments.title, icon: OrganizationIcon, needs: "bank_payment", kinds: ["bank_order"] },
  // Its ids have the code of their cell: the processor's events begin with the same letters. A partner has the list at its webhooks.
  { to: "/events", label: texts.webhooks.kinds, icon: BellIcon, needs: null, ids: /^evt_[0-9a-z]{2}[0-9a-f]{30}$/, kinds: ["event"] },
] as const satisfies readonly ObjectPages[];

/** What the search calls the objects that have pages of their own. */
export type KindWithPage = (typeof objectPages)[number]["kinds"][number];

/** The page of an object that was found; null for a kind that has no pages here. */
export function pageOfKind(kind: string, id: string): string | null {
  const pages: readonly ObjectPages[] = objectPages;
  const found = pages.find(({ kinds }) => kinds.includes(kind));
  return found === undefined ? null : `${found.to}/${id}`;
}

/** The page of an object by the form of its id; null for an id without one. */
export function pageOfId(id: string): string | null {
  const pages: readonly ObjectPages[] = objectPages;
  const found = pages.find(({ ids }) => ids?.test(id) === true);
  return found === undefined ? null : `${found.to}/${id}`;
}
