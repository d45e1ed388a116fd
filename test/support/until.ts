import { vi } from "vitest";

/** Waits until a check does not throw, and gives its result. Only what hangs reaches the bound. */
export function until<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 });
}
