import { links } from "./objects/links/list.tsx";
import { listPage } from "./objects/list-page.tsx";
import { promotionCodes } from "./objects/promotion-codes/list.tsx";
import { rublePayments } from "./objects/ruble-payments/list.tsx";
import { subscriptions } from "./objects/subscriptions/list.tsx";
import { products } from "./products/list.tsx";
import { useProductFilter } from "./products/product-filter.ts";
import { CreateButton } from "./shell/creations.tsx";
import { texts } from "./texts/index.ts";

export const LinksPage = listPage(links, texts.links.about, { action: <CreateButton to="/links/new" />, useFilters: useProductFilter });
export const ProductsPage = listPage(products, texts.products.about, { action: <CreateButton to="/products/new" /> });
export const PromotionCodesPage = listPage(promotionCodes, texts.promotionCodes.about, {
  action: <CreateButton to="/promotion-codes/new" />,
});
export const RublePaymentsPage = listPage(rublePayments, texts.rublePayments.about, { action: <CreateButton to="/ruble-payments/new" /> });
export const SubscriptionsPage = listPage(subscriptions, texts.subscriptions.about);
