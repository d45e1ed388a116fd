import { expect, it } from "vitest";
import { environmentSchema, environments, perEnvironment } from "../../src/core/environment.ts";

it("has a value for each environment, made for it", () => {
  expect(perEnvironment((environment) => `key of ${environment}`)).toEqual({ live: "key of live", test: "key of test" });
  expect(Object.keys(perEnvironment(() => 0))).toEqual([...environments]);
});

it("is one of the two, and says so", () => {
  expect(environments.map((environment) => environmentSchema.parse(environment))).toEqual(["live", "test"]);
  expect(environmentSchema.safeParse("both").error?.issues[0]?.message).toBe("must be live or test");
});
