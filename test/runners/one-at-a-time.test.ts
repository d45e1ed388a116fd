import { expect, it, vi } from "vitest";
import { OneAtATime } from "../../src/runners/one-at-a-time.ts";

/** Work whose runs end when the test says so. */
function controlled(longest = Number.POSITIVE_INFINITY) {
  const runs: PromiseWithResolvers<void>[] = [];
  const work = new OneAtATime(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  }, longest);
  return { runs, ask: () => work.ask() };
}

it("begins at once where nothing is under way", async () => {
  const { runs, ask } = controlled();
  const first = ask();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await first;
  void ask();
  expect(runs).toHaveLength(2);
});

it("lets those who ask meanwhile share the next run, which begins after this one", async () => {
  const { runs, ask } = controlled();
  const first = ask();
  let ended = 0;
  const others = [ask(), ask()].map((asked) => asked.then(() => (ended += 1)));
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await first;
  await expect.poll(() => runs.length).toBe(2);
  expect(ended).toBe(0);
  const third = ask();
  runs[1]?.resolve();
  await Promise.all(others);
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve();
  await third;
});

it("goes on after a run that failed, which only those hear of who asked for it", async () => {
  const { runs, ask } = controlled();
  const first = ask();
  const next = ask();
  runs[0]?.reject(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await next;
});

it("does not wait for a run that takes too long, whose end changes nothing then", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { runs, ask } = controlled(1_000);
  const hanging = ask();
  const next = ask();
  await vi.advanceTimersByTimeAsync(999);
  expect(runs).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toHaveLength(2);
  runs[0]?.resolve();
  await hanging;
  const third = ask();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await next;
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toHaveLength(3);
  runs[2]?.resolve();
  await third;
  vi.useRealTimers();
});
