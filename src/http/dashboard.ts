import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "./context.ts";
import { methodNotAllowed, plainError } from "./error-response.ts";

/** The files of the two applications: every address of one is drawn by its script. */
const DASHBOARD = "/dashboard/";
const CONSOLE = "/dashboard/console";
/** Files with a digest of their content in their names. */
const ASSETS = "/dashboard/assets/";

/**
 * Scripts and calls of this host alone, no inline script, no frame. Inline styles are allowed, because the library of the
 * pages sets them.
 */
const guarded = secureHeaders({
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
  crossOriginOpenerPolicy: "same-origin",
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    workerSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/**
 * `/dashboard…`: the pages for partners' people. `/ops/console…`: those for operators; below `…/view/<partner>/`, a
 * partner's dashboard for operators. They hold no data: their scripts ask `/partner/…` and `/ops/…` with a session.
 */
export function dashboardPages(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of ["/ops", "/ops/"]) app.get(path, (context) => context.redirect("/ops/console/"));
  // The star matches the address without anything behind it, too.
  for (const path of ["/dashboard/*", "/ops/console/*"]) mountPages(app, path);
  return app;
}

function fileOf(pathname: string): string {
  if (pathname.startsWith(ASSETS)) return pathname;
  return /^\/ops\/console(?!\/view\/)/.test(pathname) ? CONSOLE : DASHBOARD;
}

function mountPages(app: Hono<AppEnv>, path: string): void {
  app.use(path, guarded);
  app.get(path, async (context) => {
    const { assets } = context.get("deps");
    const { origin, pathname } = new URL(context.req.url);
    const isAsset = pathname.startsWith(ASSETS);
    const found = await assets.fetch(new URL(fileOf(pathname), origin));
    if (found.status !== 200) {
      const what = isAsset ? "There is no such file." : "The pages are not built. `npm run site` builds them.";
      return plainError(context, isAsset ? 404 : 503, what);
    }
    const headers = new Headers(found.headers);
    headers.set("Cache-Control", isAsset ? "public, max-age=31536000, immutable" : "no-cache");
    return new Response(found.body, { headers });
  });
  app.all(path, methodNotAllowed("GET, HEAD"));
}
