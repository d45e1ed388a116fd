import { Hono, type NotFoundHandler } from "hono";
import { requestId } from "hono/request-id";
import { routePath } from "hono/route";
import { newRequestId } from "./core/ids.ts";
import { errorFields } from "./core/log.ts";
import { REDIRECT } from "./core/reports.ts";
import { isLoopback } from "./core/settings.ts";
import { type Outcome, runTraced, Trace } from "./core/trace.ts";
import type { Deps } from "./deps.ts";
import type { AppEnv } from "./http/context.ts";
import { docsRoutes } from "./http/docs/index.ts";
import { logUnexpected, plainError } from "./http/error-response.ts";
import { healthRoutes } from "./http/health.ts";
import { bankIngest } from "./http/ingest/bank.ts";
import { processorIngest } from "./http/ingest/processor.ts";
import { followFirst, shortHostsOf } from "./http/short-domain/follow-first.ts";
import { addShortDomain, addShortLinks, cleanedLinkOr, slugPath } from "./http/short-domain/index.ts";
import { STRICT_TRANSPORT } from "./http/transport-security.ts";
import { creations, v1Routes, withStatuses } from "./http/v1/index.ts";
import { operations, v2Routes } from "./http/v2/index.ts";
import type { Resolved } from "./short-links/resolve.ts";

/** Paths that `http/rare-routes.ts` serves. Other requests start without the libraries of these routes. */
const RARE = /^\/(?:mcp|ops|partner|dashboard|oauth|\.well-known)(?:\/|$)/;

/**
 * Routes requests by host. In local development one host serves everything. Otherwise the short domain and the dashboard
 * are separate.
 */
export function buildApp(deps: Deps): (request: Request, context: ExecutionContext) => Response | Promise<Response> {
  return followFirst(deps, buildServe(deps));
}

/** Serves what `followFirst` leaves: `shortLink` is what it knows of the request's slug. */
export function buildServe(
  deps: Deps,
): (request: Request, execution: ExecutionContext, shortLink: Resolved | undefined) => Response | Promise<Response> {
  const apiHost = new URL(deps.settings.apiOrigin).host;
  const shortHosts = shortHostsOf(deps.settings);
  const api = describingNotFound(withDeps(deps).route("/", apiRoutes()));
  const short = addShortDomain(withDeps(deps));
  const combined = addShortLinks(withDeps(deps).route("/", apiRoutes())).notFound(cleanedLinkOr(unknownAddress));
  const unknownHost = withDeps(deps).notFound((context) => plainError(context, 404, "Unknown address."));
  const { dashboardOrigin } = deps.settings;
  const dashboardHost = dashboardOrigin === null ? null : new URL(dashboardOrigin).host;
  const rareApp = once(async () => {
    const { rareRoutes } = await import("./http/rare-routes.ts");
    return describingNotFound(withDeps(deps).route("/", rareRoutes(deps.settings)));
  });
  const dashboardApp = once(async () => {
    const { dashboardRoutes } = await import("./http/rare-routes.ts");
    return withDeps(deps)
      .route("/", dashboardRoutes())
      .notFound((context) => plainError(context, 404, "Unknown address."));
  });

  const appOf = ({ host, hostname }: URL) => {
    if (deps.settings.local) return isLoopback(hostname) ? combined : unknownHost;
    if (host === apiHost) return shortHosts.has(host) ? combined : api;
    return shortHosts.has(host) ? short : unknownHost;
  };
  return (request, execution, shortLink) => {
    const url = new URL(request.url);
    const own = { shortLink, execution };
    if (!deps.settings.local && url.host === dashboardHost) return dashboardApp().then((loaded) => loaded.fetch(request, own, execution));
    const app = appOf(url);
    if (app === short || app === unknownHost || !RARE.test(url.pathname)) return app.fetch(request, own, execution);
    return rareApp().then((loaded) => loaded.fetch(request, own, execution));
  };
}

const unknownAddress: NotFoundHandler<AppEnv> = (context) => plainError(context, 404, whereInstead(context.req.path));

function describingNotFound(app: Hono<AppEnv>): Hono<AppEnv> {
  return app.notFound(unknownAddress);
}

/**
 * Says where the operation is if a request came to another path: one with a version in it, or a path of the other
 * generation.
 */
function whereInstead(path: string): string {
  const name = path.split("/").findLast((part) => part !== "");
  const found = [...operations, ...creations, ...withStatuses].find((operation) => operation.name === name);
  if (found === undefined) return "Unknown address. See /docs.";
  return `Unknown address. This operation is at POST ${found.path}.`;
}

/** Builds an app on its first request. */
function once(build: () => Promise<Hono<AppEnv>>): () => Promise<Hono<AppEnv>> {
  let built: Hono<AppEnv> | undefined;
  return async () => (built ??= await build());
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

function apiRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .route("/", healthRoutes())
    .route("/", v1Routes())
    .route("/", v2Routes())
    .route("/", processorIngest())
    .route("/", bankIngest())
    .route("/", docsRoutes());
}
