import { setTimeout as sleep } from "node:timers/promises";
import { endDescendants } from "./process-table.ts";

/** The signals that end a command, and its exit codes then: 128 and the number of the signal. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
type Signal = (typeof SIGNALS)[number];

/** All in milliseconds. Children have `toEnd` to end by themselves, and work that ends by itself has `toEndItself`. */
const GRACE = { toEnd: 1_500, toEndItself: 10_000, toReturn: 500 };
/** npm forwards the signal that a terminal has sent to the whole group. A second one within this time is that copy. */
const COPY_WITHIN = 500;
const PARENT_CHECK = 1_000;

let interruptedBy: { readonly signal: Signal; readonly at: number } | null = null;
let isListening = false;
const ownEndings = new Set<() => void>();
const reports = new Set<() => void>();

/**
 * From now on, a signal ends this process and everything that it has started, in whatever process group: first by
 * SIGTERM, then by SIGKILL. The exit code is 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP. A second Ctrl-C
 * kills at once.
 */
export function endOnSignals(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of SIGNALS) process.on(signal, () => take(signal));
  if (process.env.npm_lifecycle_event === undefined) return;
  // npm starts a command through a shell, and either may be killed without forwarding anything.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && interruptedBy === null) take("SIGHUP");
  }, PARENT_CHECK).unref();
}

/**
 * Runs work that ends by itself: `interrupted` resolves at a signal, and the work then stops what it has started and
 * returns, or throws. What still runs ten seconds later is killed.
 */
export async function endingItself<Result>(work: (interrupted: Promise<void>) => Promise<Result>): Promise<Result> {
  endOnSignals();
  const { promise, resolve } = Promise.withResolvers<void>();
  ownEndings.add(resolve);
  try {
    return await work(promise);
  } finally {
    ownEndings.delete(resolve);
  }
}

/** Calls `report` when a signal ends the command, so that it can print what was done. Returns a function that takes this back. */
export function atInterruption(report: () => void): () => void {
  reports.add(report);
  return () => void reports.delete(report);
}

/** The exit code of a command that returned `code`: one that a signal made fail says so. */
export function exitCodeOf(code: number): number {
  return interruptedBy === null || code === 0 ? code : EXIT_CODES[interruptedBy.signal];
}

function take(signal: Signal): void {
  if (interruptedBy !== null) {
    if (Date.now() - interruptedBy.at > COPY_WITHIN) void end(signal, 0);
    return;
  }
  interruptedBy = { signal, at: Date.now() };
  for (const report of reports) report();
  void (ownEndings.size === 0 ? end(signal, GRACE.toEnd) : waitAndEnd(signal));
}

/** Lets work end by itself. The command returns shortly after it, unless it goes on with other work. */
async function waitAndEnd(signal: Signal): Promise<void> {
  for (const resolve of ownEndings) resolve();
  const killAt = Date.now() + GRACE.toEndItself;
  while (ownEndings.size > 0 && Date.now() < killAt) await sleep(20, undefined, { ref: false });
  await sleep(GRACE.toReturn, undefined, { ref: false });
  await end(signal, GRACE.toEnd);
}

async function end(signal: Signal, grace: number): Promise<never> {
  await endDescendants(process.pid, grace);
  // Work that ended by itself has set the exit code.
  process.exit(process.exitCode ?? EXIT_CODES[signal]);
}
