import type { Log } from "./log.ts";
import type { WritePoint } from "./points.ts";
import type { Trace } from "./trace.ts";

/** The kind of work: a request, one queue message, or one run of the cron. */
type Kind = "request" | "queue message" | "cron run";

/** Results that only the surface knows. */
interface Ended {
  readonly ms: number;
  /** The HTTP status of the answer, and the request's method. */
  readonly status?: number;
  readonly method?: string;
}

/** Reports the outcome of each request, message and sweep to the log, and to Analytics Engine if it is bound. */
export interface Reports {
  /** One log line. Only a share of successes gets one, and each stands for `1 / share`. */
  ended(kind: Kind, work: Trace, ended: Ended, log: Log): void;
  /** The number of rows that a sweep found: a data point and a log line. */
  found(sweep: string, databaseName: string, count: number, log: Log): void;
  /** The age of the oldest waiting row of each kind, in milliseconds; 0 if nothing waits. */
  waiting(ages: Readonly<Record<string, number>>): void;
  /** A redirect of a short link that the isolate or KV knew. */
  redirected(request: string, ms: number): void;
}

/** Shares of work that get a log line, from 0 to 1. */
export interface Shares {
  /** The share of successes. Refusals and failures always get a line. */
  readonly successes: number;
  /** The share of short-link redirects, which are nearly all requests. */
  readonly redirects: number;
}

/** The operation name of a short-link redirect. */
export const REDIRECT = "redirect";

/**
 * The doubles of a point: milliseconds, D1 round trips, upstream calls, their milliseconds, and how many requests the
 * point stands for.
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
      // Requests of agents are always logged.
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
