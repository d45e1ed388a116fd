import { Hono } from "hono";
import { every } from "hono/combine";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { type ContentSecurityPolicyOptionHandler, secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";
import { creations, withStatuses } from "../v1/index.ts";
import { operations } from "../v2/index.ts";
import { fitted } from "./fitted.ts";

/** Static files built by `npm run site`: documentation for people, programs and agents, and what partners install. */
const FILES = [
  "/robots.txt",
  "/llms.txt",
  "/llms-full.txt",
  "/openapi.json",
  "/docs",
  "/docs/*",
  "/packages/*",
  "/.well-known/agent-skills/*",
] as const;

const operationPaths = [...operations, ...creations, ...withStatuses].map(({ path }) => path);

/** A CSP source for one path of the requested host. */
const ownPath =
  (path: string): ContentSecurityPolicyOptionHandler =>
  (context) =>
    `${new URL(context.req.url).origin}${path}`;

/**
 * The pages load only from this host and must not be framed. Inline styles are allowed, because the highlighted samples
 * have them; inline scripts are not. A page may read other pages, and call the operations, which take a key alone: never what takes a
 * session of this host. The content is public, so CORS allows every origin.
 */
const guarded = every(
  secureHeaders({
    referrerPolicy: "no-referrer",
    xFrameOptions: "DENY",
    crossOriginOpenerPolicy: "same-origin",
    crossOriginResourcePolicy: false,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", "data:"],
      connectSrc: [ownPath("/docs/"), ...operationPaths.map(ownPath)],
      // A service worker could answer for pages of this host, with its own policy.
      workerSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  }),
  cors({ origin: "*" }),
);

/** Content with samples. */
const WITH_SAMPLES = /^text\/(?:html|markdown|javascript|plain|xml)|^application\/(?:json|javascript|xml)/;

/**
 * Serves static assets through the Worker, because they must be available on this host only. Samples get the requested
 * host, so that they can be used unchanged; in local development they also get the sandbox's own port.
 */
const asset = createMiddleware<AppEnv>(async (context) => {
  const { assets, settings } = context.get("deps");
  const { origin, pathname } = new URL(context.req.url);
  const found = await assets.fetch(context.req.raw);
  if (found.status === 404) {
    if (!acceptsPages(context.req.header("Accept"))) return plainError(context, 404, "There is no such page. /docs lists all pages.");
    const page = await assets.fetch(new URL("/docs/404", origin));
    return new Response(page.body, { status: 404, headers: page.headers });
  }
  const headers = new Headers(found.headers);
  // A file name with a content digest always has the same content.
  if (/\.[\w-]{8}\.(?:lean\.)?(?:js|css)$/.test(pathname)) headers.set("Cache-Control", "public, max-age=31536000, immutable");
  // A published version never changes. On a developer's machine it does.
  if (/^\/packages\/[\w.-]{1,80}\.(?:tgz|whl)$/.test(pathname) && found.status === 200)
    headers.set("Cache-Control", settings.local ? "no-store" : "public, max-age=31536000, immutable");
  if (found.status !== 200 || !WITH_SAMPLES.test(headers.get("Content-Type") ?? ""))
    return new Response(found.body, { status: found.status, headers });
  const text = await found.text();
  const own = fitted(text, pathname, origin, settings);
  if (own !== text) {
    // These headers describe the file, not the rewritten body.
    headers.delete("ETag");
    headers.set("Cache-Control", "public, max-age=300");
  }
  return new Response(own, { headers });
});

/** Browsers ask for HTML; programs ask for anything, or for JSON. */
const acceptsPages = (accept: string | undefined): boolean => accept?.includes("text/html") ?? false;

/** The documentation, and the API description. */
export function docsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of FILES) {
    app.get(path, guarded, asset);
    app.all(path, methodNotAllowed("GET, HEAD"));
  }
  return app;
}
