import { systemClock } from "./core/clock.ts";
import { createReporting, type ReportingBindings } from "./core/reporting.ts";
import { newRequestId } from "./core/request-id.ts";
import type { CellBindings } from "./db/cell-bindings.ts";
import { unknownLinkPage } from "./http/short-domain/pages.ts";
import { HEADERS } from "./http/short-domain/redirect.ts";
import { shortDomain } from "./http/short-domain/serve.ts";
import { openDatabase } from "./links-database.ts";
import { createRefusalLimit } from "./rate-limits/refusals.ts";
import { DisabledPartners } from "./short-links/disabled-partners.ts";
import { readLinkSettings, saidOf } from "./short-links/link-settings.ts";
import { SlugMemory } from "./short-links/slug-memory.ts";

/** The bindings of the Worker of the short links (wrangler.links.toml). The runtime also passes its settings. */
export interface LinkBindings extends CellBindings, ReportingBindings {
  readonly DIRECTORY: D1Database;
  readonly SHORT_LINKS: KVNamespace;
  readonly UNKNOWN_SLUGS?: RateLimit;
  /** Analytics Engine: a point for each opening; optional. */
  readonly OPENS?: AnalyticsEngineDataset;
}

type Serve = (request: Request, execution: ExecutionContext) => Response | Promise<Response>;

const isolates = new WeakMap<LinkBindings, Serve>();

/** What an isolate keeps between its requests. Throws if the settings are invalid. */
export function linksOf(bindings: LinkBindings): Serve {
  const known = isolates.get(bindings) ?? buildLinks(bindings);
  isolates.set(bindings, known);
  return known;
}

/** Everything at the host of the short links: they alone are served, and every other address gets the page of an unknown one. */
function buildLinks(bindings: LinkBindings): Serve {
  const { settings, faults } = readLinkSettings(bindings);
  if (faults.length > 0) throw new Error(saidOf(faults));
  const { local, checkoutOrigins, brand, logged } = settings;
  const { isolateLog: log, reports, version } = createReporting(bindings, logged);
  const cached = {
    clock: systemClock,
    log,
    checkoutOrigins,
    shortLinkCache: bindings.SHORT_LINKS,
    slugMemory: new SlugMemory(),
    disabledPartners: new DisabledPartners(),
  };
  const serve = shortDomain({
    ...cached,
    reports,
    brand,
    version,
    unknownSlugs: createRefusalLimit(bindings.UNKNOWN_SLUGS, 1, systemClock),
    findTarget: openDatabase(bindings),
    countOpen: (slug) => bindings.OPENS?.writeDataPoint({ indexes: [slug], doubles: [1] }),
  });
  return async (request, execution) => {
    if (!local && request.url.startsWith("http:")) return toHttps(request.url);
    const answer = serve(request, execution);
    return answer ?? unknownLinkPage({ request, requestId: newRequestId(), brand, version });
  };
}

function toHttps(url: string): Response {
  const address = new URL(url);
  address.protocol = "https:";
  return new Response(null, { status: 301, headers: { ...HEADERS, Location: address.href, "X-Request-Id": newRequestId() } });
}
