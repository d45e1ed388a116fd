import { systemClock } from "./core/clock.ts";
import { consoleLog } from "./core/log.ts";
import { createPoints, withPoints } from "./core/points.ts";
import { createReports } from "./core/reports.ts";
import type { Bindings } from "./env.ts";
import { readSettings } from "./settings.ts";
import { DisabledPartners } from "./short-links/disabled-partners.ts";
import { SlugMemory } from "./short-links/slug-memory.ts";

/** Characters of the version id in log lines and points: unique among the versions of a year. */
const VERSION_LENGTH = 8;

/**
 * What an isolate has before anything else is loaded: enough to lead a customer on by a short link that KV knows. Its
 * module and what that imports are all that such a request evaluates. Throws if the settings are invalid.
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

let fronts = new WeakMap<Bindings, Front>();

/** The front of an isolate, built once. */
export function frontOf(bindings: Bindings): Front {
  const known = fronts.get(bindings) ?? buildFront(bindings);
  fronts.set(bindings, known);
  return known;
}

/** Clears the front of the isolate, for tests that share one. */
export function forgetFronts(): void {
  fronts = new WeakMap();
}
