import { describe, expect, it } from "vitest";
import { cellCodeOf, firstCellOf, idCodeIn, newIdCode, requireIdCode } from "../../src/core/cell-code.ts";
import { databaseNameSchema } from "../../src/core/cell-code-schema.ts";

describe("the code of a cell", () => {
  it.each([
    [1, "01"],
    [35, "0z"],
    [36, "10"],
    [1295, "zz"],
  ])("with the number %i is %s", (number, code) => {
    expect(cellCodeOf(number)).toBe(code);
  });

  it("has two characters, so there are no more cells than that", () => {
    expect(() => cellCodeOf(1296)).toThrow();
  });

  it.each([
    ["a record", "01f00d", "01"],
    ["an event", "evt_0zf00d", "0z"],
    ["a slug", "01AbCdEf", "01"],
  ])("is what the id of %s begins with", (_what, id, code) => {
    expect(idCodeIn(id)).toBe(code);
  });

  it.each(["", "0", "AbCdEf", "evt_", "evt_A1", "-1", " 01", "é1"])("is not in %j", (id) => {
    expect(idCodeIn(id)).toBeNull();
    expect(() => requireIdCode(id)).toThrow("begins with no code");
  });
});

it("is what the ids of its first partners begin with, and leads back to it", () => {
  expect(newIdCode(cellCodeOf(2))).toBe("02");
  expect(firstCellOf(requireIdCode("evt_02f00d"))).toBe("02");
});

it("is a place, and so is the directory", () => {
  expect(databaseNameSchema.safeParse("01").success).toBe(true);
  expect(databaseNameSchema.safeParse("directory").success).toBe(true);
  for (const other of ["", "1", "cell", "001", 1]) expect(databaseNameSchema.safeParse(other).success).toBe(false);
});
