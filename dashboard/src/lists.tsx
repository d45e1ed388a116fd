import type { ReactNode } from "react";
import type { ListPath } from "./api/paths.ts";
import { links } from "./objects/links/list.tsx";
import { ObjectList, type ObjectListOf } from "./objects/object-list.tsx";
import { promotionCodes } from "./objects/promotion-codes/list.tsx";
import { rublePayments } from "./objects/ruble-payments/list.tsx";
import { subscriptions } from "./objects/subscriptions/list.tsx";
import { products } from "./products/list.tsx";
import { useProductFilter } from "./products/product-filter.ts";
import type { Filter } from "./shared/filters.tsx";
import { Page } from "./shared/page.tsx";
import { CreateButton } from "./shell/creations.tsx";
import { Monthly } from "./subscriptions/monthly.tsx";
import { texts } from "./texts/index.ts";

const NO_FILTERS: readonly Filter[] = [];
const noFilters = () => NO_FILTERS;

interface More {
  /** The form of something new. */
  readonly create?: Parameters<typeof CreateButton>[0]["to"];
  /** What stands above the list. */
  readonly above?: ReactNode;
  /** Filters that only partners have. */
  readonly useFilters?: () => readonly Filter[];
}

/** The page of a list: the objects of an environment, and the way to a new one. */
function listPage<Path extends ListPath>(of: ObjectListOf<Path>, about: string, { create, above, useFilters = noFilters }: More = {}) {
  const button = create === undefined ? undefined : <CreateButton to={create} />;
  return function ListPage() {
    return (
      <Page title={of.label} about={about} actions={button}>
        {above}
        <ObjectList of={of} action={button} filters={useFilters()} />
      </Page>
    );
  };
}

export const LinksPage = listPage(links, texts.links.about, { create: "/links/new", useFilters: useProductFilter });
export const ProductsPage = listPage(products, texts.products.about, { create: "/products/new" });
export const PromotionCodesPage = listPage(promotionCodes, texts.promotionCodes.about, { create: "/promotion-codes/new" });
export const RublePaymentsPage = listPage(rublePayments, texts.rublePayments.about, { create: "/ruble-payments/new" });
export const SubscriptionsPage = listPage(subscriptions, texts.subscriptions.about, { above: <Monthly /> });
