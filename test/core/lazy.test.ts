import { expect, it } from "vitest";
import { lazy, lazyMethods } from "../../src/core/lazy.ts";

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

it("opens an object with the first call of a method, once, and keeps its methods", async () => {
  let opened = 0;
  class Counter {
    #count = 0;
    async add(by: number): Promise<number> {
      this.#count += by;
      return Promise.resolve(this.#count);
    }
  }
  const counter = lazyMethods<Counter>(async () => {
    opened += 1;
    return Promise.resolve(new Counter());
  });
  expect(opened).toBe(0);
  expect([await counter.add(2), await counter.add(3), opened]).toEqual([2, 5, 1]);
});

it("opens an object again after an opening that failed, and refuses a method that it lacks", async () => {
  let opened = 0;
  const methods = lazyMethods<{ known: () => Promise<string>; unknown?: () => Promise<string> }>(async () => {
    opened += 1;
    if (opened === 1) throw new Error("not yet");
    return Promise.resolve({ known: async () => Promise.resolve("known") });
  });
  await expect(methods.known()).rejects.toThrow("not yet");
  expect(await methods.known()).toBe("known");
  await expect(methods.unknown?.()).rejects.toThrow("there is no method unknown");
});

it("can itself be returned by an asynchronous function", async () => {
  const methods = lazyMethods<{ known: () => Promise<string> }>(async () =>
    Promise.resolve({ known: async () => Promise.resolve("known") }),
  );
  expect(await (await Promise.resolve(methods)).known()).toBe("known");
});
