import { newRequestId } from "../../core/ids.ts";
import type { Deps } from "../../deps.ts";
import { hasRightCheck, slugPattern } from "../../short-links/slug.ts";
import { fromCache, isCheckout, type Target } from "../../short-links/target.ts";

/** The same protections as on the pages, as far as they mean something on a redirect. */
const HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=15552000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

/** 302 to the checkout (interface L.2). */
export function redirectTo(target: string, query: string, requestId: string): Response {
  return new Response(null, { status: 302, headers: { ...HEADERS, Location: withQuery(target, query), "X-Request-Id": requestId } });
}

/** What can stand in a header, and can be appended to an address as it is. */
const PLAIN_QUERY = /^[\x21-\x7e]*$/;

/**
 * Appends the customer's query (`client_reference_id` and others) to a target. Parameters of the link itself win.
 * @param query as it came, without its question mark.
 */
export function withQuery(target: string, query: string): string {
  if (query === "") return target;
  if (!target.includes("?") && !target.includes("#") && PLAIN_QUERY.test(query)) return `${target}?${query}`;
  const url = new URL(target);
  const own = new Set(url.searchParams.keys());
  for (const [name, value] of new URLSearchParams(query)) {
    if (!own.has(name)) url.searchParams.append(name, value);
  }
  return url.href;
}

/** The parts of a request's address that a redirect needs. Null if its path is no slug. */
export function slugAndQueryOf(url: string): { readonly host: string; readonly slug: string; readonly query: string } | null {
  const hostAt = url.indexOf("//") + 2;
  const pathAt = url.indexOf("/", hostAt);
  const queryAt = url.indexOf("?", pathAt);
  const slug = url.slice(pathAt + 1, queryAt === -1 ? undefined : queryAt);
  if (pathAt === -1 || !slugPattern.test(slug)) return null;
  return { host: url.slice(hostAt, pathAt), slug, query: queryAt === -1 ? "" : url.slice(queryAt + 1) };
}

type RedirectDeps = Pick<Deps, "hotLinks" | "disabledPartners" | "shortLinkCache" | "checkoutOrigins" | "clock" | "log" | "reports">;

/**
 * Answers a short link that this isolate or KV knows, before anything else is built for the request: it is what
 * customers wait for. `rest` serves all other requests, and gets whether KV has been asked already and has no such slug.
 */
export function redirectFirst(
  { hotLinks, disabledPartners, shortLinkCache, checkoutOrigins, clock, log, reports }: RedirectDeps,
  isShortHost: (host: string) => boolean,
  rest: (request: Request, context: ExecutionContext, isMissingInCache: boolean) => Response | Promise<Response>,
): (request: Request, context: ExecutionContext) => Response | Promise<Response> {
  return (request, context) => {
    const asked = request.method === "GET" || request.method === "HEAD" ? slugAndQueryOf(request.url) : null;
    if (asked === null || !isShortHost(asked.host)) return rest(request, context, false);
    const { slug, query } = asked;
    const now = clock.now();
    const hot = disabledPartners.isDue(now) ? undefined : hotLinks.get(slug, now);
    if (hot !== undefined) return redirectOrNull(hot, query, null) ?? rest(request, context, false);
    if (!hasRightCheck(slug) || hotLinks.isUnknown(slug, now)) return rest(request, context, true);
    return lookUp(slug, query, (isMissing) => rest(request, context, isMissing));
  };

  /** The list of disabled partners is read beside the slug, once a minute. */
  async function lookUp(slug: string, query: string, otherwise: (isMissing: boolean) => Response | Promise<Response>): Promise<Response> {
    const began = clock.now();
    const isDue = disabledPartners.isDue(began);
    const hot = isDue ? hotLinks.get(slug, clock.now()) : undefined;
    const [found] = await Promise.all([hot ?? readCache(slug), isDue ? disabledPartners.refresh(shortLinkCache, clock.now(), log) : null]);
    if (found === undefined || found === null) return otherwise(found === null);
    // The router answers, and asks the database.
    if (!isCheckout(found, checkoutOrigins)) return otherwise(true);
    if (hot === undefined) hotLinks.remember(slug, found, clock.now());
    return redirectOrNull(found, query, began) ?? otherwise(false);
  }

  /** `began`: when something was asked for it. Null also for a target of a disabled partner, and for one that is no address: then the router answers. */
  function redirectOrNull({ partnerId, url }: Target, query: string, began: number | null): Response | null {
    if (disabledPartners.has(partnerId)) return null;
    try {
      const request = newRequestId();
      const redirect = redirectTo(url, query, request);
      reports.redirected(request, began === null ? 0 : clock.now() - began);
      return redirect;
    } catch {
      return null;
    }
  }

  /** Undefined if KV fails: then it is asked again where its failure is logged with the request. */
  async function readCache(slug: string): Promise<Target | null | undefined> {
    try {
      const text = await shortLinkCache.get(slug);
      return text === null ? null : fromCache(text);
    } catch {
      return undefined;
    }
  }
}
