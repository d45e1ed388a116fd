import { expect, it } from "vitest";
import { lazy, lazyCalls } from "../../src/core/lazy.ts";

it("builds a value once, and not before it is asked for", () => {
  let builds = 0;
  const value = lazy(() => {
    builds += 1;
    return undefined;
  });
  expect(builds).toBe(0);
  expect([value(), value(), builds]).toEqual([undefined, undefined, 1]);
});

it("builds again after a build that threw", () => {
  let builds = 0;
  const value = lazy(() => {
    builds += 1;
    if (builds === 1) throw new Error("not yet");
    return builds;
  });
  expect(value).toThrow("not yet");
  expect(value()).toBe(2);
});

const counting = {
  add: async (counter: { count: number }, by: number): Promise<number> => {
    counter.count += by;
    return Promise.resolve(counter.count);
  },
};

it("opens what calls are on with the first call, once, and keeps it", async () => {
  let opened = 0;
  const counter = lazyCalls(async () => {
    opened += 1;
    return Promise.resolve([{ count: 0 }, counting] as const);
  });
  expect(opened).toBe(0);
  expect([await counter.add(2), await counter.add(3), opened]).toEqual([2, 5, 1]);
});

it("opens again after an opening that failed, and refuses a call that there is not", async () => {
  let opened = 0;
  const calls = lazyCalls(async () => {
    opened += 1;
    if (opened === 1) throw new Error("not yet");
    return Promise.resolve([{ count: 0 }, counting] as const);
  });
  await expect(calls.add(1)).rejects.toThrow("not yet");
  expect(await calls.add(1)).toBe(1);
  await expect(Reflect.get(calls, "unknown")()).rejects.toThrow("there is no call unknown");
});

it("can itself be returned by an asynchronous function", async () => {
  const calls = lazyCalls(async () => Promise.resolve([{ count: 0 }, counting] as const));
  expect(await (await Promise.resolve(calls)).add(4)).toBe(4);
});
