import { newRequestId } from "../../core/ids.ts";
import { isLoopback, type Settings } from "../../core/settings.ts";
import type { Resolved } from "../../short-links/resolve.ts";
import { type RedirectDeps, redirectFirst, slugAndQueryOf } from "./redirect.ts";

type Hosts = Pick<Settings, "local" | "shortLinkOrigin" | "shortLinkHosts">;

/** The hosts of short links. */
export function shortHostsOf({ shortLinkOrigin, shortLinkHosts }: Omit<Hosts, "local">): ReadonlySet<string> {
  return new Set([new URL(shortLinkOrigin).host, ...shortLinkHosts]);
}

/**
 * Answers what needs nothing but the front of the isolate: a request without https, and a short link that the isolate or
 * KV knows. `serveOther` serves all others, and gets the known state of the slug (undefined: unknown).
 */
export function followFirst(
  deps: RedirectDeps & { readonly settings: Hosts },
  serveOther: (request: Request, context: ExecutionContext, resolved: Resolved | undefined) => Response | Promise<Response>,
): (request: Request, context: ExecutionContext) => Response | Promise<Response> {
  const shortHosts = shortHostsOf(deps.settings);
  if (deps.settings.local) return redirectFirst(deps, isLoopbackHost, serveOther);
  const follow = redirectFirst(deps, (host) => shortHosts.has(host), serveOther);
  return (request, context) => refuseHttp(request, shortHosts) ?? follow(request, context);
}

function isLoopbackHost(host: string): boolean {
  return isLoopback(new URL(`http://${host}`).hostname);
}

/**
 * A deployed service only accepts https. An API request over http has exposed its key on the network, so it is refused
 * and its author notices. A customer is redirected to the same address with https. Null for https.
 */
function refuseHttp({ url, method }: Request, shortHosts: ReadonlySet<string>): Response | null {
  if (!url.startsWith("http:")) return null;
  const address = new URL(url);
  const headers = { "X-Request-Id": newRequestId(), "Cache-Control": "no-store" };
  // One host may serve both the API and short links. Only a short link is redirected.
  if (shortHosts.has(address.host) && (method === "GET" || method === "HEAD") && slugAndQueryOf(url) !== null) {
    address.protocol = "https:";
    return new Response(null, { status: 301, headers: { ...headers, Location: address.href } });
  }
  const error = "Use https. A key that was sent without it may have been read by others: revoke it.";
  return Response.json({ success: false, error }, { status: 403, headers });
}
