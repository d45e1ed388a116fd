import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import { pagesBase } from "./api/viewed-partner.ts";
import { NotFound } from "./shared/not-found.tsx";
import { type Texts, textsIn } from "./shared/search-texts.ts";
import { rememberedEnvironment } from "./shell/remembered-environment.ts";
import { pagesBelow, routerOptions } from "./shell/router-options.tsx";
import { Shell } from "./shell/shell.tsx";

/** What stands in the address behind the question mark: texts, of which each page reads its own. */
type Search = Texts & { readonly env: "live" | "test" };

/** The environment in the address, or the one that the person chose last in this browser. */
function environmentOf(sent: unknown): "live" | "test" {
  const wanted = sent ?? rememberedEnvironment();
  return wanted === "test" ? "test" : "live";
}

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: { [name: string]: unknown } & SearchSchemaInput): Search => ({
    ...textsIn(search),
    env: environmentOf(search.env),
  }),
  // Every link stays in the environment of its page.
  search: { middlewares: [retainSearchParams(["env"])] },
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const page = pagesBelow(shell);
// A route that is made within the list of all would take the types of the others with it: then no link is checked.
const elsewhere = createRoute({ getParentRoute: () => shell, path: "$", component: () => <NotFound /> });

/** What was shared when payments had a page of their own. */
const formerPayments = createRoute({
  getParentRoute: () => shell,
  path: "/payments",
  beforeLoad: () => {
    // The router goes where what is thrown leads.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({
      to: "/orders",
      search: (before: object) => {
        const { env, since, until, reference } = textsIn(before);
        return { env, since, until, reference };
      },
      replace: true,
    });
  },
});

const pages = shell.addChildren([
  page("/", () => import("./home/home-page.tsx"), "HomePage"),
  page("/orders", () => import("./orders/orders-page.tsx"), "OrdersPage"),
  formerPayments,
  page("/orders/$order", () => import("./orders/order-page.tsx"), "OrderPage"),
  page("/balance", () => import("./balance/balance-page.tsx"), "BalancePage"),
  page("/balance/statements/$statement", () => import("./balance/statement-page.tsx"), "StatementPage"),
  page("/products", () => import("./lists.tsx"), "ProductsPage"),
  page("/products/new", () => import("./products/new-product-page.tsx"), "NewProductPage"),
  page("/products/$product", () => import("./products/product-page.tsx"), "ProductPage"),
  page("/products/$product/change", () => import("./products/change-product-page.tsx"), "ChangeProductPage"),
  page("/links", () => import("./lists.tsx"), "LinksPage"),
  page("/links/new", () => import("./links/new-link-page.tsx"), "NewLinkPage"),
  page("/links/$link", () => import("./links/link-page.tsx"), "LinkPage"),
  page("/subscriptions", () => import("./lists.tsx"), "SubscriptionsPage"),
  page("/subscriptions/$subscription", () => import("./subscriptions/subscription-page.tsx"), "SubscriptionPage"),
  page("/promotion-codes", () => import("./lists.tsx"), "PromotionCodesPage"),
  page("/promotion-codes/$code", () => import("./promotion-codes/promotion-code-page.tsx"), "PromotionCodePage"),
  page("/promotion-codes/new", () => import("./promotion-codes/new-promotion-code-page.tsx"), "NewPromotionCodePage"),
  page("/ruble-payments", () => import("./lists.tsx"), "RublePaymentsPage"),
  page("/ruble-payments/$order", () => import("./ruble-payments/ruble-payment-page.tsx"), "RublePaymentPage"),
  page("/ruble-payments/new", () => import("./ruble-payments/new-ruble-payment-page.tsx"), "NewRublePaymentPage"),
  page("/webhooks", () => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
  page("/events/$event", () => import("./webhooks/event-page.tsx"), "EventPage"),
  page("/developers", () => import("./developers/developers-page.tsx"), "DevelopersPage"),
  page("/developers/requests/$request", () => import("./developers/request-page.tsx"), "RequestPage"),
  page("/developers/confirmations/$confirmation", () => import("./developers/confirmation-page.tsx"), "ConfirmationPage"),
  page("/team", () => import("./team/team-page.tsx"), "TeamPage"),
  page("/account", () => import("./account/account-page.tsx"), "AccountPage"),
  page("/find", () => import("./find/find-page.tsx"), "FindPage"),
  elsewhere,
]);
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: lazyRouteComponent(() => import("./sign-in/invitation-page.tsx"), "InvitationPage"),
});

export const router = createRouter({ routeTree: root.addChildren([pages, invitation]), basepath: pagesBase, ...routerOptions });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
