import { expect, it } from "vitest";
import { movementTypes, rankOf } from "../../src/core/movements.ts";

it("rankOf puts what reverses a movement after it: a payment, its refund or dispute, and their end", () => {
  expect(Object.fromEntries(movementTypes.map((type) => [type, rankOf(type)]))).toEqual({
    processor_payment_in: 0,
    processor_refund: 1,
    processor_dispute_freeze: 1,
    processor_payment_failure: 2,
    processor_refund_failure: 2,
    processor_dispute_return: 2,
  });
  expect(rankOf(null)).toBe(0);
});
