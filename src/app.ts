import { Hono } from "hono";
import { requestId } from "hono/request-id";
import { isLoopback } from "./core/settings.ts";
import type { Tools } from "./deps.ts";
import type { AppEnv } from "./http/context.ts";
import { bankIngest } from "./http/ingest/bank.ts";
import { processorIngest } from "./http/ingest/processor.ts";
import { mcpRoutes } from "./http/mcp/index.ts";
import { opsRoutes } from "./http/ops/index.ts";
import { logUnexpected, methodNotAllowed, plainError } from "./http/plain.ts";
import { addShortDomain, addShortLinks } from "./http/short-domain/index.ts";
import { siteRoutes } from "./http/site/index.ts";
import { v1Routes } from "./http/v1/index.ts";
import { v2Routes } from "./http/v2/index.ts";

/** Which host serves what. In local development one host serves all of it; elsewhere the short domain stands apart. */
export function buildApp(tools: Tools): (request: Request, context: ExecutionContext) => Response | Promise<Response> {
  const apiHost = new URL(tools.settings.apiOrigin).host;
  const shortHost = new URL(tools.settings.shortLinkOrigin).host;
  const api = withTools(tools).route("/", apiRoutes());
  const short = addShortDomain(withTools(tools));
  const both = addShortLinks(withTools(tools).route("/", apiRoutes()));
  const nowhere = withTools(tools);
  for (const app of [api, both]) {
    app.notFound((context) => plainError(context, 404, "There is nothing at this address. What there is stands at /docs."));
  }
  nowhere.notFound((context) => plainError(context, 404, "There is nothing at this address."));

  const appOf = ({ host, hostname }: URL) => {
    if (tools.settings.local) return isLoopback(hostname) ? both : nowhere;
    if (host === apiHost) return host === shortHost ? both : api;
    return host === shortHost ? short : nowhere;
  };
  return (request, context) => appOf(new URL(request.url)).fetch(request, {}, context);
}

function withTools(tools: Tools): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // Always one of ours: support finds a request by it, so no caller may choose it.
  app.use(requestId({ headerName: "" }), async (context, next) => {
    const request = context.get("requestId");
    context.set("tools", { ...tools, ...tools.forRequest(request) });
    await next();
    // Also on an answer that was not made by way of the context.
    context.header("X-Request-Id", request);
  });
  app.onError((thrown, context) => {
    logUnexpected(thrown, context);
    return plainError(context, 500, "Something failed on our side.");
  });
  return app;
}

function apiRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/health", (context) => context.json({ status: "ok" }));
  app.all("/health", methodNotAllowed("GET, HEAD"));
  return app
    .route("/", v1Routes())
    .route("/", v2Routes())
    .route("/", processorIngest())
    .route("/", bankIngest())
    .route("/", mcpRoutes())
    .route("/", opsRoutes())
    .route("/", siteRoutes());
}
