import { Hono } from "hono";
import { every } from "hono/combine";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";

/** Static files built by `npm run site`: documentation for people, programs and agents. */
const FILES = ["/robots.txt", "/llms.txt", "/openapi.json", "/docs", "/docs/*"] as const;

/**
 * The pages load only from this host and must not be framed. Inline styles are allowed, because the library of the
 * reference page sets them; inline scripts are not. The content is public, so CORS allows every origin.
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

/** Serves static assets through the Worker, because they must be available on this host only. */
const asset = createMiddleware<AppEnv>(async (context) => {
  const found = await context.get("deps").assets.fetch(context.req.raw);
  if (found.status === 404) return plainError(context, 404, "There is no such page. /docs has them all.");
  return new Response(found.body, found);
});

export function docsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of FILES) {
    app.get(path, guarded, asset);
    app.all(path, methodNotAllowed("GET, HEAD"));
  }
  return app;
}
