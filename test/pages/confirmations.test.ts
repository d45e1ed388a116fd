import { describe, expect, it } from "vitest";
import { titleOfPreview, waitingText, warningText } from "../../dashboard/src/objects/confirmations/words.ts";
import { english } from "../../dashboard/src/texts/en.ts";
import { russian } from "../../dashboard/src/texts/ru.ts";
import { confirmationStates } from "../../src/core/object-states.ts";
import { previewKinds, previewWarnings } from "../../src/core/preview.ts";

const price = {
  amount: 15_400,
  major_amount: 154,
  currency: "USD",
  text: "154.00 USD",
  interval: null,
  interval_count: null,
  trial_days: 0,
};

describe("what an agent asks a person for", () => {
  it("is named by its kind, and by its price where it has one", () => {
    expect(titleOfPreview({ kind: "payment_link", price })).toBe("Payment link · $154.00");
    expect(titleOfPreview({ kind: "promotion_code", price: null })).toBe("Promotion code");
  });

  it.each([english, russian])("has words for each kind, warning and state", ({ confirmations }) => {
    expect(Object.keys(confirmations.kinds).toSorted()).toEqual([...previewKinds].toSorted());
    expect(Object.keys(confirmations.warning).toSorted()).toEqual([...previewWarnings].toSorted());
    expect(Object.keys(confirmations.next).toSorted()).toEqual([...confirmationStates].toSorted());
  });

  it("has its warnings in the language of the page; one that the page does not know stands as the Worker says it", () => {
    const warning = { code: "payment_method_left_out" as const, about: "crypto", message: "in other words" };
    expect(warningText(warning)).toBe("Payment links cannot take crypto: the link is made without it.");
    // A Worker that is newer than the page.
    const newer: unknown = { ...warning, code: "new_to_the_page" };
    expect(warningText(newer as typeof warning)).toBe("in other words");
  });
});

describe("what of an agent waits", () => {
  const rule = { environment: "test", amount: null, major_amount: null, currency: null } as const;

  it("is said by environment: everything, what is over an amount, or nothing", () => {
    expect(waitingText([])).toBe("Nothing");
    expect(waitingText([{ ...rule, demand: "all" }])).toBe("Test: everything");
    const over = { environment: "live", demand: "over", amount: 50_000, major_amount: 500, currency: "EUR" } as const;
    expect(waitingText([{ ...rule, demand: "all" }, over])).toBe("Test: everything, Live: over €500.00");
  });
});
