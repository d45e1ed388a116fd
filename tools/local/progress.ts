const SHOWN_AFTER = 2_000;
const EVERY = 1_000;

/**
 * Shows in one terminal line how long `work` has been running, after two seconds; the line then disappears. Silent
 * without a terminal.
 */
export async function withProgress<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  if (!process.stderr.isTTY) return work();
  const started = Date.now();
  let isShown = false;
  const timer = setInterval(() => {
    const elapsed = Date.now() - started;
    if (elapsed < SHOWN_AFTER) return;
    isShown = true;
    process.stderr.write(`\r${what} ${Math.round(elapsed / 1_000)} s`);
  }, EVERY);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isShown) process.stderr.write("\r\u001B[K");
  }
}
