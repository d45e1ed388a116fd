import type { Context, Hono } from "hono";
import { every } from "hono/combine";
import { createMiddleware } from "hono/factory";
import { NONCE, secureHeaders } from "hono/secure-headers";
import { resolveShortLink } from "../../short-links/short-links.ts";
import { slugPattern } from "../../short-links/slug.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected, methodNotAllowed } from "../error-response.ts";
import { failurePage, unknownLinkPage } from "./pages.ts";

const slugPath = `/:slug{${slugPattern.source.replaceAll(/[\^$]/g, "")}}`;

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

/** `GET` and `HEAD /<slug>`: redirects to the checkout with the query (interface L.2). For an app with other routes too. */
export function addShortLinks(app: Hono<AppEnv>): Hono<AppEnv> {
  // Hono answers HEAD from the GET route, without its body.
  app.get(slugPath, guardedPage, follow);
  app.all(slugPath, methodNotAllowed("GET, HEAD"));
  return app;
}

/** The short domain alone: slugs. Every other path gets the page for an unknown slug. */
export function addShortDomain(app: Hono<AppEnv>): Hono<AppEnv> {
  app.use(guardedPage);
  return addShortLinks(app).notFound(unknownLinkPage);
}

async function follow(context: Context<AppEnv>): Promise<Response> {
  const slug = context.req.param("slug") ?? "";
  try {
    const target = await resolveShortLink(context.get("deps"), slug, (task) => context.executionCtx.waitUntil(task));
    if (target === null) return await unknownLinkPage(context);
    return context.redirect(withQuery(target, new URL(context.req.url).searchParams), 302);
  } catch (thrown) {
    logUnexpected(thrown, context);
    return failurePage(context);
  }
}

/** Appends the customer's query (`client_reference_id` and others). Parameters of the link itself win. */
function withQuery(target: string, query: URLSearchParams): string {
  const url = new URL(target);
  const own = new Set(url.searchParams.keys());
  for (const [name, value] of query) {
    if (!own.has(name)) url.searchParams.append(name, value);
  }
  return url.href;
}
