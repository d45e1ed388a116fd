import { Hono } from "hono";
import { requestId } from "hono/request-id";
import { routePath } from "hono/route";
import { newRequestId } from "./core/ids.ts";
import { lazyAsync } from "./core/lazy.ts";
import { errorFields } from "./core/log.ts";
import { REDIRECT } from "./core/reports.ts";
import { isLoopback } from "./core/settings.ts";
import { type Outcome, runTraced, Trace } from "./core/trace.ts";
import type { Deps } from "./deps.ts";
import type { AppEnv } from "./http/context.ts";
import { logUnexpected, plainError } from "./http/error-response.ts";
import { shortHostsOf } from "./http/short-domain/follow-first.ts";
import { addShortDomain, addShortLinks, cleanedLinkOr, slugPath } from "./http/short-domain/index.ts";
import { STRICT_TRANSPORT } from "./http/transport-security.ts";
import type { Resolved } from "./short-links/resolve.ts";
import { slugPattern } from "./short-links/slug.ts";

/** Paths that `http/rare-routes.ts` serves. Other requests do not wait for its libraries. */
const RARE = /^\/(?:mcp|ops|partner|dashboard|oauth|\.well-known\/oauth[a-z-]{1,30})(?:\/|$)/;

/**
 * Routes what `followFirst` leaves by host. In local development one host serves everything. Otherwise the short domain and the
 * dashboard are separate. `shortLink` is what it knows of the request's slug. The routes of the API and the rare
 * routes are each loaded with their first request, so a short link waits for neither.
 */
export function buildServe(
  deps: Deps,
): (request: Request, execution: ExecutionContext, shortLink: Resolved | undefined) => Promise<Response> {
  const { local, apiOrigin, dashboardOrigin } = deps.settings;
  const apiHost = new URL(apiOrigin).host;
  const shortHosts = shortHostsOf(deps.settings);
  const dashboardHost = dashboardOrigin === null ? null : new URL(dashboardOrigin).host;
  const shortLinks = addShortLinks(withDeps(deps));
  const shortDomain = addShortDomain(withDeps(deps));
  const nothing = withDeps(deps).notFound((context) => plainError(context, 404, "Unknown address."));
  const api = lazyAsync(async () => {
    const { apiRoutes, unknownAddress } = await import("./http/api-routes.ts");
    return withDeps(deps).route("/", apiRoutes()).notFound(unknownAddress);
  });
  const apiBesideShortLinks = lazyAsync(async () => {
    const { apiRoutes, unknownAddress } = await import("./http/api-routes.ts");
    return addShortLinks(withDeps(deps).route("/", apiRoutes())).notFound(cleanedLinkOr(unknownAddress));
  });
  const rare = lazyAsync(async () => {
    const [{ rareRoutes }, { unknownAddress }] = await Promise.all([import("./http/rare-routes.ts"), import("./http/api-routes.ts")]);
    return withDeps(deps).route("/", rareRoutes(deps.settings)).notFound(unknownAddress);
  });
  const dashboard = lazyAsync(async () => {
    const { dashboardRoutes } = await import("./http/rare-routes.ts");
    return withDeps(deps)
      .route("/", dashboardRoutes())
      .notFound((context) => plainError(context, 404, "Unknown address."));
  });

  const onApiHost = (pathname: string, hasShortLinks: boolean) => {
    if (RARE.test(pathname)) return rare();
    if (!hasShortLinks) return api();
    return slugPattern.test(pathname.slice(1)) ? shortLinks : apiBesideShortLinks();
  };
  const appOf = ({ host, hostname, pathname }: URL) => {
    if (local) return isLoopback(hostname) ? onApiHost(pathname, true) : nothing;
    if (host === dashboardHost) return dashboard();
    if (host === apiHost) return onApiHost(pathname, shortHosts.has(host));
    return shortHosts.has(host) ? shortDomain : nothing;
  };
  return async (request, execution, shortLink) => {
    const app = await appOf(new URL(request.url));
    return app.fetch(request, { shortLink, execution }, execution);
  };
}

function withDeps(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // Always generate the request id: support searches by it, so callers must not choose it.
  app.use(requestId({ headerName: "", generator: newRequestId }), async (context, next) => {
    const request = context.get("requestId");
    const own = deps.forRequest(request, context.req.header("CF-Connecting-IP") ?? "unknown");
    context.set("deps", own);
    const work = new Trace();
    const began = deps.clock.now();
    await runTraced(work, next);
    work.operation ??= operationAt(routePath(context, -1));
    work.outcome = work.isCallerGone ? "refused" : outcomeOf(work.outcome, context.res.status);
    if (work.isCallerGone) work.code = "caller_gone";
    deps.reports.ended("request", work, { ms: deps.clock.now() - began, status: context.res.status, method: context.req.method }, own.log);
    const uses = deps.keyUses.write(deps);
    if (uses !== null) {
      context.executionCtx.waitUntil(uses.catch((thrown: unknown) => own.log.error("uses of keys not written", errorFields(thrown))));
    }
    // Responses that were not created through the context need the header too.
    context.header("X-Request-Id", request);
    if (!context.res.headers.has("Cache-Control")) context.header("Cache-Control", "no-store");
    if (!deps.settings.local) context.header("Strict-Transport-Security", STRICT_TRANSPORT);
  });
  app.onError((thrown, context) => {
    logUnexpected(thrown, context);
    return plainError(context, 500, "Something failed on our side.");
  });
  return app;
}

/** An operation states its outcome, whatever the HTTP status. For other requests, the status determines the outcome. */
function outcomeOf(said: Outcome, status: number): Outcome {
  if (status >= 500) return "failed";
  return status >= 400 && said === "success" ? "refused" : said;
}

/** The name of a route's operation if its handler did not set one; null if there is no route. */
function operationAt(route: string): string | null {
  if (route === slugPath) return REDIRECT;
  return route === "/*" ? null : route;
}
