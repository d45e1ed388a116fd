import { expect, it } from "vitest";
import { funnelSteps } from "../../dashboard/src/objects/links/funnel-steps.ts";

const shown = (counts: Parameters<typeof funnelSteps>[0]) =>
  funnelSteps(counts).map(({ name, count, isMore, share }) => [name, count, isMore, share]);

it("a funnel has its steps first to last, each as long as its part of the most", () => {
  expect(shown({ opened: 40, begun: 20, is_begun_complete: true, paid: 10 })).toEqual([
    ["opened", 40, false, 100],
    ["begun", 20, false, 50],
    ["paid", 10, false, 25],
  ]);
  // A customer may begin twice, and robots that are left out may have been people.
  expect(shown({ opened: 10, begun: 20, is_begun_complete: true, paid: 10 }).map(([, , , share]) => share)).toEqual([50, 100, 50]);
});

it("a funnel says what is more, or not known, leaves out what is not counted, and is empty without anything", () => {
  expect(shown({ opened: null, begun: 300, is_begun_complete: false, paid: 30 })).toEqual([
    ["begun", 300, true, 100],
    ["paid", 30, false, 10],
  ]);
  expect(shown({ opened: 1, begun: 1, is_begun_complete: true, paid: 2 }).map(([, , , share]) => share)).toEqual([50, 50, 100]);
  expect(shown({ opened: 1, begun: 2, is_begun_complete: true, paid: null })).toEqual([
    ["opened", 1, false, 50],
    ["begun", 2, false, 100],
  ]);
  expect(shown({ opened: 0, begun: null, is_begun_complete: true, paid: 0 })).toEqual([
    ["opened", 0, false, 0],
    ["begun", null, false, 0],
    ["paid", 0, false, 0],
  ]);
});
