import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import { pagesBase } from "./api/viewed-partner.ts";
import { Failure } from "./shared/failure.tsx";
import { NotFound } from "./shared/not-found.tsx";
import { PageSkeleton } from "./shared/skeletons.tsx";
import { rememberedEnvironment } from "./shell/remembered-environment.ts";
import { searchTexts } from "./shell/search-texts.ts";
import { Shell } from "./shell/shell.tsx";
import { InvitationPage } from "./sign-in/invitation-page.tsx";

/** Texts of the address that a page reads; anything else is dropped. */
function textsOf<Name extends string>(...names: readonly Name[]) {
  return (search: { [name in Name]?: unknown } & SearchSchemaInput): { [name in Name]?: string } => {
    const known: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string") known[name] = value;
    }
    return known;
  };
}

interface RootSearch {
  readonly env: "live" | "test";
  readonly cursor?: string;
}

/** The environment in the address, or the one that the person chose last in this browser. */
function environmentOf(sent: unknown): "live" | "test" {
  const wanted = sent ?? rememberedEnvironment();
  return wanted === "test" ? "test" : "live";
}

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: { env?: string; cursor?: string } & SearchSchemaInput): RootSearch => {
    const cursor: unknown = search.cursor;
    return { env: environmentOf(search.env), ...(typeof cursor === "string" ? { cursor } : {}) };
  },
  // Every link stays in the environment of its page.
  search: { middlewares: [retainSearchParams(["env"])] },
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  validateSearch: textsOf("days"),
  component: lazyRouteComponent(() => import("./home/home-page.tsx"), "HomePage"),
});
const orders = createRoute({
  getParentRoute: () => shell,
  path: "/orders",
  validateSearch: textsOf("tab", "state", "status", "email", "reference", "currency", "amount_from", "amount_to", "since", "until"),
  component: lazyRouteComponent(() => import("./orders/orders-page.tsx"), "OrdersPage"),
});
const order = createRoute({
  getParentRoute: () => shell,
  path: "/orders/$order",
  component: lazyRouteComponent(() => import("./orders/order-page.tsx"), "OrderPage"),
});
const balance = createRoute({
  getParentRoute: () => shell,
  path: "/balance",
  validateSearch: textsOf("tab", "status", "type", "reference", "currency", "amount_from", "amount_to", "since", "until"),
  component: lazyRouteComponent(() => import("./balance/balance-page.tsx"), "BalancePage"),
});
const statement = createRoute({
  getParentRoute: () => shell,
  path: "/balance/statements/$statement",
  component: lazyRouteComponent(() => import("./balance/statement-page.tsx"), "StatementPage"),
});
const links = createRoute({
  getParentRoute: () => shell,
  path: "/links",
  validateSearch: textsOf("state", "product", "reference", "since", "until"),
  component: lazyRouteComponent(() => import("./links/links-page.tsx"), "LinksPage"),
});
const newLink = createRoute({
  getParentRoute: () => shell,
  path: "/links/new",
  component: lazyRouteComponent(() => import("./links/new-link-page.tsx"), "NewLinkPage"),
});
const link = createRoute({
  getParentRoute: () => shell,
  path: "/links/$link",
  component: lazyRouteComponent(() => import("./links/link-page.tsx"), "LinkPage"),
});
const subscriptions = createRoute({
  getParentRoute: () => shell,
  path: "/subscriptions",
  validateSearch: textsOf("status"),
  component: lazyRouteComponent(() => import("./subscriptions/subscriptions-page.tsx"), "SubscriptionsPage"),
});
const subscription = createRoute({
  getParentRoute: () => shell,
  path: "/subscriptions/$subscription",
  component: lazyRouteComponent(() => import("./subscriptions/subscription-page.tsx"), "SubscriptionPage"),
});
const promotionCodes = createRoute({
  getParentRoute: () => shell,
  path: "/promotion-codes",
  validateSearch: textsOf("since", "until"),
  component: lazyRouteComponent(() => import("./promotion-codes/promotion-codes-page.tsx"), "PromotionCodesPage"),
});
const promotionCode = createRoute({
  getParentRoute: () => shell,
  path: "/promotion-codes/$code",
  component: lazyRouteComponent(() => import("./promotion-codes/promotion-code-page.tsx"), "PromotionCodePage"),
});
const newPromotionCode = createRoute({
  getParentRoute: () => shell,
  path: "/promotion-codes/new",
  component: lazyRouteComponent(() => import("./promotion-codes/new-promotion-code-page.tsx"), "NewPromotionCodePage"),
});
const rublePayments = createRoute({
  getParentRoute: () => shell,
  path: "/ruble-payments",
  validateSearch: textsOf("status", "order", "since", "until"),
  component: lazyRouteComponent(() => import("./ruble-payments/ruble-payments-page.tsx"), "RublePaymentsPage"),
});
const rublePayment = createRoute({
  getParentRoute: () => shell,
  path: "/ruble-payments/$order",
  component: lazyRouteComponent(() => import("./ruble-payments/ruble-payment-page.tsx"), "RublePaymentPage"),
});
const newRublePayment = createRoute({
  getParentRoute: () => shell,
  path: "/ruble-payments/new",
  component: lazyRouteComponent(() => import("./ruble-payments/new-ruble-payment-page.tsx"), "NewRublePaymentPage"),
});
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: "/webhooks",
  validateSearch: textsOf("tab", "webhook", "state", "event", "since", "until"),
  component: lazyRouteComponent(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const event = createRoute({
  getParentRoute: () => shell,
  path: "/events/$event",
  component: lazyRouteComponent(() => import("./webhooks/event-page.tsx"), "EventPage"),
});
const developers = createRoute({
  getParentRoute: () => shell,
  path: "/developers",
  validateSearch: textsOf("tab", "outcome", "operation", "since"),
  component: lazyRouteComponent(() => import("./developers/developers-page.tsx"), "DevelopersPage"),
});
const request = createRoute({
  getParentRoute: () => shell,
  path: "/developers/requests/$request",
  component: lazyRouteComponent(() => import("./developers/request-page.tsx"), "RequestPage"),
});
const team = createRoute({
  getParentRoute: () => shell,
  path: "/team",
  validateSearch: textsOf("tab", "target", "since", "until"),
  component: lazyRouteComponent(() => import("./team/team-page.tsx"), "TeamPage"),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: "/account",
  component: lazyRouteComponent(() => import("./account/account-page.tsx"), "AccountPage"),
});
const find = createRoute({
  getParentRoute: () => shell,
  path: "/find",
  validateSearch: textsOf("q"),
  component: lazyRouteComponent(() => import("./orders/find-page.tsx"), "FindPage"),
});
const unknown = createRoute({ getParentRoute: () => shell, path: "$", component: () => <NotFound /> });
const invitation = createRoute({ getParentRoute: () => root, path: "/invitation", component: InvitationPage });

const pages = shell.addChildren([
  home,
  orders,
  order,
  balance,
  statement,
  links,
  newLink,
  link,
  subscriptions,
  subscription,
  promotionCodes,
  newPromotionCode,
  promotionCode,
  rublePayments,
  newRublePayment,
  rublePayment,
  webhooks,
  event,
  developers,
  request,
  team,
  account,
  find,
  unknown,
]);

export const router = createRouter({
  routeTree: root.addChildren([pages, invitation]),
  basepath: pagesBase,
  ...searchTexts,
  scrollRestoration: true,
  defaultNotFoundComponent: () => <NotFound isAlone />,
  defaultErrorComponent: ({ error, reset }) => <Failure thrown={error} retry={reset} />,
  defaultPendingComponent: PageSkeleton,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
