import { createRootRoute, createRoute, createRouter, Outlet, retainSearchParams, type SearchSchemaInput } from "@tanstack/react-router";
import { NotFound } from "../shared/not-found.tsx";
import { type Texts, textsIn } from "../shared/search-texts.ts";
import { pagesBelow, routerOptions } from "../shell/router-options.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: { [name: string]: unknown } & SearchSchemaInput): Texts => textsIn(search),
  search: { middlewares: [retainSearchParams(["env"])] },
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const page = pagesBelow(shell);
// A route that is made within the list of all would take the types of the others with it: then no link is checked.
const elsewhere = createRoute({ getParentRoute: () => shell, path: "$", component: () => <NotFound /> });

const pages = shell.addChildren([
  page("/", () => import("./home/home-page.tsx"), "HomePage"),
  page("/find", () => import("./find/find-page.tsx"), "FindPage"),
  page("/partners", () => import("./partners/partners-page.tsx"), "PartnersPage"),
  page("/partners/$partner", () => import("./partners/partner-page.tsx"), "PartnerPage"),
  page("/partners/$partner/requests/$request", () => import("./partners/request-page.tsx"), "RequestPage"),
  page("/moderation", () => import("./moderation/moderation-page.tsx"), "ModerationPage"),
  page("/products", () => import("./products/products-page.tsx"), "ProductsPage"),
  page("/products/$kind/$product", () => import("./products/product-page.tsx"), "ProductPage"),
  page("/import", () => import("./products/import-page.tsx"), "ImportPage"),
  page("/books", () => import("./books/books-page.tsx"), "BooksPage"),
  page("/platform", () => import("./books/platform-page.tsx"), "PlatformPage"),
  page("/payouts", () => import("./books/payouts-page.tsx"), "PayoutsPage"),
  page("/orders", () => import("./lists.tsx"), "OrdersPage"),
  page("/orders/$order", () => import("./orders/order-page.tsx"), "OrderPage"),
  page("/disputes", () => import("./lists.tsx"), "DisputesPage"),
  page("/movements", () => import("./lists.tsx"), "MovementsPage"),
  page("/links", () => import("./lists.tsx"), "LinksPage"),
  page("/links/$link", () => import("./links/link-page.tsx"), "LinkPage"),
  page("/promotion-codes", () => import("./lists.tsx"), "CodesPage"),
  page("/promotion-codes/$code", () => import("./links/code-page.tsx"), "CodePage"),
  page("/subscriptions", () => import("./lists.tsx"), "SubscriptionsPage"),
  page("/subscriptions/$subscription", () => import("./subscriptions/subscription-page.tsx"), "SubscriptionPage"),
  page("/ruble-payments", () => import("./lists.tsx"), "RublePaymentsPage"),
  page("/ruble-payments/$order", () => import("./ruble-payments/ruble-payment-page.tsx"), "RublePaymentPage"),
  page("/events", () => import("./lists.tsx"), "EventsPage"),
  page("/events/$event", () => import("./events/event-page.tsx"), "EventPage"),
  page("/webhooks", () => import("./events/webhooks-page.tsx"), "WebhooksPage"),
  page("/requests", () => import("./work/refused-requests-page.tsx"), "RefusedRequestsPage"),
  page("/refused-keys", () => import("./work/refused-keys-page.tsx"), "RefusedKeysPage"),
  page("/work", () => import("./work/own-work-page.tsx"), "OwnWorkPage"),
  page("/ledger", () => import("./work/ledger-page.tsx"), "LedgerPage"),
  page("/bank", () => import("./work/bank-page.tsx"), "BankPage"),
  page("/short-links", () => import("./work/short-links-page.tsx"), "ShortLinksPage"),
  page("/audit", () => import("./system/audit-page.tsx"), "AuditPage"),
  page("/cells", () => import("./system/cells-page.tsx"), "CellsPage"),
  page("/operators", () => import("./system/operators-page.tsx"), "OperatorsPage"),
  page("/erase", () => import("./system/erase-page.tsx"), "ErasePage"),
  page("/calls/$call", () => import("./calls/call-page.tsx"), "CallPage"),
  elsewhere,
]);

export const router = createRouter({ routeTree: root.addChildren([pages]), basepath: "/ops/console", ...routerOptions });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
