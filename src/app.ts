import { Hono } from "hono";
import { requestId } from "hono/request-id";
import { routePath } from "hono/route";
import { lazyAsync } from "./core/lazy.ts";
import { errorFields } from "./core/log.ts";
import { newRequestId } from "./core/request-id.ts";
import { isLoopback } from "./core/settings.ts";
import { type Outcome, runTraced, Trace } from "./core/trace.ts";
import type { Deps } from "./deps.ts";
import type { AppEnv } from "./http/context.ts";
import { logUnexpected, plainError } from "./http/error-response.ts";
import { type ShortDomainDeps, shortDomain } from "./http/short-domain/serve.ts";
import { STRICT_TRANSPORT } from "./http/transport-security.ts";
import { createRefusalLimit } from "./rate-limits/refusals.ts";
import { findTarget } from "./short-links/store.ts";

/** Paths that `http/rare-routes.ts` serves. Other requests do not wait for its libraries. */
const RARE = /^\/(?:mcp|ops|partner|dashboard|oauth|\.well-known\/oauth[a-z-]{1,30})(?:\/|$)/;

/** Serves a request of either of the Worker's hosts. */
export type Serve = (request: Request, execution: ExecutionContext) => Response | Promise<Response>;

/**
 * Routes by host: that of the API, and that of the dashboard. In local development, one host serves everything, and short links too,
 * which have a Worker of their own where they are deployed (`links-worker.ts`). The routes of the API and the rare routes
 * are each loaded with their first request.
 */
export function buildServe(deps: Deps): Serve {
  const { local, apiOrigin, dashboardOrigin } = deps.settings;
  const apiHost = new URL(apiOrigin).host;
  const dashboardHost = dashboardOrigin === null ? null : new URL(dashboardOrigin).host;
  const nothing = withDeps(deps).notFound((context) => plainError(context, 404, "Unknown address."));
  const api = lazyAsync(async () => {
    const { apiRoutes, unknownAddress } = await import("./http/api-routes.ts");
    return withDeps(deps).route("/", apiRoutes()).notFound(unknownAddress);
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

  const appOf = ({ host, hostname, pathname }: URL) => {
    if (local ? isLoopback(hostname) : host === apiHost) return RARE.test(pathname) ? rare() : api();
    return host === dashboardHost ? dashboard() : nothing;
  };
  const route: Serve = async (request, execution) => {
    const app = await appOf(new URL(request.url));
    return app.fetch(request, { execution }, execution);
  };
  if (local) {
    const serveShortLink = shortDomain(localShortDomain(deps));
    return (request, execution) =>
      (isLoopback(new URL(request.url).hostname) ? serveShortLink(request, execution) : null) ?? route(request, execution);
  }
  return (request, execution) => (request.url.startsWith("http:") ? refuseHttp() : route(request, execution));
}

/** What short links need, of all that the Worker has. */
function localShortDomain(deps: Deps): ShortDomainDeps {
  return {
    ...deps,
    brand: deps.settings.brand,
    countOpen: (slug, later) => later(countAtSandbox(deps, slug)),
    // Where it is deployed, the platform counts them.
    unknownSlugs: createRefusalLimit(undefined, 1, deps.clock),
    findTarget: async (slug) => (await deps.findById(slug, ({ db }) => findTarget(db.$client, slug)))?.found ?? null,
  };
}

/** Where it is deployed, the platform has a point of each opening. Here the sandbox has them. Without a sandbox, none is counted. */
async function countAtSandbox({ settings }: Deps, slug: string): Promise<void> {
  const address = `${settings.processor.base}/analytics/${settings.analytics?.dataset ?? ""}/${slug}`;
  const response = await fetch(address, { method: "POST" }).catch(() => null);
  await response?.body?.cancel();
}

/**
 * A deployed service only accepts https. A request over http has exposed its key on the network, so it is refused and its
 * author notices.
 */
function refuseHttp(): Response {
  const error = "Use https. A key that was sent without it may have been read by others: revoke it.";
  const headers = { "X-Request-Id": newRequestId(), "Cache-Control": "no-store" };
  return Response.json({ success: false, error }, { status: 403, headers });
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
    for (const written of [deps.keyUses.write(deps), deps.refusedKeys.write(deps)]) {
      if (written === null) continue;
      context.executionCtx.waitUntil(written.catch((thrown: unknown) => own.log.error("uses of keys not written", errorFields(thrown))));
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
const operationAt = (route: string): string | null => (route === "/*" ? null : route);
