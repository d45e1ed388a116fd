import { describe, expect, it } from "vitest";
import { flagsOf } from "../../src/catalogue/admin/flags.ts";
import type { Neighbour } from "../../src/catalogue/admin/search.ts";

const card = (more: Partial<Neighbour> = {}): Neighbour => ({
  kind: "card",
  id: "card_new",
  partnerId: "acme",
  environment: "live",
  name: "Course",
  currency: "USD",
  unitAmount: 2_000,
  moderation: "in_review",
  terminal: null,
  vat: null,
  ...more,
});
const ruble = (more: Partial<Neighbour> = {}) =>
  card({ kind: "ruble", environment: null, currency: "RUB", terminal: "first", vat: "none", ...more });
const sold = (unitAmount: number, more: Partial<Neighbour> = {}) =>
  card({ id: `card_${unitAmount}`, name: `At ${unitAmount}`, moderation: "approved", unitAmount, ...more });

const namesOf = (product: Neighbour, all: readonly Neighbour[]) => flagsOf(product, all).map(({ flag }) => flag);
const sentencesOf = (product: Neighbour, all: readonly Neighbour[]) => flagsOf(product, all).map(({ says }) => says);

describe("a product is flagged", () => {
  it.each<[string, Partial<Neighbour>, boolean]>([
    ["the same name", {}, true],
    ["the same name in other letters and blanks", { name: " COURSE " }, true],
    ["another name", { name: "Course 2" }, false],
    ["the name in the other environment", { environment: "test" }, false],
    ["the name of another partner", { partnerId: "globex" }, false],
    ["the name of a ruble product", { kind: "ruble" }, false],
    ["itself", { id: "card_new" }, false],
  ])("duplicate_name: its partner has %s: %s", (_what, more, isFlagged) => {
    const others = [card({ id: "card_other", moderation: "approved", ...more })];
    expect(namesOf(card(), others)).toEqual(isFlagged ? ["duplicate_name"] : []);
  });

  it.each([
    [199, true],
    [200, true],
    [201, false],
    [2_000, false],
    [19_999, false],
    [20_000, true],
  ])("unusual_price: %d where 2000 is usual: %s", (unitAmount, isFlagged) => {
    const others = [sold(1_000), sold(2_000), sold(90_000)];
    expect(namesOf(card({ unitAmount }), others)).toEqual(isFlagged ? ["unusual_price"] : []);
  });

  it("unusual_price needs three products in its currency: approved ones, or while these are few others that were not rejected", () => {
    const dear = card({ unitAmount: 900_000 });
    expect(namesOf(dear, [sold(1_000), sold(2_000)])).toEqual([]);
    expect(namesOf(dear, [sold(1_000), sold(2_000), sold(3_000, { currency: "EUR" })])).toEqual([]);
    expect(namesOf(dear, [sold(1_000), sold(2_000), sold(3_000, { moderation: "rejected" })])).toEqual([]);
    expect(namesOf(dear, [sold(1_000), sold(2_000), sold(3_000, { moderation: "in_review" })])).toEqual(["unusual_price"]);
    // Three approved ones say what is usual, whatever waits beside them.
    const waiting = [900_000, 900_001, 900_002, 900_003].map((price) => sold(price, { moderation: "in_review" }));
    expect(namesOf(dear, [sold(1_000), sold(2_000), sold(3_000), ...waiting])).toEqual(["unusual_price"]);
    expect(namesOf(dear, [sold(1_000), sold(2_000), sold(3_000)])).toEqual(["unusual_price"]);
  });

  it("no_terminal and no_vat: of a ruble product alone", () => {
    expect(namesOf(ruble({ terminal: null, vat: null }), [])).toEqual(["no_terminal", "no_vat"]);
    expect(namesOf(ruble(), [])).toEqual([]);
    expect(namesOf(card(), [])).toEqual([]);
  });

  it("other_vat: all approved products of its terminal have another", () => {
    const at = (vat: string, more: Partial<Neighbour> = {}) => ruble({ id: `7${vat}`, name: vat, moderation: "approved", vat, ...more });
    expect(namesOf(ruble(), [at("vat20"), at("vat10")])).toEqual(["other_vat"]);
    expect(namesOf(ruble(), [at("vat20"), at("none")])).toEqual([]);
    expect(namesOf(ruble(), [at("vat20", { terminal: "second" })])).toEqual([]);
    expect(namesOf(ruble(), [at("vat20", { moderation: "in_review" })])).toEqual([]);
    expect(namesOf(ruble({ vat: null }), [at("vat20")])).toEqual(["no_vat"]);
  });

  it("and a sentence says why", () => {
    const other = card({ id: "card_other", moderation: "approved", unitAmount: 4_900 });
    expect(sentencesOf(card(), [other])).toEqual(["Its name is, or looks like, that of “Course” (card/card_other, 49.00 USD, approved)."]);
    const five = [1, 2, 3, 4, 5].map((place) => card({ id: `card_${place}` }));
    expect(sentencesOf(card(), five)).toEqual([
      "Its name is, or looks like, that of “Course” (card/card_1, 20.00 USD, in review), “Course” (card/card_2, 20.00 USD, in review), “Course” (card/card_3, 20.00 USD, in review) and 2 more.",
    ]);
    expect(sentencesOf(card(), five.slice(0, 3))).toEqual([
      "Its name is, or looks like, that of “Course” (card/card_1, 20.00 USD, in review), “Course” (card/card_2, 20.00 USD, in review), “Course” (card/card_3, 20.00 USD, in review).",
    ]);
    expect(sentencesOf(card({ unitAmount: 90_000 }), [sold(1_000), sold(2_000), sold(3_000)])).toEqual([
      "Its price is 900.00 USD: 45 times the usual 20.00 USD, the median of 3 of its partner's products in USD.",
    ]);
    expect(sentencesOf(card({ unitAmount: 100 }), [sold(1_000), sold(2_000), sold(3_000)])).toEqual([
      "Its price is 1.00 USD: one 20th of the usual 20.00 USD, the median of 3 of its partner's products in USD.",
    ]);
    expect(sentencesOf(ruble({ terminal: null, vat: null }), [])).toEqual([
      "It has no terminal: no customer can pay for it at the bank.",
      "It has no VAT rate, which its receipt must name.",
    ]);
    expect(sentencesOf(card({ unitAmount: 100 }), [sold(2_200), sold(2_201), sold(2_100)])).toEqual([
      "Its price is 1.00 USD: one 22nd of the usual 22.00 USD, the median of 3 of its partner's products in USD.",
    ]);
    const without = ruble({ id: "70", name: "Without", moderation: "approved", vat: null });
    expect(sentencesOf(ruble(), [without])).toEqual(["Its VAT is none; that of the approved products of terminal first is not set."]);
    expect(
      sentencesOf(ruble({ terminal: null }), [ruble({ id: "71", name: "Other", moderation: "approved", terminal: null, vat: "vat20" })]),
    ).toEqual(["It has no terminal: no customer can pay for it at the bank."]);
    const at = (vat: string) => ruble({ id: `7${vat}`, name: vat, moderation: "approved", vat });
    expect(sentencesOf(ruble(), [at("vat20"), at("vat10"), at("vat20")])).toEqual([
      "Its VAT is none; that of the approved products of terminal first is vat10 or vat20.",
    ]);
  });
});
