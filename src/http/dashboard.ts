import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "./context.ts";
import { methodNotAllowed, plainError } from "./error-response.ts";

/** The file of every address of the dashboard: the pages are drawn by its script. */
const PAGE = "/dashboard/";
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

/** `/dashboard…`: the pages for partners' people. They hold no data: their script asks `/partner/…` with the session. */
export function dashboardPages(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // The star matches the address without anything behind it, too.
  const path = "/dashboard/*";
  app.use(path, guarded);
  app.get(path, async (context) => {
    const { assets } = context.get("deps");
    const { origin, pathname } = new URL(context.req.url);
    const isAsset = pathname.startsWith(ASSETS);
    const found = await assets.fetch(new URL(isAsset ? pathname : PAGE, origin));
    if (found.status !== 200) {
      const what = isAsset ? "There is no such file." : "The pages are not built. `npm run site` builds them.";
      return plainError(context, isAsset ? 404 : 503, what);
    }
    const headers = new Headers(found.headers);
    headers.set("Cache-Control", isAsset ? "public, max-age=31536000, immutable" : "no-cache");
    return new Response(found.body, { headers });
  });
  app.all(path, methodNotAllowed("GET, HEAD"));
  return app;
}
