/** Milliseconds. In production the cron runs each minute; here it runs more often, to shorten the waiting time. */
const EVERY = 15_000;

/** Runs the cron of a local edge, which wrangler does not. Returns what ends it. */
export function runCron(edge: string): () => void {
  const timer = setInterval(() => void fetch(`${edge}/cdn-cgi/handler/scheduled`).catch(() => undefined), EVERY);
  return () => clearInterval(timer);
}
