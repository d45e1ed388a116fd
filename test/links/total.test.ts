import { expect, it } from "vitest";
import { checkTotal } from "../../src/links/link-plan.ts";
import { failureOf } from "../support/failure.ts";

const total = (...items: (readonly [number, number])[]) =>
  failureOf(() =>
    checkTotal(
      items.map(([unitAmount, quantity]) => ({ unitAmount, quantity })),
      "USD",
      "items",
    ),
  );

// interface 8.2
it("a link's total is at most what the processor takes, and the error says both", () => {
  expect(total([99_999_999, 1])).toBeNull();
  expect(total([33_333_333, 3])).toBeNull();
  expect(total([50_000_000, 1], [49_999_999, 1])).toBeNull();
  expect(total([50_000_000, 1], [50_000_000, 1])).toMatchObject({
    kind: "invalid_input",
    field: "items",
    message: "the total is 100000000 minor units of USD; the card processor's maximum is 99999999",
  });
  expect(total([Number.MAX_SAFE_INTEGER, 3])).toMatchObject({ message: expect.stringContaining("27021597764222973") });
});
