import { expect, it } from "vitest";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import { hasRightCheck, newSlug, slugPattern } from "../../src/short-links/slug.ts";

const CODE = newIdCode(cellCodeOf(1));

it("has the code of its cell and 12 letters and digits, each as often as the others, and a check", () => {
  const slugs = Array.from({ length: 20_000 }, () => newSlug(CODE));
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const slug of slugs) expect(slug).toMatch(/^01[A-Za-z0-9]{14}$/);
  const counts = Object.values(Object.groupBy(slugs.map((slug) => slug.slice(2, -2)).join(""), (letter) => letter)).map(
    (found) => found?.length ?? 0,
  );
  expect(counts).toHaveLength(62);
  // 3,871 of each on average; seven standard deviations to either side.
  expect(Math.min(...counts)).toBeGreaterThan(3_871 - 436);
  expect(Math.max(...counts)).toBeLessThan(3_871 + 436);
});

it("has a check that no single mistake and no swap of two neighbours keeps", () => {
  const slug = newSlug(CODE);
  expect(hasRightCheck(slug)).toBe(true);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".split("");
  for (let at = 0; at < slug.length; at += 1) {
    for (const letter of letters) {
      if (letter !== slug[at]) expect(hasRightCheck(slug.slice(0, at) + letter + slug.slice(at + 1))).toBe(false);
    }
    const swapped = slug.slice(0, at) + (slug[at + 1] ?? "") + (slug[at] ?? "") + slug.slice(at + 2);
    if (swapped !== slug) expect([swapped, hasRightCheck(swapped)]).toEqual([swapped, false]);
  }
});

it("asks no check of slugs that were made before there was one", () => {
  for (const slug of ["a".repeat(10), "01UnKnOwN12345", "Z9".repeat(16)]) expect(hasRightCheck(slug)).toBe(true);
});

it("takes slugs of 10 to 32 letters and digits", () => {
  for (const slug of ["a".repeat(10), "Z9".repeat(16), newSlug(CODE)]) expect(slugPattern.test(slug)).toBe(true);
  for (const slug of ["a".repeat(9), "a".repeat(33), "a-aaaaaaaaa", "", "aaaaaaaaaa\n"]) expect(slugPattern.test(slug)).toBe(false);
});
