import { inspect } from "node:util";
import { beforeEach } from "vitest";

/**
 * Keeps in memory what the Worker logs, and adds it to the message of a test that fails.
 *
 * vitest sends each line of the console to its own process. A line that an object, a consumer or the cron writes may not
 * be sent from there: it waits for the next message of the test's own request, and the end of a test file waits for it.
 * So one such line at the end of a file would hold up the whole run for ever.
 */
const AT_MOST = 100;
const kept: string[] = [];

/** Prints a line at once, for commands that print what a test has found. */
export const print = console.info.bind(console);

for (const level of ["debug", "log", "info", "warn", "error"] as const)
  console[level] = (...entries: unknown[]) => {
    kept.push(entries.map((entry) => (typeof entry === "string" ? entry : inspect(entry))).join(" "));
    if (kept.length > AT_MOST) kept.shift();
  };

/** Adds the lines of each test of this file to its failure. */
export function showKeptLog(): void {
  beforeEach(({ onTestFailed }) => {
    kept.length = 0;
    onTestFailed(({ task }) => {
      const [error] = task.result?.errors ?? [];
      if (error !== undefined && kept.length > 0) error.message += `\n\nIts last lines in the log:\n${kept.join("\n")}`;
    });
  });
}
