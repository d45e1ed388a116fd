import { afterEach, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { batchWait } from "../../src/runners/batch-wait.ts";
import { realTime, SECOND } from "../support/later.ts";
import { virtualTime } from "../support/virtual-time.ts";

afterEach(realTime);

const passes = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** After how many milliseconds a batch of `count` is over, of which messages are done at these moments. */
async function overAfter(count: number, doneAt: readonly number[], waitAtMost = SECOND): Promise<number | "never"> {
  virtualTime();
  const began = Date.now();
  const wait = batchWait(systemClock, count, waitAtMost);
  const done = doneAt.map((moment) => passes(moment).then(() => wait.noteDone()));
  const over = await Promise.race([wait.over.then(() => Date.now() - began), passes(10 * SECOND).then(() => "never" as const)]);
  wait.cancel();
  await Promise.all(done);
  realTime();
  return over;
}

it("a batch waits for its limit while most of it is not done", async () => {
  expect(await overAfter(5, [])).toBe(SECOND);
  expect(await overAfter(5, [100, 100])).toBe(SECOND);
  expect(await overAfter(2, [100])).toBe(SECOND);
  expect(await overAfter(1, [])).toBe(SECOND);
});

it("the rest gets as long again as most of the batch took, and not longer than the limit", async () => {
  expect(await overAfter(5, [100, 200, 300])).toBe(600);
  expect(await overAfter(3, [100, 400])).toBe(800);
  expect(await overAfter(5, [100, 200, 300, 350])).toBe(600);
  expect(await overAfter(5, [700, 700, 700])).toBe(SECOND);
});

it("the rest of a quick batch gets a twentieth of a second", async () => {
  expect(await overAfter(5, [10, 10, 10])).toBe(60);
});

it("a batch without a limit is over when all are done, and not earlier", async () => {
  expect(await overAfter(5, [100, 200, 300, 400], Number.POSITIVE_INFINITY)).toBe("never");
});
