import { describe, expect, it } from "vitest";
import { isPayable } from "../../src/bank-payments/payable.ts";
import { HOUR } from "../../src/core/clock.ts";

describe("a payment can still be paid", () => {
  it.each<[string, boolean]>([
    ["NEW", true],
    ["FORM_SHOWED", true],
    ["3DS_CHECKING", true],
    ["AUTHORIZED", true],
    ["CONFIRMING", true],
    ["SOMETHING_NEW", true],
    ["REJECTED", false],
    ["AUTH_FAIL", false],
    ["CANCELED", false],
    ["DEADLINE_EXPIRED", false],
    ["CONFIRMED", false],
    ["PARTIAL_REFUNDED", false],
    ["REFUNDED", false],
    // interface T.8
  ])("in status %s: %s", (status, is) => {
    expect(isPayable({ status, createdAt: 0 }, HOUR)).toBe(is);
  });

  it("for 24 hours", () => {
    expect(isPayable({ status: "NEW", createdAt: 5 }, 24 * HOUR + 4)).toBe(true);
    expect(isPayable({ status: "NEW", createdAt: 5 }, 24 * HOUR + 5)).toBe(false);
  });
});
