import { afterEach, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { batchWait } from "../../src/runners/batch-wait.ts";
import { realTime, SECOND } from "../support/later.ts";
import { virtualTime } from "../support/virtual-time.ts";

afterEach(realTime);

const passes = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

interface Messages {
  /** When messages have their answers. */
  readonly answered?: readonly number[];
  /** When the batch stops waiting for messages. */
  readonly released?: readonly number[];
}

/** After how many milliseconds a batch of `count` is over. */
async function overAfter(count: number, { answered = [], released = [] }: Messages, waitAtMost = SECOND): Promise<number | "never"> {
  virtualTime();
  const began = Date.now();
  const wait = batchWait(systemClock, count, waitAtMost);
  const noted = [
    ...answered.map((moment) => passes(moment).then(wait.place().noteAnswer)),
    ...released.map((moment) => passes(moment).then(wait.place().noteReleased)),
  ];
  const over = await Promise.race([wait.over.then(() => Date.now() - began), passes(10 * SECOND).then(() => "never" as const)]);
  wait.cancel();
  await Promise.all(noted);
  realTime();
  return over;
}

it("a batch waits for its limit while most of it has no answer", async () => {
  expect(await overAfter(5, {})).toBe(SECOND);
  expect(await overAfter(5, { answered: [100, 100] })).toBe(SECOND);
  expect(await overAfter(2, { answered: [100] })).toBe(SECOND);
  expect(await overAfter(1, {})).toBe(SECOND);
});

it("the rest gets as long again as most of the batch took, and not longer than the limit", async () => {
  expect(await overAfter(5, { answered: [100, 200, 300] })).toBe(600);
  expect(await overAfter(3, { answered: [100, 400] })).toBe(800);
  expect(await overAfter(5, { answered: [100, 200, 300, 350] })).toBe(600);
  expect(await overAfter(5, { answered: [700, 700, 700] })).toBe(SECOND);
});

it("the rest of a quick batch gets a twentieth of a second", async () => {
  expect(await overAfter(5, { answered: [10, 10, 10] })).toBe(60);
});

it("what ends without an answer, or is not waited for, does not count", async () => {
  expect(await overAfter(5, { released: [10, 10, 10] })).toBe(SECOND);
  expect(await overAfter(5, { answered: [100], released: [10, 10, 10] })).toBe(SECOND);
  expect(await overAfter(5, { answered: [100, 200], released: [10, 300] })).toBe(600);
});

it("a message counts once, whatever is noted of it", async () => {
  virtualTime();
  const began = Date.now();
  const wait = batchWait(systemClock, 3, SECOND);
  const { noteAnswer, noteReleased } = wait.place();
  noteAnswer();
  noteAnswer();
  noteReleased();
  await wait.over;
  expect(Date.now() - began).toBe(SECOND);
});

it("a batch without a limit is over when all are done, and not earlier", async () => {
  expect(await overAfter(5, { answered: [100, 200, 300, 400] }, Number.POSITIVE_INFINITY)).toBe("never");
});
