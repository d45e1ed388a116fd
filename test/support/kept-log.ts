import { beforeEach } from "vitest";

/**
 * Keeps in memory what the Worker logs, and prints it where a test fails.
 *
 * vitest sends each line of the console to its own process. A line that an object, a consumer or the cron writes may not
 * be sent from there: it waits for the next message of the test's own request, and the end of a test file waits for it.
 * So one such line at the end of a file would hold up the whole run for ever.
 */
const AT_MOST = 200;
const kept: string[] = [];

/** Prints a line whether or not a test fails. Only a test may call it, never what runs in an object or a consumer. */
export const print = console.info.bind(console);

for (const level of ["debug", "log", "info", "warn", "error"] as const)
  console[level] = (...entries: unknown[]) => {
    kept.push(entries.map(String).join(" "));
    if (kept.length > AT_MOST) kept.shift();
  };

beforeEach(({ onTestFailed }) => {
  kept.length = 0;
  onTestFailed(() => {
    if (kept.length > 0) print(kept.join("\n"));
  });
});
