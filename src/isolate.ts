import { systemClock } from "./core/clock.ts";
import { consoleLog } from "./core/log.ts";
import { createPoints, withPoints } from "./core/points.ts";
import { createReports } from "./core/reports.ts";
import type { Deps } from "./deps.ts";
import type { Bindings } from "./env.ts";
import { followFirst } from "./http/short-domain/follow-first.ts";
import { readSettings } from "./settings.ts";
import { DisabledPartners } from "./short-links/disabled-partners.ts";
import { SlugMemory } from "./short-links/slug-memory.ts";

/** Characters of the version id in log lines and points: unique among the versions of a year. */
const VERSION_LENGTH = 8;

/**
 * What an isolate has before anything else is loaded: enough to lead a customer on by a short link that KV knows. This
 * module and what it imports are all that such a request evaluates. Throws if the settings are invalid.
 */
export function buildFront(bindings: Bindings) {
  const settings = readSettings(bindings);
  const version = bindings.VERSION?.id.slice(0, VERSION_LENGTH) ?? "";
  const write = createPoints(bindings.WORK ?? null, version);
  const log = withPoints(consoleLog(systemClock, version === "" ? {} : { version }), write);
  return {
    clock: systemClock,
    settings,
    version,
    log,
    reports: createReports(log, write, settings.logged, Math.random),
    shortLinkCache: bindings.SHORT_LINKS,
    slugMemory: new SlugMemory(),
    disabledPartners: new DisabledPartners(),
    checkoutOrigins: settings.processor.checkoutOrigins,
  };
}

export type Front = ReturnType<typeof buildFront>;

interface Isolate {
  /** The dependencies of requests, messages, sweeps and Durable Objects, which share the clients. Built on first use. */
  readonly deps: () => Promise<Deps>;
  /** Serves a request. A short link that KV knows waits for nothing else: any other request loads the app. */
  readonly fetch: (request: Request, context: ExecutionContext) => Response | Promise<Response>;
}

let isolates = new WeakMap<Bindings, Isolate>();

/** What an isolate keeps between its requests. Throws if the settings are invalid. */
export function isolateOf(bindings: Bindings): Isolate {
  const known = isolates.get(bindings) ?? buildIsolate(bindings);
  isolates.set(bindings, known);
  return known;
}

/** Forgets what the isolate keeps, for test files that share one. */
export function forgetIsolates(): void {
  isolates = new WeakMap();
}

function buildIsolate(bindings: Bindings): Isolate {
  const front = buildFront(bindings);
  let deps: Deps | undefined;
  let serve: ReturnType<typeof import("./app.ts").buildServe> | undefined;
  const loadDeps = async () => {
    const { buildDeps } = await import("./build-deps.ts");
    // Of requests that load at the same time, the first builds.
    deps ??= buildDeps(bindings, front);
    return deps;
  };
  const loadApp = async () => {
    const { buildServe } = await import("./app.ts");
    const own = deps ?? (await loadDeps());
    serve ??= buildServe(own);
    return serve;
  };
  return {
    deps: async () => deps ?? loadDeps(),
    fetch: followFirst(front, async (request, context, resolved) => (serve ?? (await loadApp()))(request, context, resolved)),
  };
}
