import { describe, expect, it } from "vitest";
import { cureInRussian, repeatInRussian } from "../../dashboard/src/texts/ru-cures.ts";
import { OUTAGE } from "../../src/core/errors.ts";
import { cureOf, cures } from "../../src/http/cures.ts";

describe("what to correct after a refusal, in Russian,", () => {
  it.each(Object.entries(cures))("is said by its code: %s", (code, { cure, repeat }) => {
    expect(cureInRussian(code, cure)).toMatch(/^[А-ЯЁ].*\.$/);
    expect(repeatInRussian({ code, repeat, repeat_ru: null })).toMatch(/^[А-ЯЁ].*\.$/);
  });

  it("says that nothing is to be corrected where an upstream is down, as the Worker does", () => {
    const [code, message] = ["stripe_error", `it ${OUTAGE}`];
    expect(cureInRussian(code, cureOf(code, message)?.cure ?? "")).toContain("Менять ничего не нужно");
  });

  it("stays as it is for a code that is not known", () => {
    expect(cureInRussian("NEW_CODE", "Do it.")).toBe("Do it.");
    expect(repeatInRussian({ code: null, repeat: "Again.", repeat_ru: null })).toBe("Again.");
  });

  it("is what the record of a request says, where it says something", () => {
    expect(repeatInRussian({ code: "INVALID_INPUT", repeat: "Again.", repeat_ru: "Снова." })).toBe("Снова.");
  });
});
