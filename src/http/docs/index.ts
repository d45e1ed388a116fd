import { Hono } from "hono";
import { every } from "hono/combine";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { type ContentSecurityPolicyOptionHandler, secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";
import { creations, withStatuses } from "../v1/index.ts";
import { operations } from "../v2/index.ts";

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

/** The hosts in the samples of docs/: the edge and the sandbox of a local stack on their usual ports. */
const SAMPLE_HOSTS = { edge: "http://localhost:8787", sandbox: "http://localhost:8788" };

/** Names in the samples that only exist in a local stack, and their placeholders in a deployed service. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/a0000000-0000-4000-8000-00000000000[0-9a-f]/g, "YOUR_API_KEY"],
  [/prod_acme[A-Za-z]*(\d*)/g, "prod_YOURS$1"],
  [/http:\/\/localhost:8788\/inbox\/\w+/g, "https://your-shop.example/hook"],
];

/** The pages about the service on one's own machine, with its keys and products, and where a partner has it (packages/local). */
const LOCAL_PAGE = /^\/docs\/(?:test-data|quickstart|local|testing-your-receiver)\b/;
const LOCAL_HOSTS = { edge: "http://localhost:8790", sandbox: "http://localhost:8791" };

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
  const own = settings.local
    ? withHosts(text, { edge: origin, sandbox: new URL(settings.processor.base).origin })
    : LOCAL_PAGE.test(pathname)
      ? withHosts(text.replaceAll(`${SAMPLE_HOSTS.edge}/packages/`, `${origin}/packages/`), LOCAL_HOSTS)
      : withHosts(
          PLACEHOLDERS.reduce((sample, [local, placeholder]) => sample.replace(local, placeholder), text),
          { ...SAMPLE_HOSTS, edge: origin },
        );
  if (own !== text) {
    // These headers describe the file, not the rewritten body.
    headers.delete("ETag");
    headers.set("Cache-Control", "public, max-age=300");
  }
  return new Response(own, { headers });
});

const withHosts = (text: string, { edge, sandbox }: typeof SAMPLE_HOSTS): string =>
  text.replaceAll(SAMPLE_HOSTS.edge, edge).replaceAll(SAMPLE_HOSTS.sandbox, sandbox);

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
