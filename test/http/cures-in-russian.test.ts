import { describe, expect, it } from "vitest";
import { cureInRussian, repeatInRussian } from "../../dashboard/src/texts/ru-cures.ts";
import { OUTAGE } from "../../src/core/errors.ts";
import { cureOf, cures } from "../../src/http/cures.ts";

describe("what to correct after a refusal, in Russian,", () => {
  it.each(Object.entries(cures))("is said by its code: %s", (code, { cure, repeat }) => {
    expect(cureInRussian(code, cure)).toMatch(/^[А-ЯЁ].*\.$/);
    expect(repeatInRussian(code, false, repeat)).toMatch(/^[А-ЯЁ].*\.$/);
  });

  it("says that nothing is to be corrected where an upstream is down, as the Worker does", () => {
    const [code, message] = ["stripe_error", `it ${OUTAGE}`];
    expect(cureInRussian(code, cureOf(code, message)?.cure ?? "")).toContain("Менять ничего не нужно");
  });

  it("stays as it is for a code that is not known, and where a record says what a repeat does", () => {
    expect(cureInRussian("NEW_CODE", "Do it.")).toBe("Do it.");
    expect(repeatInRussian("INVALID_INPUT", true, "Its record has expired.")).toBe("Its record has expired.");
    expect(repeatInRussian(null, false, "Again.")).toBe("Again.");
  });
});
