import { Hono } from "hono";
import type { Deps } from "../deps.ts";
import type { AppEnv } from "./context.ts";
import { dashboardPages } from "./dashboard.ts";
import { mcpRoutes } from "./mcp/index.ts";
import { oauthRoutes } from "./oauth/index.ts";
import { createOAuthServer } from "./oauth/server.ts";
import { opsRoutes } from "./ops/index.ts";
import { partnerRoutes } from "./partner/index.ts";
import { localSignIn } from "./partner/local-sign-in.ts";

/**
 * Routes that few isolates serve: agents, their sign-in, operators, and partners who look after
 * themselves. Loaded on the first such request (`app.ts`). The dashboard has a host of its own, except locally.
 */
export function rareRoutes({ apiOrigin, local }: Pick<Deps["settings"], "apiOrigin" | "local">): Hono<AppEnv> {
  const oauth = createOAuthServer(apiOrigin);
  const pages = local ? dashboardPages() : new Hono<AppEnv>();
  return new Hono<AppEnv>()
    .route("/", mcpRoutes(oauth))
    .route("/", oauthRoutes(oauth))
    .route("/", localSignIn())
    .route("/", pages)
    .route("/", opsRoutes())
    .route("/", partnerRoutes());
}

/** The routes of the dashboard's own host, where no key is accepted: the pages of both applications, and the calls that they make. */
export function dashboardRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .route("/", partnerRoutes())
    .route("/", dashboardPages())
    .route("/", opsRoutes())
    .get("/", (context) => context.redirect("/dashboard"));
}
