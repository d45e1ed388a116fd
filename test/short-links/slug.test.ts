import { expect, it } from "vitest";
import { randomSlug, slugPattern } from "../../src/short-links/slug.ts";

it("has 12 letters and digits, each as often as the others", () => {
  const slugs = Array.from({ length: 4_000 }, randomSlug);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const slug of slugs) expect(slug).toMatch(/^[A-Za-z0-9]{12}$/);
  const counts = Object.values(Object.groupBy(slugs.join(""), (letter) => letter)).map((found) => found?.length ?? 0);
  expect(counts).toHaveLength(62);
  // 774 of each on average; five standard deviations to either side.
  expect(Math.min(...counts)).toBeGreaterThan(774 - 140);
  expect(Math.max(...counts)).toBeLessThan(774 + 140);
});

it("takes slugs of 10 to 32 letters and digits", () => {
  for (const slug of ["a".repeat(10), "Z9".repeat(16), randomSlug()]) expect(slugPattern.test(slug)).toBe(true);
  for (const slug of ["a".repeat(9), "a".repeat(33), "a-aaaaaaaaa", "", "aaaaaaaaaa\n"]) expect(slugPattern.test(slug)).toBe(false);
});
