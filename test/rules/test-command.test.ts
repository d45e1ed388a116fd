import { expect, it } from "vitest";
import { isOnlyPure, projectsOf } from "../../tools/cli/test.ts";

it("only whole files with tests of pure rules run without the Workers runtime", () => {
  expect(isOnlyPure(["test/core/errors.test.ts"])).toBe(true);
  expect(isOnlyPure(["./test/core/errors.test.ts", "test/pages/funnel.test.ts", "-t", "words"])).toBe(true);
  // A file of another kind, a part of a path, a file that is not there, and none.
  for (const args of [
    ["test/core/errors.test.ts", "test/mcp/tools.test.ts"],
    ["test/core"],
    ["test/core/none.test.ts"],
    [],
    ["-t", "words"],
  ])
    expect([args, isOnlyPure(args)]).toEqual([args, false]);
});

it("a whole run has the pure rules in workerd, and no test twice; a named project is as it was named", () => {
  expect(projectsOf([], false)).toEqual(["--project=!unit"]);
  expect(projectsOf(["test/core/errors.test.ts"], true)).toEqual(["--project=unit", "--project=pages"]);
  for (const args of [["--project", "machine"], ["--project=machine"]]) expect(projectsOf(args, false)).toEqual([]);
});
