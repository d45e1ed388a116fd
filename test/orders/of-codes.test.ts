import { describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { type CodeUses, joinUses } from "../../src/orders/of-codes.ts";

describe("the uses of codes in several databases", () => {
  const part = (code: string, currency: string, orders: number, discounts: number): CodeUses => ({ code, currency, orders, discounts });

  it("are added by code and currency", () => {
    const parts = [
      part("promo_1", "EUR", 1, 5),
      part("promo_1", "USD", 2, 7),
      part("promo_2", "EUR", 4, 0),
      part("promo_1", "EUR", 10, 20),
    ];
    expect(joinUses(parts)).toEqual(
      new Map([
        ["promo_1", [part("promo_1", "EUR", 11, 25), part("promo_1", "USD", 2, 7)]],
        ["promo_2", [part("promo_2", "EUR", 4, 0)]],
      ]),
    );
    expect(joinUses([])).toEqual(new Map());
  });

  it("are not known of more orders than are counted, in all parts together", () => {
    const most = limits.sums.movements;
    expect(joinUses([part("promo_1", "EUR", most - 1, 0), part("promo_2", "USD", 1, 0)])).not.toBeNull();
    expect(joinUses([part("promo_1", "EUR", most - 1, 0), part("promo_2", "USD", 2, 0)])).toBeNull();
  });
});
