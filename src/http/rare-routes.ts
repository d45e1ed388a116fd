import { Hono } from "hono";
import type { AppEnv } from "./context.ts";
import { mcpRoutes } from "./mcp/index.ts";
import { oauthRoutes } from "./oauth/index.ts";
import { createOAuthServer } from "./oauth/server.ts";
import { opsRoutes } from "./ops/index.ts";
import { partnerRoutes } from "./partner/index.ts";
import { localSignIn } from "./partner/local-sign-in.ts";

/**
 * Routes that few isolates serve: agents, their sign-in, operators, and partners who look after
 * themselves. Loaded on the first such request (`app.ts`).
 */
export function rareRoutes(apiOrigin: string): Hono<AppEnv> {
  const oauth = createOAuthServer(apiOrigin);
  return new Hono<AppEnv>()
    .route("/", mcpRoutes(oauth))
    .route("/", oauthRoutes(oauth))
    .route("/", opsRoutes())
    .route("/", partnerRoutes())
    .route("/", localSignIn());
}

/** The routes of the dashboard's own host, where no key is accepted. */
export function dashboardRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().route("/", partnerRoutes());
}
