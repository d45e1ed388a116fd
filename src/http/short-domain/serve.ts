import { errorFields } from "../../core/log.ts";
import { REDIRECT, type Reports } from "../../core/reports.ts";
import { newRequestId } from "../../core/request-id.ts";
import { annotateTrace, runTraced, Trace } from "../../core/trace.ts";
import type { RefusalLimit } from "../../rate-limits/refusals.ts";
import type { LinkSettings } from "../../short-links/link-settings.ts";
import { type ResolveDeps, type Resolved, resolveFromCache, resolveFromMemory } from "../../short-links/resolve.ts";
import { type FindTarget, resolveFromDatabase } from "../../short-links/resolve-from-database.ts";
import { isOpenedByPerson } from "./opened.ts";
import { type Asked, closedLinkPage, failurePage, tooManyPage, unknownLinkPage } from "./pages.ts";
import { cleanedAddress, HEADERS, redirectTo, slugAndQueryOf } from "./redirect.ts";

/** All that a short link needs. */
export interface ShortDomainDeps extends ResolveDeps {
  readonly reports: Reports;
  readonly brand: LinkSettings["brand"];
  readonly version: string;
  readonly unknownSlugs: RefusalLimit;
  /** Counts that a customer opened a link; no more of the request than the slug is passed. */
  readonly countOpen: (slug: string, later: (task: Promise<void>) => void) => void;
  /** Asks the database for a slug that neither the isolate nor KV knows. */
  readonly findTarget: FindTarget;
}

/** Serves one request; null if its address is no short link. */
export type ServeShortLink = (request: Request, execution: ExecutionContext) => Response | Promise<Response> | null;

/**
 * `GET` and `HEAD /<slug>`: redirects to the checkout with the query (interface L.2), or shows a page that says why not
 * (L.3). An address with characters around a slug is redirected to that of the slug. A slug that the isolate remembers is
 * answered without a promise.
 */
export function shortDomain(deps: ShortDomainDeps): ServeShortLink {
  return (request, execution) => {
    const asked = slugAndQueryOf(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (asked === null) return isRead ? redirectToCleaned(new URL(request.url)) : null;
    if (!isRead) return methodNotAllowed();
    const began = deps.clock.now();
    const requestId = newRequestId();
    const known = resolveFromMemory(deps, asked.slug);
    if (known?.found !== "target") return follow(request, execution, { ...asked, requestId, began, known });
    deps.reports.redirected(requestId, 0);
    count(request, execution, asked.slug);
    return redirectTo(known.target.url, asked.query, requestId);
  };

  function count(request: Request, execution: ExecutionContext, slug: string): void {
    if (isOpenedByPerson(request)) deps.countOpen(slug, (task) => execution.waitUntil(task));
  }

  async function follow(request: Request, execution: ExecutionContext, asked: Following): Promise<Response> {
    const { slug, query, requestId, began } = asked;
    const known = asked.known ?? (await resolveFromCache(deps, slug));
    if (known?.found === "target") {
      deps.reports.redirected(requestId, deps.clock.now() - began);
      count(request, execution, slug);
      return redirectTo(known.target.url, query, requestId);
    }
    const work = new Trace();
    work.operation = REDIRECT;
    const response = await runTraced(work, () => answerUnknown(request, execution, { ...asked, known }));
    const ended = { ms: deps.clock.now() - began, status: response.status, method: request.method };
    deps.reports.ended("request", work, ended, deps.log.with({ request: requestId }));
    return response;
  }

  /** The answer where no target is known: the database is asked, unless it is known that the slug leads nowhere. */
  async function answerUnknown(request: Request, execution: ExecutionContext, following: Following): Promise<Response> {
    const { slug, query, requestId, known } = following;
    const asked: Asked = { request, requestId, brand: deps.brand, version: deps.version };
    const address = request.headers.get("CF-Connecting-IP") ?? "unknown";
    try {
      const wait = known === undefined ? await deps.unknownSlugs.waitForSlot(address) : 0;
      if (wait > 0) return await refused(tooManyPage(asked, wait));
      const resolved = known ?? (await resolveFromDatabase(deps, slug, (task) => execution.waitUntil(task)));
      if (resolved.found === "target") {
        count(request, execution, slug);
        return redirectTo(resolved.target.url, query, requestId);
      }
      if (resolved.found === "nothing") await deps.unknownSlugs.refuse(address);
      return await refused(resolved.found === "closed" ? closedLinkPage(asked, resolved.link) : unknownLinkPage(asked));
    } catch (thrown) {
      annotateTrace({ outcome: "failed" });
      deps.log.with({ request: requestId }).error("request failed", { path: `/${slug}`, ...errorFields(thrown) });
      return failurePage(asked);
    }
  }
}

/** A request for a slug, and what is known of it before the database is asked. */
interface Following {
  readonly slug: string;
  readonly query: string;
  readonly requestId: string;
  /** Unix milliseconds. */
  readonly began: number;
  readonly known: Resolved | undefined;
}

async function refused(page: Promise<Response>): Promise<Response> {
  annotateTrace({ outcome: "refused" });
  return page;
}

function redirectToCleaned(url: URL): Response | null {
  const address = cleanedAddress(url);
  if (address === null) return null;
  return new Response(null, { status: 302, headers: { ...HEADERS, Location: address, "X-Request-Id": newRequestId() } });
}

function methodNotAllowed(): Response {
  const headers = { ...HEADERS, Allow: "GET, HEAD", "X-Request-Id": newRequestId() };
  return Response.json({ success: false, error: "This address only accepts GET, HEAD." }, { status: 405, headers });
}
