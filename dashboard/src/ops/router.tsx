import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import { NotFound } from "../shared/not-found.tsx";
import { type Texts, textsIn } from "../shared/search-texts.ts";
import { routerOptions } from "../shell/router-options.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: { [name: string]: unknown } & SearchSchemaInput): Texts => textsIn(search),
  search: { middlewares: [retainSearchParams(["env"])] },
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => shell, path, component });

const pages = shell.addChildren([
  page(
    "/",
    lazyRouteComponent(() => import("./home/home-page.tsx"), "HomePage"),
  ),
  page(
    "/find",
    lazyRouteComponent(() => import("./find/find-page.tsx"), "FindPage"),
  ),
  page(
    "/partners",
    lazyRouteComponent(() => import("./partners/partners-page.tsx"), "PartnersPage"),
  ),
  page(
    "/partners/$partner",
    lazyRouteComponent(() => import("./partners/partner-page.tsx"), "PartnerPage"),
  ),
  page(
    "/partners/$partner/requests/$request",
    lazyRouteComponent(() => import("./partners/request-page.tsx"), "RequestPage"),
  ),
  page(
    "/moderation",
    lazyRouteComponent(() => import("./moderation/moderation-page.tsx"), "ModerationPage"),
  ),
  page(
    "/products",
    lazyRouteComponent(() => import("./products/products-page.tsx"), "ProductsPage"),
  ),
  page(
    "/products/$kind/$product",
    lazyRouteComponent(() => import("./products/product-page.tsx"), "ProductPage"),
  ),
  page(
    "/import",
    lazyRouteComponent(() => import("./products/import-page.tsx"), "ImportPage"),
  ),
  page(
    "/books",
    lazyRouteComponent(() => import("./books/books-page.tsx"), "BooksPage"),
  ),
  page(
    "/platform",
    lazyRouteComponent(() => import("./books/platform-page.tsx"), "PlatformPage"),
  ),
  page(
    "/payouts",
    lazyRouteComponent(() => import("./books/payouts-page.tsx"), "PayoutsPage"),
  ),
  page(
    "/orders",
    lazyRouteComponent(() => import("./orders/orders-page.tsx"), "OrdersPage"),
  ),
  page(
    "/orders/$order",
    lazyRouteComponent(() => import("./orders/order-page.tsx"), "OrderPage"),
  ),
  page(
    "/disputes",
    lazyRouteComponent(() => import("./orders/disputes-page.tsx"), "DisputesPage"),
  ),
  page(
    "/movements",
    lazyRouteComponent(() => import("./orders/movements-page.tsx"), "MovementsPage"),
  ),
  page(
    "/links",
    lazyRouteComponent(() => import("./links/links-page.tsx"), "LinksPage"),
  ),
  page(
    "/links/$link",
    lazyRouteComponent(() => import("./links/link-page.tsx"), "LinkPage"),
  ),
  page(
    "/promotion-codes",
    lazyRouteComponent(() => import("./links/codes-page.tsx"), "CodesPage"),
  ),
  page(
    "/promotion-codes/$code",
    lazyRouteComponent(() => import("./links/code-page.tsx"), "CodePage"),
  ),
  page(
    "/subscriptions",
    lazyRouteComponent(() => import("./subscriptions/subscriptions-page.tsx"), "SubscriptionsPage"),
  ),
  page(
    "/subscriptions/$subscription",
    lazyRouteComponent(() => import("./subscriptions/subscription-page.tsx"), "SubscriptionPage"),
  ),
  page(
    "/ruble-payments",
    lazyRouteComponent(() => import("./ruble-payments/ruble-payments-page.tsx"), "RublePaymentsPage"),
  ),
  page(
    "/ruble-payments/$order",
    lazyRouteComponent(() => import("./ruble-payments/ruble-payment-page.tsx"), "RublePaymentPage"),
  ),
  page(
    "/events",
    lazyRouteComponent(() => import("./events/events-page.tsx"), "EventsPage"),
  ),
  page(
    "/events/$event",
    lazyRouteComponent(() => import("./events/event-page.tsx"), "EventPage"),
  ),
  page(
    "/webhooks",
    lazyRouteComponent(() => import("./events/webhooks-page.tsx"), "WebhooksPage"),
  ),
  page(
    "/requests",
    lazyRouteComponent(() => import("./work/refused-requests-page.tsx"), "RefusedRequestsPage"),
  ),
  page(
    "/refused-keys",
    lazyRouteComponent(() => import("./work/refused-keys-page.tsx"), "RefusedKeysPage"),
  ),
  page(
    "/work",
    lazyRouteComponent(() => import("./work/own-work-page.tsx"), "OwnWorkPage"),
  ),
  page(
    "/ledger",
    lazyRouteComponent(() => import("./work/ledger-page.tsx"), "LedgerPage"),
  ),
  page(
    "/bank",
    lazyRouteComponent(() => import("./work/bank-page.tsx"), "BankPage"),
  ),
  page(
    "/short-links",
    lazyRouteComponent(() => import("./work/short-links-page.tsx"), "ShortLinksPage"),
  ),
  page(
    "/audit",
    lazyRouteComponent(() => import("./system/audit-page.tsx"), "AuditPage"),
  ),
  page(
    "/cells",
    lazyRouteComponent(() => import("./system/cells-page.tsx"), "CellsPage"),
  ),
  page(
    "/operators",
    lazyRouteComponent(() => import("./system/operators-page.tsx"), "OperatorsPage"),
  ),
  page(
    "/erase",
    lazyRouteComponent(() => import("./system/erase-page.tsx"), "ErasePage"),
  ),
  page(
    "/calls/$call",
    lazyRouteComponent(() => import("./calls/call-page.tsx"), "CallPage"),
  ),
  createRoute({ getParentRoute: () => shell, path: "$", component: () => <NotFound /> }),
]);

export const router = createRouter({
  routeTree: root.addChildren([pages]),
  basepath: "/ops/console",
  ...routerOptions,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
