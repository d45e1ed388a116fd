import { Hono } from "hono";
import type { AppEnv } from "./context.ts";
import { mcpRoutes } from "./mcp/index.ts";
import { oauthRoutes } from "./oauth/index.ts";
import { createOAuthServer } from "./oauth/server.ts";
import { opsRoutes } from "./ops/index.ts";

/** What few isolates serve: agents, signing in of their hosts, and operators. Loaded when first asked for (`app.ts`). */
export function rareRoutes(apiOrigin: string): Hono<AppEnv> {
  const oauth = createOAuthServer(apiOrigin);
  return new Hono<AppEnv>().route("/", mcpRoutes(oauth)).route("/", oauthRoutes(oauth)).route("/", opsRoutes());
}
