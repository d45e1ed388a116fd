import { describe, expect, it } from "vitest";
import { BOM, csvFormOf, csvLine, isLocale, NO_LOCALE, textCell, withoutFormulae } from "../../src/http/calls/csv.ts";

describe("the form of a file", () => {
  it.each([
    [undefined, ",", "."],
    ["en-US", ",", "."],
    ["en-GB", ",", "."],
    ["de-DE", ";", ","],
    ["ru-RU", ";", ","],
    ["pt-BR", ";", ","],
    ["de-CH", ",", "."],
    ["es-MX", ",", "."],
  ])("for %s has the separator %s and the decimal sign %s", (locale, separator, decimal) =>
    expect(csvFormOf(locale, "UTC")).toEqual({ separator, decimal, timeZone: "UTC" }),
  );
});

it("begins with the mark of its encoding", () => expect(BOM).toBe("\uFEFF"));

describe("a locale", () => {
  const LONG = "de-x-aaaaaaaa-bbbbbbbb-cccccccc-ddd";
  it.each([
    ["de-DE", true],
    ["en", true],
    ["de_DE", false],
    ["", false],
    ["xx-XX", false],
    [LONG, true],
    [`${LONG}d`, false],
  ])("%s is one: %s", (text, is) => expect(isLocale(text)).toBe(is));

  it("is asked for by an example", () => expect(NO_LOCALE).toContain("such as de-DE"));
});

describe("a cell", () => {
  const german = csvFormOf("de-DE", "Europe/Berlin");
  const english = csvFormOf("en-US", "America/New_York");
  it.each([
    [-3138.5, "-3138,5", "-3138.5"],
    [0, "0", "0"],
    [41915.45, "41915,45", "41915.45"],
    [null, "", ""],
    [true, "yes", "yes"],
    [false, "no", "no"],
    ["a;b,c", '"a;b,c"', '"a;b,c"'],
    ['say "yes"', '"say ""yes"""', '"say ""yes"""'],
    [new Date("2026-10-25T00:30:00.000Z"), "2026-10-25 02:30:00", "2026-10-24 20:30:00"],
    [new Date("2026-10-25T01:30:00.000Z"), "2026-10-25 02:30:00", "2026-10-24 21:30:00"],
    ["2026-10-25T01:30:00Z", '"2026-10-25T01:30:00Z"', '"2026-10-25T01:30:00Z"'],
    ["2026-10-25", '"2026-10-25"', '"2026-10-25"'],
  ])("of %o is %s in German and %s in English", (value, inGerman, inEnglish) => {
    expect(csvLine([value], german)).toBe(`${inGerman}\r\n`);
    expect(csvLine([value], english)).toBe(`${inEnglish}\r\n`);
  });

  it("stands behind the one before it", () => {
    expect(csvLine([1.5, "x"], german)).toBe('1,5;"x"\r\n');
    expect(csvLine([1.5, "x"], english)).toBe('1.5,"x"\r\n');
  });
});

describe("a text of a column", () => {
  it.each([
    "at",
    "created_at",
    "date",
    "transaction_date",
    "failing_since",
    "invited_until",
    "evidence_due_by",
    "current_period_end",
    "order.paid_at",
  ])("%s that is a time becomes one", (column) => {
    expect(textCell(column, "2026-10-25T01:30:00.000Z")).toEqual(new Date("2026-10-25T01:30:00.000Z"));
    expect(textCell(column, "2026-10-25T01:30:00Z")).toEqual(new Date("2026-10-25T01:30:00Z"));
  });

  it.each(["customer.name", "paid_at_last", "reference", "created_by", "format", "state"])(
    "%s stays a text, also where it looks like a time",
    (column) => expect(textCell(column, "2026-10-25T01:30:00Z")).toBe("2026-10-25T01:30:00Z"),
  );

  it.each(["9999-99-99T99:99:99Z", "2026-10-25", "2026-10-25T01:30:00Z+01:00", "+002026-10-25T01:30:00Z"])(
    "that is not a time stays what it is: %s",
    (text) => expect(textCell("paid_at", text)).toBe(text),
  );
});

describe("a text that a spreadsheet would take for a formula", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ["  =1", "  '=1"],
    ["a;=1", "a;'=1"],
    ["a; =1", "a; '=1"],
    ["a\n=1", "a\n'=1"],
    ["a\t=1", "a\t'=1"],
    ["\uff1d1", "'\uff1d1"],
    ["a;\uff0b1", "a;'\uff0b1"],
    ['x;"=1+1;', `x;"'=1+1;`],
    [`a;' "@x`, `a;' "'@x`],
    [";;=1", ";;'=1"],
    ["a;b=1", "a;b=1"],
    ["==1", "'==1"],
    ["a-b", "a-b"],
    ["a, -5", "a, -5"],
    ["mail@example.com", "mail@example.com"],
  ])("%o becomes %o", (text, wanted) => expect(withoutFormulae(text, ",")).toBe(wanted));

  it("is none behind a comma either, in a file whose cells are divided by semicolons", () => {
    expect(withoutFormulae("Foo,=cmd", ";")).toBe("Foo,'=cmd");
    expect(csvLine(["Foo, -5", "a;=1"], csvFormOf("de-DE", "UTC"))).toBe(`"Foo, '-5";"a;'=1"\r\n`);
  });

  it("takes no time on hostile text", () => {
    const began = Date.now();
    withoutFormulae(`${";".repeat(50_000)}${" \t".repeat(50_000)}=`, ";");
    expect(Date.now() - began).toBeLessThan(1_000);
  });
});
