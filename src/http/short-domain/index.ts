import type { Context, Hono, NotFoundHandler } from "hono";
import { every } from "hono/combine";
import { createMiddleware } from "hono/factory";
import { NONCE, secureHeaders } from "hono/secure-headers";
import { resolveFromMemory } from "../../short-links/resolve.ts";
import { resolveFromDatabase } from "../../short-links/resolve-from-database.ts";
import { slugPattern } from "../../short-links/slug.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected, methodNotAllowed } from "../error-response.ts";
import { failurePage, tooManyPage, unknownLinkPage } from "./pages.ts";
import { cleanedAddress, redirectTo } from "./redirect.ts";

/** The route of a short link. */
export const slugPath = `/:slug{${slugPattern.source.replaceAll(/[\^$]/g, "")}}`;

/** Responses must not be indexed, framed or cached, and no referrer is sent to the checkout. */
const guardedPage = every(
  secureHeaders({
    referrerPolicy: "no-referrer",
    xFrameOptions: "DENY",
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: [NONCE],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  }),
  createMiddleware(async (context, next) => {
    await next();
    context.header("X-Robots-Tag", "noindex, nofollow");
    context.header("Cache-Control", "no-store");
  }),
);

/**
 * `GET` and `HEAD /<slug>`: redirects to the checkout with the query (interface L.2), for slugs that neither the
 * isolate nor KV knows. `redirect.ts` has answered the others. For an app with other routes too.
 */
export function addShortLinks(app: Hono<AppEnv>): Hono<AppEnv> {
  // Hono answers HEAD from the GET route, without its body.
  app.get(slugPath, guardedPage, follow);
  app.all(slugPath, methodNotAllowed("GET, HEAD"));
  return app;
}

/** Redirects to the clean address of a short link if other characters surround its slug; other paths get `notFound`. */
export function cleanedLinkOr(notFound: NotFoundHandler<AppEnv>): NotFoundHandler<AppEnv> {
  return (context) => {
    const isRead = context.req.method === "GET" || context.req.method === "HEAD";
    const address = isRead ? cleanedAddress(new URL(context.req.url)) : null;
    return address === null ? notFound(context) : context.redirect(address, 302);
  };
}

/** The short domain alone: slugs. Every other path gets the page for an unknown slug. */
export function addShortDomain(app: Hono<AppEnv>): Hono<AppEnv> {
  app.use(guardedPage);
  return addShortLinks(app).notFound(cleanedLinkOr(unknownLinkPage));
}

async function follow(context: Context<AppEnv>): Promise<Response> {
  const slug = context.req.param("slug") ?? "";
  try {
    const deps = context.get("deps");
    const { unknownSlugs } = deps.rateLimits;
    let resolved = context.env.shortLink ?? resolveFromMemory(deps, slug);
    if (resolved === undefined) {
      const wait = await unknownSlugs.waitForSlot(deps.address);
      if (wait > 0) return await tooManyPage(context, wait);
      resolved = await resolveFromDatabase(deps, slug, (task) => context.executionCtx.waitUntil(task));
    }
    if (resolved.found !== "target") {
      if (resolved.found === "nothing") await unknownSlugs.refuse(deps.address);
      return await unknownLinkPage(context);
    }
    return redirectTo(resolved.target.url, new URL(context.req.url).search.slice(1), context.get("requestId"));
  } catch (thrown) {
    logUnexpected(thrown, context);
    return failurePage(context);
  }
}
