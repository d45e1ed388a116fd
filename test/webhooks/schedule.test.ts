import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_RETRY_AFTER, retryDelay } from "../../src/webhooks/delivery/schedule.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/later.ts";

describe("the schedule", () => {
  const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

  it("waits as documented after each failed attempt, and ends with the tenth", () => {
    expect(waits.map((_, index) => retryDelay(index + 1, 0, 0.5))).toEqual(waits);
    expect(retryDelay(10, 0, 0.5)).toBeNull();
    expect(retryDelay(11, 24 * HOUR, 0.5)).toBeNull();
  });

  it("ends with the fourth attempt for a message to a chat", () => {
    expect([1, 2, 3].map((attempts) => retryDelay(attempts, 0, 0.5, true))).toEqual(waits.slice(0, 3));
    expect([4, 5].map((attempts) => retryDelay(attempts, 0, 0.5, true))).toEqual([null, null]);
    expect(retryDelay(4, 0, 0.5, false)).toBe(2 * HOUR);
  });

  it("heeds a Retry-After of one day at most", () => {
    expect(MAX_RETRY_AFTER).toBe(DAY);
  });

  it("stays within a tenth of it, or waits for Retry-After where that is longer", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(DAY),
        (attempts, random, retryAfter) => {
          const wait = retryDelay(attempts, 0, random) ?? 0;
          expect(Math.abs(wait - (waits[attempts - 1] ?? 0))).toBeLessThanOrEqual((waits[attempts - 1] ?? 0) / 10 + 1e-6);
          expect(retryDelay(attempts, retryAfter, random)).toBe(Math.max(wait, retryAfter));
        },
      ),
    );
  });
});
