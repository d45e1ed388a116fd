import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";
import { requireOperator, requireRole } from "./operator-auth.ts";

/** Pages without a script: their styles and pictures are their own. */
const guarded = secureHeaders({
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
  crossOriginOpenerPolicy: "same-origin",
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/**
 * `/ops/docs/<page>`: the documentation for operators, after their sign-in. A page for partners is at `/docs/<page>`, where this address
 * leads to.
 */
export function operatorsDocs(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const path = "/ops/docs/:page{[a-z-]+}";
  app.get(path, guarded, requireOperator, async (context) => {
    requireRole(context.get("roles"), "any");
    const { assets, settings } = context.get("deps");
    const page = context.req.param("page");
    const { origin } = new URL(context.req.url);
    const found = await assets.fetch(new URL(`/operators/${page}`, origin));
    if (found.status === 200) return new Response(found.body, { headers: { "Content-Type": "text/html; charset=utf-8" } });
    const partners = await assets.fetch(new URL(`/docs/${page}`, origin), { method: "HEAD" });
    // The console's host has no pages for partners.
    if (partners.status === 200) return context.redirect(`${settings.apiOrigin}/docs/${page}`);
    return plainError(context, 404, "There is no such page. /ops/docs/operations begins with what operators do.");
  });
  app.all(path, methodNotAllowed("GET, HEAD"));
  return app;
}
