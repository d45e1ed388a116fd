import { expect, it } from "vitest";
import { isNewEnough } from "../../tools/cli/newer-node.mjs";
import { importersOf, testsOf } from "../../tools/local/changed.ts";
import { repeating } from "../../tools/local/repeating.ts";
import { areLong, kindOf, projectsOf } from "../../tools/local/test-kinds.ts";

it.each([
  ["whole files with tests of pure rules", ["test/core/errors.test.ts"], "pure"],
  ["the same by another path, and words", ["./test/core/errors.test.ts", "test/pages/funnel.test.ts"], "pure"],
  ["files of the Worker", ["test/core/errors.test.ts", "test/mcp/tools.test.ts"], "worker"],
  ["a file that starts processes", ["test/mcp/tools.test.ts", "test/stack/stack.test.ts"], "any"],
  ["a part of a path", ["test/core"], "any"],
  ["a part of a path beside a file", ["test/core/errors.test.ts", "test/links"], "any"],
  ["a file of what is built", ["test/packages/client.test.ts"], "any"],
  ["a file that is not there", ["test/core/none.test.ts"], "any"],
  ["no file", [], "any"],
])("a run knows by %s what it needs", (_which, args, kind) => {
  expect(kindOf(args)).toBe(kind);
});

it("a whole run has the pure rules in workerd, and no test twice; a named project is as it was named", () => {
  expect(projectsOf([], "any")).toEqual(["--project=!unit"]);
  expect(projectsOf(["test/core/errors.test.ts"], "pure")).toEqual(["--project=unit", "--project=pages"]);
  expect(projectsOf(["test/mcp/tools.test.ts"], "worker")).toEqual(["--project=workerd", "--project=pages"]);
  for (const args of [["--project", "machine"], ["--project=machine"]]) expect(projectsOf(args, "any")).toEqual([]);
});

it("what changed has its own tests: those that import it, are named after it, or are of pure rules", () => {
  const importers = new Map(
    Object.entries({
      "src/links/cart.ts": ["src/links/make-link.ts", "test/links/cart.test.ts"],
      "src/links/make-link.ts": ["src/app.ts", "test/http/plans.test.ts"],
      "src/app.ts": ["test/support/app.ts"],
      "test/support/app.ts": ["test/links/limits.test.ts", "test/core/errors.test.ts", "test/gone.test.ts"],
    }).map(([file, by]) => [file, new Set(by)]),
  );
  expect(testsOf(["src/links/cart.ts"], importers)).toEqual({
    own: ["test/core/errors.test.ts", "test/links/cart.test.ts"],
    others: ["test/links/limits.test.ts"],
  });
  expect(testsOf(["src/links/limits.ts", "src/links/cart.ts"], importers).own).toContain("test/links/limits.test.ts");
  expect(testsOf(["test/links/limits.test.ts"], importers)).toEqual({ own: ["test/links/limits.test.ts"], others: [] });
  expect(testsOf(["README.md"], importers)).toEqual({ own: [], others: [] });
});

it("what all tests run on reaches all, and long proofs are chosen where they changed themselves", () => {
  const { own, others } = testsOf(["wrangler.toml"], new Map());
  expect(own).toEqual([]);
  expect(others).toContain("test/mcp/tools.test.ts");
  expect(others).not.toContain("test/outage.long.test.ts");
  expect(testsOf(["test/outage.long.test.ts"], new Map()).own).toEqual(["test/outage.long.test.ts"]);
  expect([areLong(["test/outage"]), areLong(["test/stack"]), areLong([])]).toEqual([true, false, false]);
});

it("the importers of a file are found by every kind of import, of pages too", () => {
  const importers = importersOf();
  expect(importers.get("src/core/typed-amount.ts")).toContain("test/core/typed-amount.test.ts");
  expect(importers.get("docs/webhooks.md")).toContain("test/webhooks/signature.test.ts");
  expect(importers.get("src/runners/queues.ts")).toContain("src/worker.ts");
});

it.each<[string[], Record<string, string>, string]>([
  [["a code", "ends"], { TEST_SEED: "1", FUZZ_INPUTS: "1500" }, "npm test -- test/a.test.ts -t 'a code ends'"],
  [["takes 1.5 (or more)?"], { TEST_CELLS: "3" }, String.raw`TEST_CELLS=3 npm test -- test/a.test.ts -t 'takes 1\.5 \(or more\)\?'`],
  [["it's [so]"], { TEST_SEED: "7", TEST_SCALE: "full" }, String.raw`TEST_SEED=7 npm run test:full -- test/a.test.ts -t 'it'\''s \[so\]'`],
  [[], { FUZZ_INPUTS: "9" }, "FUZZ_INPUTS=9 npm test -- test/a.test.ts"],
])("a test that failed has a command that repeats it alone: %j, %j", (names, environment, command) => {
  expect(repeating("test/a.test.ts", names, environment)).toBe(command);
});

it.each([
  ["20.20.2", false],
  ["22.17.9", false],
  ["22.18.0", true],
  ["23.0.0", true],
])("Node %s runs the commands by itself: %s", (version, isEnough) => {
  expect(isNewEnough(version)).toBe(isEnough);
});
