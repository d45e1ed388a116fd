import type { Log } from "./log.ts";
import type { WritePoint } from "./points.ts";
import type { Trace } from "./trace.ts";

/** What was done: a request, one message of a queue, or one run of the cron. */
type Kind = "request" | "queue message" | "cron run";

/** What only its surface knows of a piece of work. */
interface Ended {
  readonly ms: number;
  /** The HTTP status of the answer to a request, and the request's method. */
  readonly status?: number;
  readonly method?: string;
}

/** Tells the log, and the platform's analytics where bound, how each piece of work ended. */
export interface Reports {
  /** One line. Of what succeeded, only a share gets one; each that gets one stands for `1 / share`. */
  ended(kind: Kind, work: Trace, ended: Ended, log: Log): void;
  /** What a sweep of the cron has found to do: its point, and a line. */
  found(sweep: string, databaseName: string, count: number, log: Log): void;
  /** How long the oldest of each kind of what waits has waited, in milliseconds; 0 if nothing waits. */
  waiting(ages: Readonly<Record<string, number>>): void;
  /** A redirect that was answered before anything else was built. */
  redirected(request: string, ms: number): void;
}

/** Shares of what gets a line, from 0 to 1. */
interface Shares {
  /** Of what succeeded. What was refused or failed always gets one. */
  readonly successes: number;
  /** Of the redirects of short links, which are nearly all of the requests. */
  readonly redirects: number;
}

/** The operation of whoever follows a short link. */
export const REDIRECT = "redirect";

/**
 * The doubles of a piece of work: the milliseconds, the trips, the upstream calls, their milliseconds, and how many pieces of
 * work the point stands for.
 */
export function createReports(log: Log, write: WritePoint, shares: Shares, random: () => number): Reports {
  return {
    found(sweep, databaseName, count, lines) {
      write({ kind: "found", name: sweep, code: databaseName, doubles: [count] });
      lines.info("sweep found work", { sweep, database: databaseName, found: count });
    },
    waiting(ages) {
      for (const [name, age] of Object.entries(ages)) write({ kind: "waiting", name, doubles: [age] });
    },
    ended(kind, work, { ms, status, method }, lines) {
      const { partner, operation, grant, outcome, code, cost } = work;
      const doubles = [ms, cost.trips, cost.upstreamCalls, cost.upstreamMs, 1];
      write({ kind, name: operation ?? "", partner, outcome, code, doubles });
      // What an agent does with a grant is always logged.
      if (outcome === "success" && grant === null && random() >= shares.successes) return;
      lines.info(kind, {
        method,
        operation,
        partner,
        grant: grant ?? undefined,
        outcome,
        code,
        status,
        ms,
        trips: cost.trips,
        upstream_calls: cost.upstreamCalls,
        upstream_ms: cost.upstreamMs,
      });
    },
    redirected(request, ms) {
      if (random() >= shares.redirects) return;
      log.info("request", { request, method: "GET", operation: REDIRECT, outcome: "success", status: 302, ms });
      write({ kind: "request", name: REDIRECT, outcome: "success", doubles: [ms, 0, 0, 0, 1 / shares.redirects] });
    },
  };
}
