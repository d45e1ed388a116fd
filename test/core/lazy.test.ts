import { expect, it } from "vitest";
import { lazy } from "../../src/core/lazy.ts";

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
