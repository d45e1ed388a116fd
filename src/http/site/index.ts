import { Hono } from "hono";
import { every } from "hono/combine";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../plain.ts";

/** What is served as it was built (`npm run site`): documentation for people, programs and agents. */
const FILES = ["/robots.txt", "/llms.txt", "/openapi.json", "/docs", "/docs/*"] as const;

/**
 * The pages ask nobody but this host, and nobody may frame them. Styles may be inline, since the reference page's
 * library sets them; scripts may not. What is here is for anybody, so a page elsewhere may read it.
 */
const guarded = every(
  secureHeaders({
    referrerPolicy: "no-referrer",
    xFrameOptions: "DENY",
    crossOriginResourcePolicy: false,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", "data:"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  }),
  cors({ origin: "*" }),
);

/** Static assets, by the Worker, since they must answer on this host alone. */
const asset = createMiddleware<AppEnv>(async (context) => {
  const found = await context.get("tools").assets.fetch(context.req.raw);
  if (found.status === 404) return plainError(context, 404, "There is no such page. /docs has them all.");
  return new Response(found.body, found);
});

export function siteRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of FILES) {
    app.get(path, guarded, asset);
    app.all(path, methodNotAllowed("GET, HEAD"));
  }
  return app;
}
